import type { Profile } from "../../shared/kernel/profile";
import type { Scope } from "../../shared/kernel/scopes";
import type { Client } from "./directory";

/** Clock skew that verifiers tolerate; a token may live that much longer. */
export const tokenLeewaySeconds = 30;

/** Issuer, audience and life of access tokens. */
export interface TokenPolicy {
  issuer: string;
  audience: string;
  env: Profile;
  ttlSeconds: number;
}

/** Claims of an access token (RFC 9068), times in seconds since 1970. */
export interface AccessTokenClaims {
  iss: string;
  aud: string;
  sub: string;
  tenant: string;
  env: Profile;
  scope: string;
  jti: string;
  /** Public part of the client secret that obtained the token. */
  secret_id: string;
  iat: number;
  exp: number;
  /** Thumbprint of the certificate that the token is bound to (RFC 8705 section 3.1). */
  cnf?: { "x5t#S256": string };
}

interface TokenFacts {
  client: Pick<Client, "id" | "tenant">;
  granted: readonly Scope[];
  secretId: string;
  /** When the secret ends: no token outlives it. */
  until: Date | undefined;
  /** SHA-256 fingerprint, hex. */
  certificate: string | undefined;
  jti: string;
  at: Date;
}

/** The claims of a token for one client. */
export function accessTokenClaims(
  policy: TokenPolicy,
  { client, granted, secretId, until, certificate, jti, at }: TokenFacts,
): AccessTokenClaims {
  const iat = Math.floor(at.getTime() / 1_000);
  const thumbprint = certificate === undefined ? "" : Buffer.from(certificate, "hex").toString("base64url");
  return {
    iss: policy.issuer,
    aud: policy.audience,
    sub: client.id,
    tenant: client.tenant,
    env: policy.env,
    scope: granted.join(" "),
    jti,
    secret_id: secretId,
    iat,
    exp: expiryOf(iat + policy.ttlSeconds, until),
    ...(thumbprint === "" ? {} : { cnf: { "x5t#S256": thumbprint } }),
  };
}

const expiryOf = (latest: number, until: Date | undefined): number =>
  until === undefined ? latest : Math.min(latest, Math.floor(until.getTime() / 1_000));

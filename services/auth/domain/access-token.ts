import type { Profile } from "../../shared/config";
import type { Client } from "./directory";
import type { Scope } from "./scope";

/** Who signs, for whom, where and for how long. */
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
  iat: number;
  exp: number;
}

/** The claims of a token for one client. */
export function accessTokenClaims(
  policy: TokenPolicy,
  { client, granted, jti, at }: { client: Client; granted: readonly Scope[]; jti: string; at: Date },
): AccessTokenClaims {
  const iat = Math.floor(at.getTime() / 1_000);
  return {
    iss: policy.issuer,
    aud: policy.audience,
    sub: client.id,
    tenant: client.tenant,
    env: policy.env,
    scope: granted.join(" "),
    jti,
    iat,
    exp: iat + policy.ttlSeconds,
  };
}

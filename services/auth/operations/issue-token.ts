import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { SignToken } from "../adapters/keys/token-signer";
import { accessTokenClaims, type TokenPolicy } from "../domain/access-token";
import { grantScopes } from "../domain/scope";
import type { AuthenticateClient, ClientCredentials } from "./authenticate-client";

export interface IssueTokenDeps {
  authenticateClient: AuthenticateClient;
  sign: SignToken;
  policy: TokenPolicy;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export interface TokenRequest extends ClientCredentials {
  scope: string | undefined;
}

export interface IssuedToken {
  accessToken: string;
  expiresInSeconds: number;
  scope: string;
}

export type IssueToken = (request: TokenRequest) => Promise<IssuedToken>;

/** Exchanges a client's secret for a signed token. Stores nothing: every call signs a new one. */
export const makeIssueToken =
  ({ authenticateClient, sign, policy, clock, ids }: IssueTokenDeps): IssueToken =>
  async ({ scope, ...credentials }) => {
    const { client, secret } = await authenticateClient(credentials);
    const { scopes: allowed, expiresAt: until } = secret.bounds;
    const owned = client.scopes.filter((one) => allowed === undefined || allowed.includes(one));
    const granted = grantScopes(owned, scope);
    const { certificate } = credentials;
    const facts = { client, granted, secretId: secret.id, until, certificate, jti: ids.uuid(), at: clock.now() };
    const claims = accessTokenClaims(policy, facts);
    return { accessToken: await sign(claims), expiresInSeconds: claims.exp - claims.iat, scope: claims.scope };
  };

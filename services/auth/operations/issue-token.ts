import type { Clock } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import { accessTokenClaims, type TokenPolicy } from "../domain/access-token";
import { grantScopes } from "../domain/scope";
import type { SignToken } from "../signing/token-signer";
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
    const client = await authenticateClient(credentials);
    const granted = grantScopes(client.scopes, scope);
    const { certificate } = credentials;
    const claims = accessTokenClaims(policy, { client, granted, certificate, jti: ids.uuid(), at: clock.now() });
    return { accessToken: await sign(claims), expiresInSeconds: policy.ttlSeconds, scope: claims.scope };
  };

import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { accessTokenClaims, type TokenPolicy } from "../domain/access-token";
import { grantScopes } from "../domain/scope";
import type { SignToken } from "../signing/token-signer";
import type { ClientStore } from "../store/client-store";
import type { FindHolder } from "./find-holder";

export interface IssueTokenDeps {
  findHolder: FindHolder;
  clients: Pick<ClientStore, "find">;
  sign: SignToken;
  policy: TokenPolicy;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export interface TokenRequest {
  clientId: string;
  clientSecret: string;
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
  (deps: IssueTokenDeps): IssueToken =>
  async ({ clientId, clientSecret, scope }) => {
    // Both reads start at once and neither is skipped, so that time does not tell a wrong secret from an unknown client.
    const [holder, client] = await Promise.all([
      deps.findHolder("secret", clientSecret),
      deps.clients.find(clientId.slice(0, 255)),
    ]);
    if (client === undefined || holder === undefined || holder.owner !== client.id) {
      throw new DomainError("OAUTH_INVALID_CLIENT", "client credentials are not valid");
    }
    const granted = grantScopes(client.scopes, scope);
    const claims = accessTokenClaims(deps.policy, { client, granted, jti: deps.ids.uuid(), at: deps.clock.now() });
    const accessToken = await deps.sign(claims);
    return { accessToken, expiresInSeconds: deps.policy.ttlSeconds, scope: claims.scope };
  };

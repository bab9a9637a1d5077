import { DomainError } from "../../shared/kernel/errors";
import type { ReadToken } from "../adapters/keys/token-reader";
import type { RevokedTokenStore } from "../store/revoked-token-store";
import type { AuthenticateClient, ClientCredentials } from "./authenticate-client";

export interface RevokeTokenDeps {
  authenticateClient: AuthenticateClient;
  readToken: ReadToken;
  revokedTokens: Pick<RevokedTokenStore, "add">;
}

export interface TokenRevocation extends ClientCredentials {
  token: string;
}

export type RevokeToken = (revocation: TokenRevocation) => Promise<void>;

/**
 * Ends one of the client's own access tokens (RFC 7009). A text that is not a live token of this issuer is not an error.
 * Throws OAUTH_INVALID_REQUEST for a token that was issued to another client.
 */
export const makeRevokeToken =
  ({ authenticateClient, readToken, revokedTokens }: RevokeTokenDeps): RevokeToken =>
  async ({ token, ...credentials }) => {
    const { client } = await authenticateClient(credentials);
    const claims = await readToken(token);
    if (claims === undefined) return;
    if (claims.client !== client.id) {
      throw new DomainError("OAUTH_INVALID_REQUEST", "the token was issued to another client");
    }
    await revokedTokens.add(claims);
  };

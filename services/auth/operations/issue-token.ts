import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { allowsAddress, makeNetworks } from "../../shared/networks";
import { accessTokenClaims, type TokenPolicy } from "../domain/access-token";
import { grantScopes } from "../domain/scope";
import type { SignToken } from "../signing/token-signer";
import type { ClientStore } from "../store/client-store";
import type { TenantStore } from "../store/tenant-store";
import type { FindHolder } from "./find-holder";

export interface IssueTokenDeps {
  findHolder: FindHolder;
  clients: Pick<ClientStore, "find">;
  tenants: Pick<TenantStore, "find">;
  sign: SignToken;
  policy: TokenPolicy;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export interface TokenRequest {
  clientId: string;
  clientSecret: string;
  scope: string | undefined;
  address: string;
  /** SHA-256 fingerprint of the client certificate, hex. */
  certificate: string | undefined;
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
  async ({ clientId, clientSecret, scope, address, certificate }) => {
    // All reads are made for every request, so that time does not tell a wrong secret from an unknown client.
    const [{ holder }, client] = await Promise.all([
      deps.findHolder("secret", clientSecret),
      deps.clients.find(clientId.slice(0, 255)),
    ]);
    const tenant = await deps.tenants.find(client?.tenant ?? "");
    const { env } = deps.policy;
    if (tenant !== undefined && !allowsAddress(env, tenant.allowlist, makeNetworks(tenant.allowlist), address)) {
      throw new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
    }
    const isClient = client !== undefined && holder?.owner === client.id && client.disabledAt === undefined;
    const isOwnCertificate = certificate === undefined || tenant?.certificates.includes(certificate) === true;
    if (!isClient || tenant === undefined || tenant.isDisabled || !isOwnCertificate) {
      throw new DomainError("OAUTH_INVALID_CLIENT", "client credentials are not valid");
    }
    const granted = grantScopes(client.scopes, scope);
    const facts = { client, granted, certificate, jti: deps.ids.uuid(), at: deps.clock.now() };
    const claims = accessTokenClaims(deps.policy, facts);
    const accessToken = await deps.sign(claims);
    return { accessToken, expiresInSeconds: deps.policy.ttlSeconds, scope: claims.scope };
  };

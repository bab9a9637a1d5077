import type { BoundedCache } from "../../shared/bounded-cache";
import { type Clock, plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { allowsAddress, makeNetworks } from "../../shared/networks";
import { accessTokenClaims, type TokenPolicy } from "../domain/access-token";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Client, Tenant } from "../domain/directory";
import { grantScopes } from "../domain/scope";
import type { SignToken } from "../signing/token-signer";
import type { ClientStore } from "../store/client-store";
import type { TenantStore } from "../store/tenant-store";
import type { FindHolder } from "./find-holder";

export interface IssueTokenDeps {
  findHolder: FindHolder;
  hasher: Pick<CredentialHasher, "hash">;
  /** Told of every genuine secret that was not looked up again. */
  noteUse(id: string): void;
  proven: BoundedCache<ProvenClient>;
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

/** A client that proved itself, as it was found. */
export interface ProvenClient {
  client: Client;
  tenant: Tenant;
  /** Id of its secret. */
  credential: string;
}

/** Longest time for which a changed client, tenant or secret may still be taken for what it was. */
const provenMs = 10_000;

/**
 * Exchanges a client's secret for a signed token. Stores nothing: every call signs a new one. A client that proved itself is
 * remembered for ten seconds under the keyed hash of its id and secret, so only one who has both is spared the reads.
 */
export const makeIssueToken =
  (deps: IssueTokenDeps): IssueToken =>
  async ({ clientId, clientSecret, scope, address, certificate }) => {
    const { env } = deps.policy;
    const { client, tenant, isProven } = await identify(clientId, clientSecret, deps);
    if (tenant !== undefined && !allowsAddress(env, tenant.allowlist, makeNetworks(tenant.allowlist), address)) {
      throw new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
    }
    const isOwnCertificate = certificate === undefined || tenant?.certificates.includes(certificate) === true;
    const isServed = isProven && client?.disabledAt === undefined && tenant?.isDisabled === false;
    if (!isServed || client === undefined || !isOwnCertificate) {
      throw new DomainError("OAUTH_INVALID_CLIENT", "client credentials are not valid");
    }
    const granted = grantScopes(client.scopes, scope);
    const facts = { client, granted, certificate, jti: deps.ids.uuid(), at: deps.clock.now() };
    const claims = accessTokenClaims(deps.policy, facts);
    const accessToken = await deps.sign(claims);
    return { accessToken, expiresInSeconds: deps.policy.ttlSeconds, scope: claims.scope };
  };

interface Identified {
  client: Client | undefined;
  tenant: Tenant | undefined;
  /** The secret is one of the client's. */
  isProven: boolean;
}

async function identify(clientId: string, clientSecret: string, deps: IssueTokenDeps): Promise<Identified> {
  const { findHolder, clients, tenants, hasher, proven, clock, noteUse } = deps;
  const key = hasher.hash(JSON.stringify([clientId, clientSecret]));
  const known = proven.get(key);
  if (known !== undefined) {
    noteUse(known.credential);
    return { ...known, isProven: true };
  }
  // All reads are made for every request, so that time does not tell a wrong secret from an unknown client.
  const [{ holder }, client] = await Promise.all([
    findHolder("secret", clientSecret),
    clients.find(clientId.slice(0, 255)),
  ]);
  const tenant = await tenants.find(client?.tenant ?? "");
  const isProven = client !== undefined && holder?.owner === client.id;
  // One that is disabled is looked up again, so that it works as soon as it is let in again.
  if (isProven && client.disabledAt === undefined && tenant?.isDisabled === false) {
    proven.set(key, { client, tenant, credential: holder.id }, plusMs(clock.now(), provenMs));
  }
  return { client, tenant, isProven };
}

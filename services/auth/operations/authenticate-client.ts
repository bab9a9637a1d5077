import type { BoundedCache } from "../../shared/kernel/bounded-cache";
import { type Clock, plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { allowsAddress, makeNetworks } from "../../shared/kernel/networks";
import type { Profile } from "../../shared/kernel/profile";
import { hasExpired, isAllowedFrom } from "../domain/credential-bounds";
import type { CredentialHasher } from "../domain/credential-hash";
import type { Client, Credential, Tenant } from "../domain/directory";
import type { ClientStore } from "../store/client-store";
import type { TenantStore } from "../store/tenant-store";
import type { FindHolder } from "./find-holder";

export interface AuthenticateClientDeps {
  findHolder: FindHolder;
  hasher: Pick<CredentialHasher, "hash">;
  /** Called for every genuine secret that was not served from memory. */
  noteUse(id: string): void;
  proven: BoundedCache<ProvenClient>;
  clients: Pick<ClientStore, "find">;
  tenants: Pick<TenantStore, "find">;
  env: Profile;
  clock: Clock;
}

/** The credentials that an OAuth client presents. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
  address: string;
  /** SHA-256 fingerprint of the client certificate, hex. */
  certificate: string | undefined;
}

/** The secret that a client presented. */
export type ShownSecret = Pick<Credential, "id" | "bounds">;

/**
 * Returns the authenticated client and its secret. Throws ADDRESS_REFUSED for an address that its tenant does not allow, and
 * OAUTH_INVALID_CLIENT for any other fault.
 */
export type AuthenticateClient = (credentials: ClientCredentials) => Promise<{ client: Client; secret: ShownSecret }>;

/** An authenticated client at the time of authentication. */
export interface ProvenClient {
  client: Client;
  tenant: Tenant;
  secret: ShownSecret;
}

/** Longest time for which the state of a client, tenant or secret before a change may still count. */
const provenMs = 10_000;

/**
 * Remembers an authenticated client for ten seconds under the keyed hash of its id and secret, so that only a caller with
 * both is spared the reads.
 */
export const makeAuthenticateClient =
  (deps: AuthenticateClientDeps): AuthenticateClient =>
  async ({ clientId, clientSecret, address, certificate }) => {
    const { client, tenant, secret } = await identify(clientId, clientSecret, deps);
    if (tenant !== undefined && !allowsAddress(deps.env, tenant.allowlist, makeNetworks(tenant.allowlist), address)) {
      throw new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
    }
    const isOwnCertificate = certificate === undefined || tenant?.certificates.includes(certificate) === true;
    const isServed = client?.disabledAt === undefined && tenant?.isDisabled === false && isOwnCertificate;
    const isLive = secret !== undefined && !hasExpired(secret.bounds, deps.clock.now());
    if (!isServed || client === undefined || !isLive) {
      throw new DomainError("OAUTH_INVALID_CLIENT", "client credentials are not valid");
    }
    if (!isAllowedFrom(secret.bounds, address)) {
      throw new DomainError("ADDRESS_REFUSED", "the secret does not work from this address");
    }
    return { client, secret };
  };

interface Identified {
  client: Client | undefined;
  tenant: Tenant | undefined;
  /** The presented secret, when it is the client's. */
  secret: ShownSecret | undefined;
}

async function identify(clientId: string, clientSecret: string, deps: AuthenticateClientDeps): Promise<Identified> {
  const { findHolder, clients, tenants, hasher, proven, clock, noteUse } = deps;
  const key = hasher.hash(JSON.stringify([clientId, clientSecret]));
  const known = proven.get(key);
  if (known !== undefined) {
    noteUse(known.secret.id);
    return known;
  }
  // Every request makes all reads, so that timing does not distinguish a wrong secret from an unknown client.
  const [{ holder }, client] = await Promise.all([
    findHolder("secret", clientSecret),
    clients.find(clientId.slice(0, 255)),
  ]);
  const tenant = await tenants.find(client?.tenant ?? "");
  const secret = client !== undefined && holder?.owner === client.id ? holder : undefined;
  // A disabled client is read again each time, so that it works as soon as it is enabled.
  if (client !== undefined && secret !== undefined && client.disabledAt === undefined && tenant?.isDisabled === false) {
    proven.set(key, { client, tenant, secret }, plusMs(clock.now(), provenMs));
  }
  return { client, tenant, secret };
}

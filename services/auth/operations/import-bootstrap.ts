import { type CredentialKind, parseCredential } from "../../shared/crypto/credential";
import type { Clock } from "../../shared/kernel/clock";
import { scopes } from "../../shared/kernel/scopes";
import type { BootstrapTenant } from "../domain/bootstrap";
import { unbound } from "../domain/credential-bounds";
import type { CredentialHasher } from "../domain/credential-hash";
import type { AgentStore } from "../store/agent-store";
import type { ClientStore } from "../store/client-store";
import type { CredentialStore } from "../store/credential-store";
import type { TenantStore } from "../store/tenant-store";

export interface ImportBootstrapDeps {
  tenants: Pick<TenantStore, "add">;
  clients: Pick<ClientStore, "add">;
  agents: Pick<AgentStore, "addIfAbsent">;
  credentials: Pick<CredentialStore, "addIfAbsent" | "rehash">;
  hasher: CredentialHasher;
  clock: Clock;
}

export type ImportBootstrap = (tenants: readonly BootstrapTenant[]) => Promise<void>;

/**
 * Adds missing records and changes no existing one, so that it may run at every start and in several replicas at once. Its
 * OAuth clients own every scope. Rehashes a credential under an older pepper. Throws when a stored credential has another
 * hash, which means that its pepper is not in the ring.
 */
export function makeImportBootstrap(deps: ImportBootstrapDeps): ImportBootstrap {
  const { tenants, clients, agents, credentials, hasher, clock } = deps;
  const addCredential = async (kind: CredentialKind, tenant: string, owner: string, credential: string) => {
    const name = parseCredential(credential);
    if (name?.kind !== kind) throw new Error(`bootstrap file is not usable: a ${kind} of ${owner} is malformed`);
    const facts = { id: name.id, kind, tenant, owner, hash: hasher.hash(credential), bounds: unbound };
    const stored = await credentials.addIfAbsent({ ...facts, createdAt: clock.now() });
    if (!hasher.matches(credential, stored)) {
      throw new Error(
        `credential ${name.id} is stored with another hash: AUTH_PEPPER_FILE is not the one of this store`,
      );
    }
    if (hasher.ageOf(stored) === "older") await credentials.rehash(name.id, stored, facts.hash);
  };
  const addTenant = async ({ tenant, apiKey, clientId, clientSecret, agents: partners }: BootstrapTenant) => {
    const createdAt = clock.now();
    const partner = { tenant, email: "", businessName: "", externalId: undefined, createdAt, version: 1 };
    await Promise.all([
      tenants.add({ slug: tenant, isDisabled: false, allowlist: [], certificates: [], createdAt }),
      clients.add({ id: clientId, tenant, scopes, disabledAt: undefined }),
      addCredential("key", tenant, tenant, apiKey),
      addCredential("secret", tenant, clientId, clientSecret),
      ...partners.map(({ agentId, status }) => agents.addIfAbsent({ ...partner, id: agentId, status })),
      ...partners.map(({ agentId, apiKey: agentKey }) => addCredential("agent", tenant, agentId, agentKey)),
    ]);
  };
  return async (wanted) => {
    await Promise.all(wanted.map(addTenant));
  };
}

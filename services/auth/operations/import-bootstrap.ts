import { type CredentialKind, parseCredential } from "../../shared/credential";
import type { BootstrapTenant } from "../domain/bootstrap";
import type { CredentialHasher } from "../domain/credential-hash";
import { scopes } from "../domain/scope";
import type { AgentStore } from "../store/agent-store";
import type { ClientStore } from "../store/client-store";
import type { CredentialStore } from "../store/credential-store";

export interface ImportBootstrapDeps {
  clients: Pick<ClientStore, "addIfAbsent">;
  agents: Pick<AgentStore, "addIfAbsent">;
  credentials: Pick<CredentialStore, "addIfAbsent">;
  hasher: CredentialHasher;
}

export type ImportBootstrap = (tenants: readonly BootstrapTenant[]) => Promise<void>;

/**
 * Adds what is not there yet and changes nothing that is, so that it may run at every start and in several replicas at
 * once. Its OAuth clients own every scope. Throws when a stored credential has another hash, which means another pepper.
 */
export function makeImportBootstrap({ clients, agents, credentials, hasher }: ImportBootstrapDeps): ImportBootstrap {
  const addCredential = async (kind: CredentialKind, tenant: string, owner: string, credential: string) => {
    const name = parseCredential(credential);
    if (name?.kind !== kind) throw new Error(`bootstrap file is not usable: a ${kind} of ${owner} is malformed`);
    const stored = await credentials.addIfAbsent({ id: name.id, kind, tenant, owner, hash: hasher.hash(credential) });
    if (!hasher.matches(credential, stored.hash)) {
      throw new Error(
        `credential ${name.id} is stored with another hash: AUTH_PEPPER_FILE is not the one of this store`,
      );
    }
  };
  const addTenant = async ({ tenant, apiKey, clientId, clientSecret, agents: partners }: BootstrapTenant) => {
    await Promise.all([
      clients.addIfAbsent({ id: clientId, tenant, scopes }),
      addCredential("key", tenant, tenant, apiKey),
      addCredential("secret", tenant, clientId, clientSecret),
      ...partners.map(({ agentId, status }) => agents.addIfAbsent({ id: agentId, tenant, status })),
      ...partners.map(({ agentId, apiKey: agentKey }) => addCredential("agent", tenant, agentId, agentKey)),
    ]);
  };
  return async (tenants) => {
    await Promise.all(tenants.map(addTenant));
  };
}

import type { Profile } from "../../shared/config";
import { DomainError } from "../../shared/errors";
import { allowsAddress, makeNetworks } from "../../shared/networks";
import type { AgentStore } from "../store/agent-store";
import type { TenantStore } from "../store/tenant-store";
import type { FindHolder } from "./find-holder";

export interface AuthenticateKeyDeps {
  findHolder: FindHolder;
  tenants: Pick<TenantStore, "find">;
  agents: Pick<AgentStore, "find">;
  env: Profile;
}

export interface PresentedKeys {
  apiKey: string;
  agentId: string | undefined;
  agentApiKey: string | undefined;
  address: string;
}

export interface Caller {
  tenant: string;
  agentId: string | undefined;
}

export type AuthenticateKey = (keys: PresentedKeys) => Promise<Caller>;

/** Tells who calls. The address is judged first, then the tenant's key: without it nothing is said about agents. */
export const makeAuthenticateKey =
  (deps: AuthenticateKeyDeps): AuthenticateKey =>
  async ({ apiKey, agentId, agentApiKey, address }) => {
    const { claimed, holder } = await deps.findHolder("key", apiKey);
    const tenant = await deps.tenants.find(claimed?.tenant ?? "");
    if (tenant !== undefined && !allowsAddress(deps.env, tenant.allowlist, makeNetworks(tenant.allowlist), address)) {
      throw new DomainError("ADDRESS_REFUSED", "calls from this address are not allowed");
    }
    if (holder === undefined || tenant === undefined || tenant.isDisabled) {
      throw new DomainError("UNAUTHENTICATED", "x-api-key is not valid");
    }
    if (agentId === undefined && agentApiKey === undefined) return { tenant: tenant.slug, agentId: undefined };
    const { holder: agentKey } = await deps.findHolder("agent", agentApiKey ?? "");
    const isOwn = agentKey?.tenant === tenant.slug && agentKey.owner === agentId;
    const agent = isOwn ? await deps.agents.find(tenant.slug, agentKey.owner) : undefined;
    if (agent?.status !== "ACTIVE") {
      throw new DomainError("AGENT_REFUSED", "agent credentials are not valid or the agent is not approved");
    }
    return { tenant: tenant.slug, agentId: agent.id };
  };

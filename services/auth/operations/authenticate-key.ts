import { DomainError } from "../../shared/errors";
import type { AgentStore } from "../store/agent-store";
import type { FindHolder } from "./find-holder";

export interface AuthenticateKeyDeps {
  findHolder: FindHolder;
  agents: Pick<AgentStore, "find">;
}

export interface PresentedKeys {
  apiKey: string;
  agentId: string | undefined;
  agentApiKey: string | undefined;
}

export interface Caller {
  tenant: string;
  agentId: string | undefined;
}

export type AuthenticateKey = (keys: PresentedKeys) => Promise<Caller>;

/** Tells who calls. The tenant's key is judged first: without it nothing is said about agents. */
export const makeAuthenticateKey =
  (deps: AuthenticateKeyDeps): AuthenticateKey =>
  async ({ apiKey, agentId, agentApiKey }) => {
    const tenantKey = await deps.findHolder("key", apiKey);
    if (tenantKey === undefined) throw new DomainError("UNAUTHENTICATED", "x-api-key is not valid");
    const { tenant } = tenantKey;
    if (agentId === undefined && agentApiKey === undefined) return { tenant, agentId: undefined };
    const agentKey = await deps.findHolder("agent", agentApiKey ?? "");
    const isOwn = agentKey?.tenant === tenant && agentKey.owner === agentId;
    const agent = isOwn ? await deps.agents.find(agentKey.owner) : undefined;
    if (agent?.status !== "ACTIVE") {
      throw new DomainError("AGENT_REFUSED", "agent credentials are not valid or the agent is not approved");
    }
    return { tenant, agentId: agent.id };
  };

import { DomainError } from "../../shared/kernel/errors";
import { moveAgent } from "../domain/agent";
import type { Agent } from "../domain/directory";
import type { AgentStore } from "../store/agent-store";

export interface ChangeAgentStatusDeps {
  agents: Pick<AgentStore, "find" | "save">;
}

export interface AgentMove {
  tenant: string;
  agentId: string;
  status: string;
}

/** Moves an agent; repeating it changes nothing. Throws RECORD_NOT_FOUND, RECORD_CONFLICT and VERSION_CONFLICT. */
export type ChangeAgentStatus = (move: AgentMove) => Promise<Agent>;

export const makeChangeAgentStatus =
  ({ agents }: ChangeAgentStatusDeps): ChangeAgentStatus =>
  async ({ tenant, agentId, status }) => {
    const agent = await agents.find(tenant, agentId);
    if (agent === undefined) throw new DomainError("RECORD_NOT_FOUND", "the tenant has no such agent");
    const next = moveAgent(agent, status);
    if (next === agent || (await agents.save(next))) return next;
    throw new DomainError("VERSION_CONFLICT", "the agent was changed meanwhile");
  };

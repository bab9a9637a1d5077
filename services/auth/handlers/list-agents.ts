import type { ListAgentsRequest, ListAgentsResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import { invalid } from "../../shared/kernel/errors";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import { type AgentStatus, agentStatuses } from "../domain/directory";
import type { AgentStore } from "../store/agent-store";
import { encodeAgent } from "./codec";

const maxLimit = 200;

/** A read without a decision: straight from the store. */
export const listAgentsHandler =
  (agents: Pick<AgentStore, "list">) =>
  async (request: ListAgentsRequest): Promise<ListAgentsResponse> => {
    const { tenant, after, limit } = request;
    const status = decodeStatus(request.status);
    const list = listName("agents", { tenant }, { status });
    const { rows, next } = await agents.list(tenant, status, {
      after: after === undefined ? undefined : readListCursor(list, after),
      limit: Math.min(Math.max(limit, 1), maxLimit),
    });
    return { agents: rows.map(encodeAgent), next: next && writeListCursor(list, next) };
  };

function decodeStatus(word: string | undefined): AgentStatus | undefined {
  const status = agentStatuses.find((known) => known === word);
  if (word === undefined || status !== undefined) return status;
  throw invalid([{ field: "status", message: `must be one of ${agentStatuses.join(", ")}` }]);
}

import type { ListAgentsRequest, ListAgentsResponse } from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { AgentStore } from "../store/agent-store";
import { encodeAgent } from "./codec";

export const listAgentsHandler =
  (agents: Pick<AgentStore, "ofTenant">) =>
  async ({ tenant }: ListAgentsRequest): Promise<ListAgentsResponse> => ({
    agents: (await agents.ofTenant(tenant)).map(encodeAgent),
  });

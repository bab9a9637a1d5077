import type {
  ChangeAgentStatusRequest,
  ChangeAgentStatusResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { ChangeAgentStatus } from "../operations/change-agent-status";
import { encodeAgent } from "./codec";

export const changeAgentStatusHandler =
  (changeAgentStatus: ChangeAgentStatus) =>
  async ({ tenant, agentId, status }: ChangeAgentStatusRequest): Promise<ChangeAgentStatusResponse> => ({
    agent: encodeAgent(await changeAgentStatus({ tenant, agentId, status })),
  });

import type { CreateAgentRequest, CreateAgentResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { CreateAgent } from "../operations/create-agent";
import { encodeAgent } from "./codec";

export const createAgentHandler =
  (createAgent: CreateAgent) =>
  async ({ tenant, email, businessName, externalId }: CreateAgentRequest): Promise<CreateAgentResponse> => {
    const { agent, apiKey } = await createAgent({ tenant, email, businessName, externalId });
    return { agent: encodeAgent(agent), apiKey };
  };

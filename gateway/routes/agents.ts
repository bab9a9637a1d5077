import type { Agent } from "../../proto/gen/corridor/auth/v1/directory_service";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, described, externalId, instant, oneOf, orNull, text } from "../contract/parts";
import type { Schema } from "../contract/schema";
import type { Route } from "../route";

const agentRequest = {
  title: "AgentRequest",
  type: "object",
  description: "An agent that a tenant adds.",
  properties: {
    email: {
      type: "string",
      description: "How to reach it.",
      pattern: "^[^\\s@]+@[^\\s@]+\\.[^\\s@.]+$",
      maxLength: 254,
      rule: "must be an e-mail address",
      examples: ["partner@example.com"],
    },
    businessName: {
      type: "string",
      description: "Its name.",
      pattern: "\\S",
      maxLength: 140,
      rule: "must have 1 to 140 characters",
    },
    externalId: described(externalId, "The tenant's own name for it; each once."),
  },
  required: ["email", "businessName"],
  additionalProperties: false,
} as const satisfies Schema;

const agentAnswer = answer("NewAgent", "An agent with its key.", {
  id: { ...text("Id of the agent: x-agent-id."), format: "uuid" },
  email: text("How to reach it."),
  businessName: text("Its name."),
  externalId: orNull(text("The tenant's own name for it.")),
  status: oneOf("A new agent waits for approval.", ["PENDING_APPROVAL"]),
  createdAt: instant("When it was added."),
  apiKey: text("The agent's key, shown only here: x-agent-api-key."),
});

export const agentRoutes = ({ auth }: Pick<Upstreams, "auth">): readonly Route[] => [
  defineRoute({
    method: "POST",
    path: "/organizations/{tenant}/agents",
    scheme: "tenant",
    scope: "agents",
    isPrivileged: true,
    limit: "agentCreation",
    summary: "Add an agent; it can act once it is approved.",
    tag: "Agents",
    params: { tenant: "Slug of the caller's own tenant." },
    request: agentRequest,
    response: { status: 200, description: "The new agent and its key.", schema: agentAnswer },
    refusals: ["AGENT_NOT_FOUND", "AGENT_EXISTS"],
    admit({ tenant, params }) {
      if (params.tenant !== tenant) throw new DomainError("AGENT_NOT_FOUND", "there is no such agent");
    },
    async handle({ tenant, body }) {
      const { agent, apiKey } = await auth.createAgent({ tenant, ...body });
      return renderAgent(agent, apiKey);
    },
  }),
];

function renderAgent(agent: Agent | undefined, apiKey: string): Answered<typeof agentAnswer> {
  if (agent?.createdAt === undefined) throw new Error("the auth service sent no agent");
  const { id, email, businessName, externalId: ownName = null, status, createdAt } = agent;
  if (status !== "PENDING_APPROVAL") throw new Error("a new agent has another status");
  return { id, email, businessName, externalId: ownName, status, createdAt, apiKey };
}

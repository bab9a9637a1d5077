import type { Agent } from "../../proto/gen/corridor/auth/v1/directory_service";
import { DomainError } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  described,
  externalId,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  pageOrText,
  text,
} from "../contract/parts";
import type { Schema } from "../contract/schema";
import { columnsOf, type SendList } from "../csv";
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

export const agentStatuses = ["PENDING_APPROVAL", "ACTIVE", "REJECTED", "SUSPENDED", "CLOSED"] as const;

const agentQuery = closedQuery("Which agents are meant.", {
  status: oneOf("Only in this state.", agentStatuses),
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most agents of a page."), minimum: 1, maximum: 200, default: 25 },
});

const listedAgent = answer("ListedAgent", "An agent.", {
  id: { ...text("Id of the agent: x-agent-id."), format: "uuid" },
  email: text("How to reach it."),
  businessName: text("Its name."),
  externalId: orNull(text("The tenant's own name for it.")),
  status: oneOf("Only an active one can act.", agentStatuses),
  createdAt: instant("When it was added."),
});

const agentPage = answer("AgentPage", "A page of agents.", {
  agents: listOf("The newest first.", listedAgent),
  next: orNull(text("`after` of the next page; null on the last. A page with few agents, or none, may have it.")),
});

const path = "/organizations/{tenant}/agents";
const common = {
  path,
  scheme: "tenant",
  scope: "agents",
  tag: "Agents",
  params: { tenant: "Slug of the caller's own tenant." },
  admit({ tenant, params }: { tenant: string; params: { tenant: string } }): void {
    if (params.tenant !== tenant) throw new DomainError("AGENT_NOT_FOUND", "there is no such agent");
  },
} as const;

export const agentRoutes = ({ auth, sendList }: Pick<Upstreams, "auth"> & { sendList: SendList }): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    summary: "List the tenant's agents, the newest first.",
    query: agentQuery,
    response: pageOrText(agentPage, "the newest first"),
    refusals: ["AGENT_NOT_FOUND", "INVALID_ARGUMENT"],
    async handle({ tenant, headers, query }) {
      return sendList({
        holder: tenant,
        headers,
        name: "agents",
        columns: columnsOf(Object.keys(listedAgent.properties)),
        query,
        async read(page) {
          const { agents, next } = await auth.listAgents({ tenant, status: query.status, ...page });
          return { items: agents.map(renderListed), next };
        },
        render: ({ items, next }) => ({ agents: items, next: next ?? null }),
      });
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    isPrivileged: true,
    limit: "agentCreation",
    summary: "Add an agent; it can act once it is approved.",
    request: agentRequest,
    response: { status: 200, description: "The new agent and its key.", schema: agentAnswer },
    refusals: ["AGENT_NOT_FOUND", "AGENT_EXISTS"],
    async handle({ tenant, body }) {
      const { agent, apiKey } = await auth.createAgent({ tenant, ...body });
      return renderAgent(agent, apiKey);
    },
  }),
];

function renderListed({ id, email, businessName, externalId: ownName, status, createdAt }: Agent) {
  if (createdAt === undefined) throw new Error("the auth service sent an agent without its time");
  const known = knownWord(agentStatuses, status);
  return { id, email, businessName, externalId: ownName ?? null, status: known, createdAt };
}

function renderAgent(agent: Agent | undefined, apiKey: string): Answered<typeof agentAnswer> {
  if (agent?.createdAt === undefined) throw new Error("the auth service sent no agent");
  const { id, email, businessName, externalId: ownName = null, status, createdAt } = agent;
  if (status !== "PENDING_APPROVAL") throw new Error("a new agent has another status");
  return { id, email, businessName, externalId: ownName, status, createdAt, apiKey };
}

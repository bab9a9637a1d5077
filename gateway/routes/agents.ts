import type { Agent } from "../../proto/gen/corridor/auth/v1/directory_service";
import { DomainError } from "../../services/shared/errors";
import type { JsonObject } from "../../services/shared/json";
import type { Upstreams } from "../clients";
import { jsonAnswer, type Route, readJson, requireParam, type TenantCall } from "../route";
import {
  enumSchema,
  externalIdField,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";

const agentSchema = objectSchema({
  id: textSchema("Id of the agent: x-agent-id.", { format: "uuid" }),
  email: textSchema("How to reach it."),
  businessName: textSchema("Its name."),
  externalId: nullable(textSchema("The tenant's own name for it.")),
  status: enumSchema("A new agent waits for approval.", ["PENDING_APPROVAL"]),
  createdAt: instantSchema("When it was added."),
  apiKey: textSchema("The agent's key, shown only here: x-agent-api-key."),
});

export function agentRoutes({ auth }: Pick<Upstreams, "auth">): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/organizations/{tenant}/agents",
      scheme: "tenant",
      scope: "agents",
      isPrivileged: true,
      limit: "agentCreation",
      summary: "Add an agent; it can act once it is approved.",
      tag: "Agents",
      body: "json",
      params: { tenant: "Slug of the caller's own tenant." },
      requestSchema: objectSchema(
        {
          email: textSchema("How to reach it.", { format: "email", maxLength: 254 }),
          businessName: textSchema("Its name.", { minLength: 1, maxLength: 140 }),
          externalId: externalIdField("The tenant's own name for it; each once."),
        },
        ["externalId"],
      ),
      success: { status: 200, description: "The new agent and its key.", schema: agentSchema },
      refusals: ["AGENT_NOT_FOUND", "AGENT_EXISTS"],
      async handle(call: TenantCall) {
        const { tenant } = call;
        if (requireParam(call, "tenant") !== tenant) throw new DomainError("AGENT_NOT_FOUND", "there is no such agent");
        const { agent, apiKey } = await auth.createAgent({ tenant, ...readAgent(readJson(call).value) });
        return jsonAnswer(renderAgent(agent, apiKey));
      },
    },
  ];
}

/** What is missing or no text is handed on as empty: the auth service says what is wrong of all fields at once. */
function readAgent({ email, businessName, externalId }: JsonObject) {
  const given = externalId === undefined ? {} : { externalId: textOf(externalId) };
  return { email: textOf(email), businessName: textOf(businessName), ...given };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function renderAgent(agent: Agent | undefined, apiKey: string): object {
  if (agent?.createdAt === undefined) throw new Error("the auth service sent no agent");
  const { id, email, businessName, externalId, status, createdAt } = agent;
  return {
    id,
    email,
    businessName,
    externalId: externalId ?? null,
    status,
    createdAt: createdAt.toISOString(),
    apiKey,
  };
}

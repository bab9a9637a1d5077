import type { Agent } from "../../proto/gen/corridor/auth/v1/directory_service";
import { DomainError } from "../../services/shared/errors";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, type Route, readJson, requireParam, type TenantCall } from "../route";
import { enumSchema, instantSchema, nullable, objectSchema, textSchema } from "../schemas/document-schema";

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
          externalId: textSchema("The tenant's own name for it; each once.", { pattern: "^[A-Za-z0-9._:-]{1,255}$" }),
        },
        ["externalId"],
      ),
      success: { status: 200, description: "The new agent and its key.", schema: agentSchema },
      refusals: ["AGENT_NOT_FOUND", "AGENT_EXISTS"],
      async handle(call: TenantCall) {
        const { tenant } = call;
        if (requireParam(call, "tenant") !== tenant) throw new DomainError("AGENT_NOT_FOUND", "there is no such agent");
        const fields = readFields(readJson(call).value);
        const email = fields.text("email");
        const businessName = fields.text("businessName");
        const externalId = fields.optionalText("externalId");
        fields.finish();
        const { agent, apiKey } = await auth.createAgent({ tenant, email, businessName, externalId });
        return jsonAnswer(renderAgent(agent, apiKey));
      },
    },
  ];
}

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

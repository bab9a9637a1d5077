import { fieldsOf, type Telling } from "./event";

/** An agent as it was created. */
export interface AgentFacts {
  tenant: string;
  agentId: string;
  email: string;
  businessName: string;
  externalId: string | null;
  status: string;
  createdAt: Date;
}

/** What subscriptions are told of a new agent, fields as the specification lists them. */
export const tellAgentCreated = ({ tenant, agentId: id, email, businessName, ...facts }: AgentFacts): Telling => ({
  name: "AgentUpdatedEvents",
  fields: fieldsOf({
    id,
    before: null,
    after: {
      id,
      email,
      businessName,
      externalId: facts.externalId,
      status: facts.status,
      createdAt: facts.createdAt.toISOString(),
    },
    tenantId: tenant,
    version: 1,
  }),
});

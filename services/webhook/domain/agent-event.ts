import { fieldsOf, type Notification } from "./event";

/** A new agent. */
export interface AgentFacts {
  tenant: string;
  agentId: string;
  email: string;
  businessName: string;
  externalId: string | null;
  status: string;
  createdAt: Date;
}

/** The notification of a new agent; fields in the order of the specification. */
export const agentCreatedNotification = ({
  tenant,
  agentId: id,
  email,
  businessName,
  ...facts
}: AgentFacts): Notification => ({
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

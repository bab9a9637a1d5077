import { AgentEvents } from "../../../proto/gen/corridor/auth/v1/agent_events";
import { derivedUuid } from "../../shared/kernel/ids";
import type { EventfulAgent } from "../store/agent-store";

/** Encodes an agent as it was created: with its first status, whatever its status is now. */
export function encodeAgentCreated({ agent, eventAt, traceparent = "" }: EventfulAgent): Uint8Array {
  const { id, tenant, email, businessName, externalId, createdAt } = agent;
  const created = { email, businessName, externalId, status: "PENDING_APPROVAL", createdAt };
  return AgentEvents.encode({
    tenant,
    agentId: id,
    events: [
      {
        eventId: derivedUuid("agent-event", id, "1"),
        sequence: 1,
        occurredAt: eventAt,
        traceparent,
        change: { $case: "created", value: created },
      },
    ],
  }).finish();
}

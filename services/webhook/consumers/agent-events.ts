import { AgentEvents } from "../../../proto/gen/corridor/auth/v1/agent_events";
import { agentCreatedNotification } from "../domain/agent-event";
import type { SubjectEvents } from "../domain/handled";
import { sequencedEvent } from "./sequenced-event";

/** Reads a message of subject corridor.auth.agents. Throws when a required part is missing. */
export function decodeAgentEvents(payload: Uint8Array): Omit<SubjectEvents, "stream"> {
  const { tenant, agentId, events } = AgentEvents.decode(payload);
  if (tenant === "" || agentId === "" || events.length === 0) throw new Error("the message names no agent or event");
  return {
    subject: { tenant, id: agentId },
    events: events.map((event) =>
      sequencedEvent(event, () => {
        if (event.change === undefined) throw new Error("an event lacks its change");
        const { email, businessName, externalId, status, createdAt } = event.change.value;
        if (createdAt === undefined) throw new Error("a new agent lacks its time");
        return agentCreatedNotification({
          tenant,
          agentId,
          email,
          businessName,
          externalId: externalId ?? null,
          status,
          createdAt,
        });
      }),
    ),
  };
}

import type { OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import type { AgentStore, EventfulAgent } from "./agent-store";

/** The creation of one agent as a message. */
export interface AgentMessage extends OutboxMessage {
  event: EventfulAgent;
}

/** Turns the creation of an agent into the bytes that are published. */
export type EncodeAgentEvent = (event: EventfulAgent) => Uint8Array;

/** The agents' events as an outbox: each is in its agent's own document, with which it was stored. */
export function makeAgentOutbox(
  agents: Pick<AgentStore, "unpublished" | "markPublished" | "createdSince">,
  subject: string,
  encode: EncodeAgentEvent,
): OutboxSource<AgentMessage> {
  const toMessage = (event: EventfulAgent): AgentMessage => ({
    id: `${event.agent.id}:1`,
    subject,
    payload: encode(event),
    traceparent: event.traceparent,
    committedAt: event.eventAt,
    event,
  });
  return {
    async pending(limit, after) {
      return (await agents.unpublished(limit, after?.event)).map(toMessage);
    },
    markPublished: (messages) => agents.markPublished(messages.map(({ event }) => event.agent.id)),
    async *since(from) {
      for await (const event of agents.createdSince(from)) yield toMessage(event);
    },
  };
}

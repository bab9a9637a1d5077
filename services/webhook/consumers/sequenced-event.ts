import type { Notification, SequencedEvent } from "../domain/event";

/** The fields that the events of every producer share. */
interface EventMessage {
  eventId: string;
  sequence: number;
  occurredAt: Date | undefined;
  traceparent: string;
}

/** Reads the common part of an event. Throws when a required part is missing. */
export function sequencedEvent(
  message: EventMessage,
  tell: (occurredAt: Date) => Notification | undefined,
): SequencedEvent {
  const { eventId, sequence, occurredAt, traceparent } = message;
  if (eventId === "" || sequence < 1 || occurredAt === undefined) {
    throw new Error("an event lacks its id, place or time");
  }
  return {
    id: eventId,
    sequence,
    occurredAt,
    traceparent: traceparent === "" ? undefined : traceparent,
    notification: tell(occurredAt),
  };
}

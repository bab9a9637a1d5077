import type { FieldViolation } from "../../shared/kernel/errors";

/** The events of the specification, in its own spelling. */
export const eventNames = [
  "TransactionStatusChanged",
  "TransactionComplianceStatusChangedEvent",
  "TransactionPayoutStatusChanged",
  "DocumentUpdatedEvents",
  "AgentUpdatedEvents",
] as const;

export type EventName = (typeof eventNames)[number];

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Every rule that a list of event names breaks, one field per wrong name. */
export function eventListViolations(names: readonly string[]): FieldViolation[] {
  if (names.length === 0)
    return [{ field: "events", message: "is required and must be a list that names at least one event" }];
  if (names.length > 50) return [{ field: "events", message: "must name at most 50 events" }];
  return names.flatMap((name, index) => {
    const field = `events.${index}`;
    if (!eventNames.some((known) => sameName(known, name))) {
      return [{ field, message: `must be one of ${eventNames.join(", ")}` }];
    }
    const isRepeat = names.slice(0, index).some((earlier) => sameName(earlier, name));
    return isRepeat ? [{ field, message: "must not name an event twice" }] : [];
  });
}

/** Returns a subscription's spelling of an event; undefined when it does not want the event. */
export const registeredSpelling = (registered: readonly string[], event: EventName): string | undefined =>
  registered.find((name) => sameName(name, event));

import type { SequencedEvent } from "./event";

/**
 * A restore of the stores to an earlier time. Events between that time and the restore may have been delivered and are
 * unknown here; events after it get ids and numbers that no receiver can have seen.
 */
export interface Restore {
  /** Minutes from the beginning of 2026 to the restore; unique, even when one restore undoes another. */
  minute: number;
  /** All restored events happened by then, and all new ones happen later. */
  at: Date;
}

const beginMs = Date.UTC(2026, 0);
const minuteMs = 60_000;
/** More than one subject, and one tenant, can have in a minute. */
const [numbersPerMinute, positionsPerMinute] = [100, 1_000_000];

export const minuteOf = (at: Date): number => Math.ceil((at.getTime() - beginMs) / minuteMs);

/** The event as it is delivered: one after a restore gets a new id and number. */
export function renumbered<E extends SequencedEvent>(restores: readonly Restore[], event: E): E {
  const restore = restores.findLast(({ at }) => event.occurredAt > at);
  if (restore === undefined) return event;
  const { minute } = restore;
  return { ...event, id: `${event.id}.r${minute}`, sequence: event.sequence + minute * numbersPerMinute };
}

/** Feed positions up to this one may have been used before the newest restore. */
export const positionFloor = (restores: readonly Restore[]): number =>
  (restores.at(-1)?.minute ?? 0) * positionsPerMinute;

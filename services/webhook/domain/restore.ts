import type { PlacedEvent } from "./event";

/**
 * The stores were brought back to an earlier time. What happened between that time and the restore was told, perhaps, and is
 * forgotten here; what happens since gets ids and numbers that nobody can have seen.
 */
export interface Restore {
  /** Minutes from the beginning of 2026 to the restore: no two have the same, also when one forgets another. */
  minute: number;
  /** Everything that was brought back happened by then, and everything new happens later. */
  at: Date;
}

const beginMs = Date.UTC(2026, 0);
const minuteMs = 60_000;
/** More than the events of one subject, and of one tenant, in a minute. */
const [numbersPerMinute, positionsPerMinute] = [100, 1_000_000];

export const minuteOf = (at: Date): number => Math.ceil((at.getTime() - beginMs) / minuteMs);

/** The event as it is told: what happened after a restore by an id and a number of its own. */
export function renumbered<E extends PlacedEvent>(restores: readonly Restore[], event: E): E {
  const restore = restores.findLast(({ at }) => event.occurredAt > at);
  if (restore === undefined) return event;
  const { minute } = restore;
  return { ...event, id: `${event.id}.r${minute}`, sequence: event.sequence + minute * numbersPerMinute };
}

/** Positions of feeds up to this one may have been told before the newest restore. */
export const positionFloor = (restores: readonly Restore[]): number =>
  (restores.at(-1)?.minute ?? 0) * positionsPerMinute;

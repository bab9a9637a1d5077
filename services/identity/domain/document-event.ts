import { plusMs } from "../../shared/kernel/clock";

/** Statuses of a document that tenants are notified of. */
export const documentEventStatuses = [
  "PENDING",
  "VERIFIED",
  "REJECTED",
  "SUPERSEDED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
] as const;
export type DocumentEventStatus = (typeof documentEventStatuses)[number];

/** A notification about a document: one status that it has reached. */
export interface DocumentEvent<S extends DocumentEventStatus = DocumentEventStatus> {
  /** 1, 2, 3 and so on. */
  sequence: number;
  status: S;
  occurredAt: Date;
}

/**
 * Returns when a provider decided, never before its work began and never in the future: its clock may be wrong by years, and it is asked
 * whether it decides again for a time that counts from its decision.
 */
export function timeOf({ occurredAt }: { occurredAt: Date }, begunAt: Date, now: Date): Date {
  if (occurredAt > now) return now;
  return occurredAt < begunAt ? begunAt : occurredAt;
}

const outranksPending: ReadonlySet<DocumentEventStatus> = new Set(["VERIFIED", "REJECTED", "SUPERSEDED"]);

/**
 * Returns the events with one more. Receivers see times in whole seconds and take the latest event; within a second they prefer a decision
 * to PENDING and otherwise keep what they have. So an event gets a second of its own, unless it outranks the PENDING that it follows.
 */
export function addDocumentEvent<S extends DocumentEventStatus>(
  events: readonly DocumentEvent<S>[],
  status: S,
  at: Date,
): DocumentEvent<S>[] {
  const last = events.at(-1);
  const second = last === undefined ? 0 : Math.floor(last.occurredAt.getTime() / 1_000) * 1_000;
  const mayShare = last === undefined || (last.status === "PENDING" && outranksPending.has(status));
  const earliest = mayShare ? second : second + 1_000;
  const occurredAt = plusMs(at, Math.max(0, earliest - at.getTime()));
  return [...events, { sequence: events.length + 1, status, occurredAt }];
}

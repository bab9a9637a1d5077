import type { SessionStatus } from "../../../services/identity/domain/session";

/** What a session can meet: a report of the vendor, a newer session of its document, the end of its page's day. */
const happenings = [
  "OPEN",
  "IN_REVIEW",
  "VERIFIED",
  "REJECTED",
  "FAILED",
  "ERRORED",
  "EXPIRED",
  "newer",
  "day",
] as const;
export type Happening = (typeof happenings)[number];

const still = (status: SessionStatus): Record<Happening, SessionStatus> =>
  Object.fromEntries(happenings.map((one) => [one, status])) as Record<Happening, SessionStatus>;

/** By status and by what happens: the status after it. Written by hand from the specification. */
export const sessionGraph: Record<SessionStatus, Record<Happening, SessionStatus>> = {
  CAPTURING: {
    OPEN: "CAPTURING",
    IN_REVIEW: "PENDING",
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    FAILED: "FAILED",
    ERRORED: "ERRORED",
    EXPIRED: "EXPIRED",
    newer: "SUPERSEDED",
    day: "EXPIRED",
  },
  PENDING: {
    ...still("PENDING"),
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    ERRORED: "ERRORED",
    newer: "SUPERSEDED",
  },
  VERIFIED: { ...still("VERIFIED"), REJECTED: "REJECTED" },
  REJECTED: { ...still("REJECTED"), VERIFIED: "VERIFIED" },
  SUPERSEDED: still("SUPERSEDED"),
  FAILED: still("FAILED"),
  ERRORED: still("ERRORED"),
  EXPIRED: still("EXPIRED"),
};

export const sessionCells = Object.entries(sessionGraph).flatMap(([from, row]) =>
  Object.entries(row).map(([what, to]) => [from as SessionStatus, what as Happening, to] as const),
);

import { plusMs } from "../../shared/clock";
import {
  lapsed,
  moved,
  nextAsk,
  reported,
  type Session,
  type SessionReport,
  type SessionStatus,
  superseded,
} from "./session";

const at = new Date("2026-03-04T05:06:07.890Z");
const later = (ms: number): Date => plusMs(at, ms);
const day = 24 * 60 * 60 * 1_000;

const session = (status: SessionStatus, changes: Partial<Session> = {}): Session => ({
  id: "id",
  tenant: "demo",
  facts: { userRef: "u", documentTypes: ["PASSPORT"], url: "" },
  documentType: "PASSPORT",
  entityId: "entity",
  personId: undefined,
  claim: "claim",
  status,
  attempts: 0,
  revision: 1,
  decision: undefined,
  events: [],
  version: 1,
  createdAt: at,
  updatedAt: at,
  expiresAt: later(day),
  dueAt: at,
  ...changes,
});
const report = (status: SessionReport["status"], changes: Partial<SessionReport> = {}): SessionReport => ({
  sessionId: "id",
  status,
  attempts: 1,
  revision: 2,
  reasonCode: undefined,
  occurredAt: later(5),
  ...changes,
});

/** By status and by what happens: the status after it. Written by hand from the specification. */
const graph: Record<SessionStatus, Record<string, SessionStatus>> = {
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
    OPEN: "PENDING",
    IN_REVIEW: "PENDING",
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    FAILED: "PENDING",
    ERRORED: "ERRORED",
    EXPIRED: "PENDING",
    newer: "SUPERSEDED",
    day: "PENDING",
  },
  VERIFIED: {
    OPEN: "VERIFIED",
    IN_REVIEW: "VERIFIED",
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    FAILED: "VERIFIED",
    ERRORED: "VERIFIED",
    EXPIRED: "VERIFIED",
    newer: "VERIFIED",
    day: "VERIFIED",
  },
  REJECTED: {
    OPEN: "REJECTED",
    IN_REVIEW: "REJECTED",
    VERIFIED: "VERIFIED",
    REJECTED: "REJECTED",
    FAILED: "REJECTED",
    ERRORED: "REJECTED",
    EXPIRED: "REJECTED",
    newer: "REJECTED",
    day: "REJECTED",
  },
  SUPERSEDED: {
    OPEN: "SUPERSEDED",
    IN_REVIEW: "SUPERSEDED",
    VERIFIED: "SUPERSEDED",
    REJECTED: "SUPERSEDED",
    FAILED: "SUPERSEDED",
    ERRORED: "SUPERSEDED",
    EXPIRED: "SUPERSEDED",
    newer: "SUPERSEDED",
    day: "SUPERSEDED",
  },
  FAILED: {
    OPEN: "FAILED",
    IN_REVIEW: "FAILED",
    VERIFIED: "FAILED",
    REJECTED: "FAILED",
    FAILED: "FAILED",
    ERRORED: "FAILED",
    EXPIRED: "FAILED",
    newer: "FAILED",
    day: "FAILED",
  },
  ERRORED: {
    OPEN: "ERRORED",
    IN_REVIEW: "ERRORED",
    VERIFIED: "ERRORED",
    REJECTED: "ERRORED",
    FAILED: "ERRORED",
    ERRORED: "ERRORED",
    EXPIRED: "ERRORED",
    newer: "ERRORED",
    day: "ERRORED",
  },
  EXPIRED: {
    OPEN: "EXPIRED",
    IN_REVIEW: "EXPIRED",
    VERIFIED: "EXPIRED",
    REJECTED: "EXPIRED",
    FAILED: "EXPIRED",
    ERRORED: "EXPIRED",
    EXPIRED: "EXPIRED",
    newer: "EXPIRED",
    day: "EXPIRED",
  },
};
const happen = (before: Session, what: string): Session => {
  if (what === "newer") return superseded(before, later(10));
  if (what === "day") return lapsed(before, later(day));
  return reported(before, report(what as SessionReport["status"]), later(10));
};
const cases = Object.entries(graph).flatMap(([from, row]) =>
  Object.entries(row).map(([what, to]) => [from as SessionStatus, what, to] as const),
);

describe("a session", () => {
  it.each(cases)("that is %s and meets %s is %s, with an event if that is news", (from, what, to) => {
    const after = happen(session(from), what);

    expect(after.status).toBe(to);
    expect(after.events.map(({ status }) => status)).toEqual(from === to ? [] : [to]);
    expect(after.dueAt === undefined).toBe(from !== to && to !== "PENDING");
  });

  it("takes no report twice, and none that is older than the last", () => {
    const verified = reported(session("CAPTURING"), report("VERIFIED", { revision: 5 }), later(10));

    expect(reported(verified, report("REJECTED", { revision: 5 }), later(20))).toBe(verified);
    expect(reported(verified, report("REJECTED", { revision: 4 }), later(20))).toBe(verified);
    expect(reported(verified, report("REJECTED", { revision: 6 }), later(20)).status).toBe("REJECTED");
  });

  it("fails with the third capture that could not be used", () => {
    let next = session("CAPTURING", { revision: 0 });
    const seen = [1, 2, 3].map((attempts) => {
      next = reported(next, report("OPEN", { attempts, revision: attempts }), later(10));
      return [next.attempts, next.status];
    });

    expect(seen).toEqual([
      [1, "CAPTURING"],
      [2, "CAPTURING"],
      [3, "FAILED"],
    ]);
  });

  it("keeps the last decision with its reason and its time, never one of the future", () => {
    const rejected = reported(
      session("PENDING"),
      report("REJECTED", { reasonCode: "BLURRED", occurredAt: later(99_000) }),
      later(10),
    );
    expect(rejected.decision).toEqual({ status: "REJECTED", reasonCode: "BLURRED", decidedAt: later(10) });

    const verified = reported(rejected, report("VERIFIED", { revision: 3 }), later(20));
    expect(verified.decision).toEqual({ status: "VERIFIED", reasonCode: undefined, decidedAt: later(5) });
  });

  it("lapses at the end of its day and not before", () => {
    expect(lapsed(session("CAPTURING"), later(day - 1)).status).toBe("CAPTURING");
    expect(lapsed(session("CAPTURING"), later(day)).events).toEqual([
      { sequence: 1, status: "EXPIRED", occurredAt: later(day) },
    ]);
  });

  it("gives an event a second of its own unless receivers prefer it to PENDING", () => {
    const seconds = (statuses: ("PENDING" | "VERIFIED" | "REJECTED" | "ERRORED")[]): number[] => {
      const end = statuses.reduce((before, status) => moved(before, status, at), session("CAPTURING"));
      return end.events.map(
        ({ occurredAt }) => Math.floor(occurredAt.getTime() / 1_000) - Math.floor(at.getTime() / 1_000),
      );
    };

    expect(seconds(["PENDING", "VERIFIED", "REJECTED", "VERIFIED"])).toEqual([0, 0, 1, 2]);
    expect(seconds(["PENDING", "ERRORED"])).toEqual([0, 1]);
  });

  it("is asked about ever more rarely, and when its page closes", () => {
    const asked = (ageMs: number): number =>
      nextAsk(session("CAPTURING"), later(ageMs)).getTime() - later(ageMs).getTime();

    expect([0, 10_000, 3_600_000, day - 60_000, day].map(asked)).toEqual([2_000, 10_000, 900_000, 60_000, 900_000]);
  });
});

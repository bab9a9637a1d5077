import fc from "fast-check";
import { happenings, sessionCells, sessionGraph } from "../../../test/data/sessions/graph";
import { differences } from "../../../test/data/transition-table";
import { plusMs } from "../../shared/kernel/clock";
import * as domain from "./session";
import {
  lapsed,
  moved,
  nextAsk,
  reported,
  type Session,
  type SessionReport,
  type SessionStatus,
  sessionStatuses,
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

const happen = (before: Session, what: string): Session => {
  if (what === "newer") return superseded(before, later(10));
  if (what === "day") return lapsed(before, later(day));
  return reported(before, report(what as SessionReport["status"]), later(10));
};
describe("a session", () => {
  it("stays open to another decision for the whole time when the vendor's clock is years behind", () => {
    const decided = reported(session("PENDING"), report("VERIFIED", { occurredAt: new Date(0) }), later(10));

    expect(decided.decision?.decidedAt).toEqual(at);
    expect(nextAsk(decided, later(10), day)).toBeDefined();
  });

  it("has an outcome for every status and for everything that can change it", () => {
    const changes = ["reported", "superseded", "lapsed", "moved"];
    const questions = ["isUndecided", "nextAsk", "shownStatus"];
    const functions = Object.entries(domain).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));

    expect(differences(sessionGraph, sessionStatuses, happenings)).toEqual([]);
    expect(functions.toSorted()).toEqual([...changes, ...questions].toSorted());
  });

  it.each(sessionCells)("that is %s and meets %s is %s, with an event if that is news", (from, what, to) => {
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

  const window = 30 * day;
  const pauses = (decidedOrNot: Session, ages: readonly number[]): (number | undefined)[] =>
    ages.map((ageMs) => {
      const next = nextAsk(decidedOrNot, later(ageMs), window);
      return next === undefined ? undefined : next.getTime() - later(ageMs).getTime();
    });

  it("is asked about ever more rarely, and when its page closes", () => {
    const ages = [0, 10_000, 3_600_000, day - 60_000, day];

    expect(pauses(session("CAPTURING"), ages)).toEqual([2_000, 10_000, 900_000, 60_000, 900_000]);
  });

  it("is asked about after its decision too, for as long as the vendor may decide again, and not once more", () => {
    const decision = { status: "VERIFIED" as const, reasonCode: undefined, decidedAt: at };
    const ages = [0, 3_600_000, 2 * day, window - 60_000, window];
    const expected = [900_000, 3_600_000, day, 60_000, undefined];

    expect(pauses(session("VERIFIED", { decision }), ages)).toEqual(expected);
    expect(pauses(session("SUPERSEDED", { decision }), ages)).toEqual(ages.map(() => undefined));
  });

  it("comes to where the vendor stands, whichever of its reports are lost, repeated or late", () => {
    fc.assert(
      fc.property(vendorWalk, deliveries, (walk, plan) => {
        const history = walk.map((status, index) => report(status, { revision: index + 1 }));
        const arrived = history
          .flatMap((one, index) => (plan[index] ?? []).map((when) => ({ one, when })))
          .toSorted((a, b) => a.when - b.when)
          .map(({ one }) => one);
        const last = history.at(-1) ?? report("OPEN");
        let end = session("CAPTURING", { revision: 0 });
        for (const one of [...arrived, last]) end = reported(end, one, later(10));
        const told = end.events.map(({ status }) => status);
        const seconds = end.events.map(({ occurredAt }) => Math.floor(occurredAt.getTime() / 1_000));

        expect(end.status).toBe(shownAs[last.status]);
        expect(told.at(-1)).toBe(end.status === "CAPTURING" ? undefined : end.status);
        expect(told.every((status, index) => status !== told[index - 1])).toBe(true);
        expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
      }),
    );
  });
});

/** The states that a vendor can reach from each state. */
const vendorMoves: Partial<Record<SessionReport["status"], readonly SessionReport["status"][]>> = {
  OPEN: ["OPEN", "IN_REVIEW", "VERIFIED", "REJECTED", "FAILED", "ERRORED", "EXPIRED"],
  IN_REVIEW: ["VERIFIED", "REJECTED", "ERRORED"],
  VERIFIED: ["REJECTED"],
  REJECTED: ["VERIFIED"],
};
const vendorWalk = fc.array(fc.nat({ max: 6 }), { maxLength: 8 }).map((turns) => {
  const walk: SessionReport["status"][] = ["OPEN"];
  for (const turn of turns) {
    const moves = vendorMoves[walk.at(-1) ?? "OPEN"] ?? [];
    walk.push(...moves.slice(turn % Math.max(1, moves.length)).slice(0, 1));
  }
  return walk;
});
/** When each report arrives: never, once or twice. */
const deliveries = fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 9, maxLength: 9 });
const shownAs: Record<SessionReport["status"], SessionStatus> = {
  OPEN: "CAPTURING",
  IN_REVIEW: "PENDING",
  VERIFIED: "VERIFIED",
  REJECTED: "REJECTED",
  FAILED: "FAILED",
  ERRORED: "ERRORED",
  EXPIRED: "EXPIRED",
};

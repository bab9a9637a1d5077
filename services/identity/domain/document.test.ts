import fc from "fast-check";
import { plusMs } from "../../shared/clock";
import {
  canonicalDocumentType,
  type Document,
  type DocumentReport,
  type DocumentStatus,
  decided,
  nextAsk,
  parseDocumentNumber,
  parseDocumentType,
  received,
  reported,
  superseded,
  waiting,
} from "./document";

const start = new Date("2026-01-02T03:04:05.300Z");
const later = (ms: number): Date => plusMs(start, ms);
const fresh = (isRead = true): Document =>
  received({
    id: "d",
    tenant: "demo",
    kind: "PERSON",
    entityId: "p",
    documentType: "PASSPORT",
    fileId: "f",
    sealed: "s",
    isRead,
    createdAt: start,
  });
const report = (status: DocumentReport["status"], revision: number, at = later(1_000)): DocumentReport => ({
  documentId: "d",
  status,
  revision,
  reasonCode: status === "REJECTED" ? "NOT_GENUINE" : undefined,
  occurredAt: at,
});
const statusesOf = ({ events }: Document): string[] => events.map(({ status }) => status);

/** How a document of each status came to it, read by the vendor or by people alone. */
const made: Record<DocumentStatus, (isRead: boolean) => Document> = {
  RECEIVED: fresh,
  PENDING: (isRead) => waiting(fresh(isRead), start),
  VERIFIED: (isRead) =>
    isRead
      ? reported(made.PENDING(true), report("VERIFIED", 1), later(1_000))
      : decided(made.PENDING(false), { accept: true, author: "ann" }, later(1_000)),
  REJECTED: (isRead) =>
    isRead
      ? reported(made.PENDING(true), report("REJECTED", 1), later(1_000))
      : decided(made.PENDING(false), { accept: false, author: "ann" }, later(1_000)),
  SUPERSEDED: (isRead) => superseded(made.PENDING(isRead), later(1_000)),
  ERRORED: () => reported(made.PENDING(true), report("ERRORED", 1), later(1_000)),
};

const now = later(60_000);
const commands = {
  wait: (document: Document) => waiting(document, now),
  reading: (document: Document) => reported(document, report("READING", 2, now), now),
  review: (document: Document) => reported(document, report("IN_REVIEW", 2, now), now),
  verify: (document: Document) => reported(document, report("VERIFIED", 2, now), now),
  reject: (document: Document) => reported(document, report("REJECTED", 2, now), now),
  error: (document: Document) => reported(document, report("ERRORED", 2, now), now),
  late: (document: Document) => reported(document, report("REJECTED", document.revision, now), now),
  accept: (document: Document) => decided(document, { accept: true, author: "bob" }, now),
  refuse: (document: Document) => decided(document, { accept: false, author: "bob" }, now),
  replace: (document: Document) => superseded(document, now),
};
type Command = keyof typeof commands;

/** `-` leaves the status and tells nothing; `(X)` comes to X and tells nothing; `!` is refused. */
const graph: Record<DocumentStatus, Record<Command, string>> = {
  RECEIVED: {
    wait: "PENDING",
    reading: "PENDING",
    review: "PENDING",
    verify: "VERIFIED",
    reject: "REJECTED",
    error: "ERRORED",
    late: "-",
    accept: "VERIFIED",
    refuse: "REJECTED",
    replace: "SUPERSEDED",
  },
  PENDING: {
    wait: "-",
    reading: "-",
    review: "-",
    verify: "VERIFIED",
    reject: "REJECTED",
    error: "ERRORED",
    late: "-",
    accept: "VERIFIED",
    refuse: "REJECTED",
    replace: "SUPERSEDED",
  },
  VERIFIED: {
    wait: "-",
    reading: "-",
    review: "-",
    verify: "-",
    reject: "REJECTED",
    error: "-",
    late: "-",
    accept: "-",
    refuse: "REJECTED",
    replace: "-",
  },
  REJECTED: {
    wait: "-",
    reading: "-",
    review: "-",
    verify: "VERIFIED",
    reject: "-",
    error: "-",
    late: "-",
    accept: "VERIFIED",
    refuse: "-",
    replace: "-",
  },
  SUPERSEDED: {
    wait: "-",
    reading: "-",
    review: "-",
    verify: "-",
    reject: "-",
    error: "-",
    late: "-",
    accept: "!",
    refuse: "!",
    replace: "-",
  },
  ERRORED: {
    wait: "-",
    reading: "-",
    review: "-",
    verify: "-",
    reject: "-",
    error: "-",
    late: "-",
    accept: "!",
    refuse: "!",
    replace: "-",
  },
};
/** Where document reading is switched off, only people move a document, and tenants hear of the upload alone. */
const unread: Partial<Record<DocumentStatus, Partial<Record<Command, string>>>> = {
  RECEIVED: { wait: "PENDING", accept: "(VERIFIED)", refuse: "(REJECTED)", replace: "(SUPERSEDED)" },
  PENDING: { accept: "(VERIFIED)", refuse: "(REJECTED)", replace: "(SUPERSEDED)" },
  VERIFIED: { refuse: "(REJECTED)" },
  REJECTED: { accept: "(VERIFIED)" },
  SUPERSEDED: { accept: "!", refuse: "!" },
};
const rows = Object.entries(graph).flatMap(([status, outcomes]) =>
  Object.entries(outcomes).flatMap(([command, outcome]) => {
    const row = { status: status as DocumentStatus, command: command as Command };
    const off = unread[row.status];
    return [
      { ...row, isRead: true, outcome },
      ...(off === undefined ? [] : [{ ...row, isRead: false, outcome: off[row.command] ?? "-" }]),
    ];
  }),
);

describe("the state graph of a document", () => {
  it.each(rows)("$status, $command, read: $isRead → $outcome", ({ status, command, isRead, outcome }) => {
    const before = made[status](isRead);
    expect(before.status).toBe(status);
    const run = (): Document => commands[command](before);

    if (outcome === "!") {
      expect(run).toThrow(expect.objectContaining({ reason: "RECORD_CONFLICT" }));
      return;
    }
    const next = run();
    const silent = /^\((\w+)\)$/.exec(outcome)?.[1];
    expect(next.status).toBe(outcome === "-" ? status : (silent ?? outcome));
    const isTold = outcome !== "-" && silent === undefined;
    expect(statusesOf(next)).toEqual([...statusesOf(before), ...(isTold ? [outcome] : [])]);
  });

  it("tells a decision that is made at once as the only event", () => {
    expect(statusesOf(reported(fresh(), report("VERIFIED", 1), later(1_000)))).toEqual(["VERIFIED"]);
    expect(statusesOf(reported(fresh(), report("ERRORED", 1), later(1_000)))).toEqual(["ERRORED"]);
  });

  it("does not let document reading decide again what a person has decided", () => {
    const verified = decided(made.PENDING(true), { accept: true, author: "ann" }, later(1_000));

    expect(reported(verified, report("REJECTED", 9), now)).toBe(verified);
  });

  it("lets a person confirm what document reading decided, and nobody confirm twice", () => {
    const confirmed = decided(made.VERIFIED(true), { accept: true, author: "ann" }, now);

    expect(confirmed.decision).toEqual({ status: "VERIFIED", decidedAt: now, author: "ann" });
    expect(statusesOf(confirmed)).toEqual(statusesOf(made.VERIFIED(true)));
    expect(decided(confirmed, { accept: true, author: "bob" }, later(90_000))).toBe(confirmed);
  });

  it("has events that a receiver of whole seconds sorts into the last status, whatever happens when", () => {
    const acts = fc.constantFrom<Command>("wait", "review", "verify", "reject", "error", "accept", "refuse", "replace");
    const steps = fc.array(fc.record({ act: acts, ms: fc.nat(1_500) }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(steps, (list) => {
        let document = fresh();
        let at = start;
        let revision = 0;
        for (const { act, ms } of list) {
          at = plusMs(at, ms);
          revision += 1;
          const said = { review: "IN_REVIEW", verify: "VERIFIED", reject: "REJECTED", error: "ERRORED" } as const;
          if (act === "wait") document = waiting(document, at);
          else if (act === "replace") document = superseded(document, at);
          else if (act === "accept" || act === "refuse") {
            const isOver = document.status === "SUPERSEDED" || document.status === "ERRORED";
            if (!isOver) document = decided(document, { accept: act === "accept", author: "ann" }, at);
          } else if (act in said) {
            document = reported(document, report(said[act as keyof typeof said], revision, at), at);
          }
        }
        const shown = lastOf(document);
        expect(shown).toBe(document.status === "RECEIVED" ? undefined : document.status);
      }),
      { numRuns: 500 },
    );
  });
});

/** The rules of a receiver: the greatest second wins, and within one a decision wins over PENDING. */
function lastOf({ events }: Document): string | undefined {
  const ranks = new Set(["VERIFIED", "REJECTED", "SUPERSEDED"]);
  let kept: { second: number; status: string } | undefined;
  for (const { status, occurredAt } of events) {
    const second = Math.floor(occurredAt.getTime() / 1_000);
    const isPreferred = second === kept?.second && kept.status === "PENDING" && ranks.has(status);
    if (kept === undefined || second > kept.second || isPreferred) kept = { second, status };
  }
  return kept?.status;
}

describe("asking document reading", () => {
  it("is done ever more rarely while it is waited for, and for a day", () => {
    const pending = made.PENDING(true);

    expect(nextAsk(pending, start)).toEqual(later(2_000));
    expect(nextAsk(pending, later(60_000))).toEqual(later(120_000));
    expect(nextAsk(pending, later(3_600_000))).toEqual(later(3_600_000 + 15 * 60_000));
    expect(nextAsk(pending, later(86_400_000))).toBeUndefined();
    expect(nextAsk(made.VERIFIED(true), now)).toBeUndefined();
    expect(nextAsk(made.PENDING(false), now)).toBeUndefined();
  });
});

describe("what a caller says of a document", () => {
  it("has one spelling", () => {
    expect(["driver_license", "DRIVERS-LICENSE", "DRIVER_LICENSE"].map(canonicalDocumentType)).toEqual(
      Array.from({ length: 3 }, () => "DRIVERS_LICENSE"),
    );
    expect(parseDocumentType("proof-of-funds")).toBe("PROOF_OF_FUNDS");
    expect(() => parseDocumentType("constructor")).toThrow(/documentType must be one of/);
  });

  it.each(["", "--", "x".repeat(65), "a\nb"])("is no number: %j", (number) => {
    expect(() => parseDocumentNumber(number)).toThrow(/documentNumber/);
  });
});

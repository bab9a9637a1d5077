import fc from "fast-check";
import {
  type DocumentInput,
  documentCells,
  documentInputs,
  meant,
  readGraph,
  unreadGraph,
  unreadStatuses,
} from "../../../test/data/documents/graph";
import { differences } from "../../../test/data/transition-table";
import { plusMs } from "../../shared/kernel/clock";
import * as domain from "./document";
import {
  canonicalDocumentType,
  type Document,
  type DocumentReport,
  type DocumentStatus,
  decided,
  documentStatuses,
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

/** The steps that lead a document to each status, read by the vendor or by people only. */
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
const happen = (document: Document, input: DocumentInput): Document => {
  switch (input) {
    case "wait":
      return waiting(document, now);
    case "late":
      return reported(document, report("REJECTED", document.revision, now), now);
    case "accept":
    case "refuse":
      return decided(document, { accept: input === "accept", author: "bob" }, now);
    case "replace":
      return superseded(document, now);
    default:
      return reported(document, report(input, 2, now), now);
  }
};

describe("the state graph of a document", () => {
  it("has an outcome for every status and for everything that can change it", () => {
    const changes = ["received", "reported", "waiting", "decided", "superseded"];
    const questions = ["isClosed", "isUndecided", "nextAsk", "shownStatus"];
    const parsers = ["canonicalDocumentType", "parseDocumentNumber", "parseDocumentType", "requireNote"];
    const functions = Object.entries(domain).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));

    expect(differences(readGraph, documentStatuses, documentInputs)).toEqual([]);
    expect(differences(unreadGraph, unreadStatuses, documentInputs)).toEqual([]);
    expect(functions.toSorted()).toEqual([...changes, ...questions, ...parsers].toSorted());
  });

  it.each(documentCells)("$status, $input, read: $isRead → $outcome", ({ status, input, isRead, outcome }) => {
    const before = made[status](isRead);
    expect(before.status).toBe(status);

    if (outcome === "!") {
      expect(() => happen(before, input)).toThrow(expect.objectContaining({ reason: "RECORD_CONFLICT" }));
      return;
    }
    const next = happen(before, input);
    const expected = meant(status, outcome);
    expect(next.status).toBe(expected.status);
    expect(statusesOf(next)).toEqual([...statusesOf(before), ...expected.told]);
  });

  it("tells a decision that is made at once as the only event", () => {
    expect(statusesOf(reported(fresh(), report("VERIFIED", 1), later(1_000)))).toEqual(["VERIFIED"]);
    expect(statusesOf(reported(fresh(), report("ERRORED", 1), later(1_000)))).toEqual(["ERRORED"]);
  });

  it("is never decided before it was received, however wrong the reader's clock is", () => {
    const verified = reported(fresh(), report("VERIFIED", 1, new Date(0)), later(1_000));

    expect(verified.decision?.decidedAt).toEqual(start);
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
    const acts = fc.constantFrom("wait", "review", "verify", "reject", "error", "accept", "refuse", "replace");
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
            document = reported(document, report(said[act], revision, at), at);
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

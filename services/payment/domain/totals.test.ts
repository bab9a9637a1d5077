import { pullFact, tellAll } from "../../../test/support/facts";
import { accountPull, builtAt as at, newPayment } from "../../../test/support/payment-builder";
import { plusMs } from "../../shared/kernel/clock";
import { money } from "../../shared/kernel/money";
import { applyFact } from "./apply-fact";
import type { PullFact, PullFactKind } from "./fact";
import { type Change, type Payment, unchanged } from "./payment";

const captured = (): Payment =>
  tellAll(
    newPayment("PULL", { pull: accountPull() }).next,
    at,
    { role: "screening", status: "APPROVED" },
    { role: "pull", kind: "CAPTURED" },
    { role: "pull", kind: "SETTLED" },
  ).next;

const total = (payment: Payment, kind: PullFactKind, minor: bigint, facts: Partial<PullFact> = {}): PullFact =>
  pullFact(payment, kind, {
    minor,
    isTotal: true,
    movementId: undefined,
    stepReference: undefined,
    evidence: { raw: String(minor), hash: String(minor) },
    ...facts,
  });

/** Applies totals one after the other, each in a write of its own. */
const refunds = (payment: Payment, ...told: readonly (bigint | [bigint, Date])[]): Change[] => {
  let next = payment;
  return told.map((one) => {
    const [minor, providerAt] = Array.isArray(one) ? one : [one, undefined];
    const change = applyFact(unchanged(next), total(next, "REFUNDED", minor, { providerAt }), at);
    ({ next } = change);
    return change;
  });
};
const refunded = (changes: readonly Change[]): (bigint | undefined)[] =>
  changes.map(({ next }) => next.pull?.refundedMinor);
/** Returns what the entries of a change moved at the provider's clearing account. */
const moved = ({ events }: Change): bigint[] =>
  events.flatMap((event) =>
    event.kind === "money"
      ? event.postings.filter(({ account }) => account.startsWith("provider/")).map(({ minor }) => minor)
      : [],
  );

describe("a provider that tells totals", () => {
  it("has moved the difference to what is known, once for each total", () => {
    const changes = refunds(captured(), 3_000n, 3_000n, 5_000n, 5_000n, 5_000n);

    expect(refunded(changes)).toEqual([3_000n, 3_000n, 5_000n, 5_000n, 5_000n]);
    expect(changes.map(moved)).toEqual([[3_000n], [], [2_000n], [], []]);
    expect(changes.at(-1)?.next.facts.filter(({ kind }) => kind === "REFUNDED")).toMatchObject([
      { minor: 3_000n, evidence: { hash: "3000" } },
      { minor: 2_000n, evidence: { hash: "5000" } },
    ]);
  });

  it("adds nothing to movements that were told one by one", () => {
    const payment = captured();
    const minor = payment.pull?.capturedMinor ?? 0n;

    const change = applyFact(unchanged(payment), total(payment, "CAPTURED", minor), at);

    expect(change.next).toEqual(payment);
    expect(change.events).toEqual([]);
  });

  it("tells nothing new by a smaller total that comes late", () => {
    const untimed = refunds(captured(), 3_000n, 5_000n, 3_000n);
    const timed = refunds(captured(), [5_000n, plusMs(at, 2_000)], [3_000n, plusMs(at, 1_000)]);

    for (const changes of [untimed, timed]) {
      expect(refunded(changes).at(-1)).toBe(5_000n);
      expect(changes.at(-1)?.events).toEqual([]);
      expect(changes.at(-1)?.next.openCase?.kinds ?? []).not.toContain("CONTRADICTION");
    }
  });

  it("contradicts itself by a total that shrinks, in one case; what is posted stays until a person decides", () => {
    const later = plusMs(at, 1_000);
    const untimed = refunds(captured(), 5_000n, 3_000n, 3_000n);
    const timed = refunds(captured(), [3_000n, at], [5_000n, at], [3_000n, later]);
    const grown = refunds(captured(), [3_000n, later], [5_000n, at]);

    for (const changes of [untimed, timed, grown]) {
      expect(changes.at(-1)?.next.openCase?.kinds).toContain("CONTRADICTION");
      expect(changes.at(-1)?.next.caseCount).toBe(1);
    }
    expect(refunded(untimed)).toEqual([5_000n, 5_000n, 5_000n]);
    expect(untimed.at(-1)?.caseNotes).toEqual([]);
    expect(refunded(grown).at(-1)).toBe(3_000n);
    expect(moved(grown.at(-1) as Change)).toEqual([]);
  });

  it("has told movements that it tells one by one later, up to the total; a larger one is posted, and a person is told", () => {
    const [, first] = refunds(captured(), 1_000n, 3_000n);
    const one = (change: Change | undefined, movementId: string, minor: bigint): Change => {
      const { next } = change as Change;
      return applyFact(
        unchanged(next),
        pullFact(next, "REFUNDED", { minor, movementId, stepReference: undefined }),
        at,
      );
    };
    const within = one(first, "m1", 2_500n);
    const exact = one(within, "m2", 500n);
    const third = one(exact, "m3", 700n);
    const doubtful = one(first, "m4", 4_000n);

    expect([within, exact, third].map(moved)).toEqual([[], [], [700n]]);
    expect(applyFact(unchanged(third.next), total(third.next, "REFUNDED", 3_700n), at).events).toEqual([]);
    expect(moved(doubtful)).toEqual([4_000n]);
    expect(doubtful.next.openCase?.kinds).toContain("CONTRADICTION");
    expect(third.next.openCase?.kinds ?? []).not.toContain("CONTRADICTION");
  });

  it("goes on from what is posted after it contradicted itself", () => {
    const changes = refunds(captured(), 5_000n, 3_000n, 6_000n);

    expect(refunded(changes)).toEqual([5_000n, 5_000n, 6_000n]);
    expect(moved(changes.at(-1) as Change)).toEqual([1_000n]);
  });

  it("posts a total in another currency as it is, and its growth alone when it grows", () => {
    const payment = captured();
    const francs = (minor: bigint, of: Payment) => total(of, "REFUNDED", 0n, { amount: money(minor, "CHF") });

    const first = applyFact(unchanged(payment), francs(1_000n, payment), at);
    const second = applyFact(unchanged(first.next), francs(1_500n, first.next), at);

    expect([first, second].map(moved)).toEqual([[1_000n], [500n]]);
    expect(second.next.pull?.refundedMinor).toBe(0n);
    expect(second.next.openCase?.kinds).toEqual(["AMOUNT_DIFFERS"]);
  });
});

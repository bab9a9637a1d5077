import fc from "fast-check";
import { type Told, tell } from "../../../test/support/facts";
import { accountPull, builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { DomainError } from "../../shared/errors";
import { money } from "../../shared/money";
import { applyCommand, type Command, timeOut } from "./commands";
import { isFinal, type Payment, unchanged } from "./payment";
import { promisedAt } from "./promises";

const told: readonly Told[] = [
  ...(["AUTHORIZED", "CHALLENGED", "DECLINED", "CAPTURED", "SETTLED", "VOIDED", "REFUNDED"] as const).map(
    (kind) => ({ role: "pull", kind }) as const,
  ),
  ...(["PREPARED", "HELD", "RELEASED", "PAID", "REJECTED", "CANCELLED"] as const).map(
    (kind) => ({ role: "payout", kind }) as const,
  ),
  ...(["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const).map((status) => ({ role: "screening", status }) as const),
  { role: "refusal", code: "refused" },
];
const commands = ["cancel", "rejectHold", "approveReversal", "refuseReversal"] as const;

type Act = (payment: Payment, at: Date) => Payment;

const obey =
  (kind: (typeof commands)[number]): Act =>
  (payment, at) => {
    try {
      const command: Command = { kind };
      return applyCommand(payment, command, at).next;
    } catch (error) {
      if (error instanceof DomainError && error.reason !== "INTERNAL") return payment;
      throw error;
    }
  };
/** Only what moves the transaction on, or most random things would come at the wrong time. */
const hear =
  (choice: number): Act =>
  (payment, at) => {
    for (let tries = 0; tries < told.length; tries += 1) {
      const one = told[(choice + tries) % told.length];
      const next = one === undefined ? payment : tell(unchanged(payment), one, at).next;
      if (next.state !== payment.state || next.step !== payment.step) return next;
    }
    return payment;
  };
const act = fc.oneof(
  { arbitrary: fc.nat(100).map(hear), weight: 16 },
  { arbitrary: fc.constantFrom(...commands).map(obey), weight: 2 },
  fc.constant<Act>(
    (payment, at) => timeOut(unchanged(payment), new Date(at.getTime() + 30 * 86_400_000))?.next ?? payment,
  ),
);
const start = fc.record({
  type: fc.constantFrom("PUSH" as const, "PULLPUSH" as const),
  isCard: fc.boolean(),
  limit: fc.constantFrom(undefined, 0n),
});

function walk(
  { type, isCard, limit }: { type: "PUSH" | "PULLPUSH"; isCard: boolean; limit: bigint | undefined },
  acts: Act[],
) {
  const free = { bps: 0, fixedMinor: 0n };
  const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: limit };
  const pull = type === "PUSH" ? undefined : isCard ? cardPull() : accountPull();
  const seen = [newPayment(type, { terms, pull }).next];
  for (const [index, one] of acts.entries()) {
    const last = seen.at(-1);
    if (last !== undefined) seen.push(one(last, new Date(builtAt.getTime() + index * 1_000)));
  }
  return seen;
}

describe("what is promised of our account at a rail", () => {
  it("stays promised until the rail has confirmed the release, on whatever way a payment comes there", () => {
    let released = 0;
    const states = new Set<string>();
    fc.assert(
      fc.property(start, fc.array(act, { minLength: 4, maxLength: 24 }), (facts, acts) => {
        const seen = walk(facts, acts);
        const drawnAt = seen.findIndex(({ state }) => ["WaitingPayout", "Paid", "Completed"].includes(state));
        const before = drawnAt === -1 ? [] : seen.slice(0, drawnAt);
        released += drawnAt === -1 ? 0 : 1;
        for (const { state } of before) states.add(state);

        expect(before.filter((payment) => promisedAt(payment) === undefined)).toEqual([]);
      }),
      { seed: 20_261_122, numRuns: 800 },
    );

    expect(released).toBeGreaterThan(40);
    // Held, blocked and reviewed payments are among them.
    expect([...states]).toEqual(
      expect.arrayContaining(["PayoutHold", "BlockedPendingReview", "ManualReview", "PaymentSettled"]),
    );
  });

  it("is promised no longer once a payment is over", () => {
    fc.assert(
      fc.property(start, fc.array(act, { minLength: 4, maxLength: 24 }), (facts, acts) => {
        const over = walk(facts, acts).filter((payment) => isFinal(payment.state) && payment.step === undefined);

        expect(over.filter((payment) => promisedAt(payment) !== undefined)).toEqual([]);
      }),
      { seed: 20_261_122, numRuns: 400 },
    );
  });

  it("is of the rail's account in the payout's currency, and nothing where nothing is paid out", () => {
    const { next } = newPayment("PUSH");

    expect(promisedAt(next)).toBe(`${next.payout?.rail}:${next.payout?.amount.currency}`);
    expect(promisedAt(newPayment("PULL").next)).toBeUndefined();
    const nothing = next.payout && { ...next.payout, amount: money(0n, "BRL") };
    expect(promisedAt({ ...next, payout: nothing })).toBeUndefined();
  });
});

import fc from "fast-check";
import { type Told, tell } from "../../../test/support/facts";
import { accountPull, builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { DomainError } from "../../shared/kernel/errors";
import { applyCommand, type Command, timeOut } from "./commands";
import { isFinal, type MadePromise, type Payment, unchanged } from "./payment";
import { stands, withReleases } from "./promises";

const told: readonly Told[] = [
  ...(["AUTHORIZED", "CHALLENGED", "DECLINED", "CAPTURED", "SETTLED", "VOIDED", "REFUNDED"] as const).map(
    (kind) => ({ role: "pull", kind }) as const,
  ),
  ...(["PREPARED", "HELD", "RELEASED", "PAID", "REJECTED", "CANCELLED"] as const).map(
    (kind) => ({ role: "payout", kind }) as const,
  ),
  ...(["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const).map((status) => ({ role: "screening", status }) as const),
  { role: "refusal", code: "refused" },
  { role: "screening", status: "BLOCKED", blockedCase: "case" },
];
const free = { bps: 0, fixedMinor: 0n };
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
/** Applies only reports that move the transaction on; most random reports would come at the wrong time. */
const hear =
  (choice: number): Act =>
  (payment, at) => {
    for (let tries = 0; tries < told.length; tries += 1) {
      const one = told[(choice + tries) % told.length];
      const next = one === undefined ? payment : tell(unchanged(payment), one, at).next;
      if (next.state !== payment.state || next.execution.step !== payment.execution.step) return next;
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
  const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: limit };
  const pull = type === "PUSH" ? undefined : isCard ? cardPull() : accountPull();
  const seen: Payment[] = [newPayment(type, { terms, pull }).next];
  for (const [index, one] of acts.entries()) {
    const last = seen.at(-1);
    if (last !== undefined) seen.push(one(last, new Date(builtAt.getTime() + index * 1_000)));
  }
  return seen;
}

const need = (account: string, currency: string, minor: bigint) => ({
  blockId: account,
  place: 0,
  account,
  currency,
  minor,
});
const own = need("tenant/demo/funding", "USD", 10_050n);
const rail = need("provider/pix/clearing", "BRL", 54_321n);
const drawn = ["WaitingPayout", "Paid", "Completed"];

describe("what is promised of an account", () => {
  const walks = (numRuns: number, check: (seen: Payment[]) => void): void =>
    fc.assert(
      fc.property(start, fc.array(act, { minLength: 4, maxLength: 24 }), (facts, acts) => check(walk(facts, acts))),
      { seed: 20_261_122, numRuns },
    );

  it("stays promised until the rail has confirmed the release, on whatever way a payment comes there", () => {
    let released = 0;
    const states = new Set<string>();
    walks(800, (seen) => {
      const drawnAt = seen.findIndex(({ state }) => drawn.includes(state));
      const before = drawnAt === -1 ? [] : seen.slice(0, drawnAt);
      released += drawnAt === -1 ? 0 : 1;
      for (const { state } of before) states.add(state);

      expect(before.filter((payment) => !stands(rail, payment) || !stands(own, payment))).toEqual([]);
    });

    expect(released).toBeGreaterThan(40);
    // The states include those of held, blocked and reviewed payments.
    expect([...states]).toEqual(
      expect.arrayContaining(["PayoutHold", "BlockedPendingReview", "ManualReview", "PaymentSettled"]),
    );
  });

  it("of the tenant stays promised until the recipient was paid, and of the rail no longer than its own figure leaves it in", () => {
    walks(400, (seen) => {
      const waiting = seen.filter(({ state, payoutStatus }) => state === "WaitingPayout" && payoutStatus === "PENDING");

      expect(waiting.filter((payment) => !stands(own, payment) || stands(rail, payment))).toEqual([]);
    });
  });

  it("is promised no longer once a payment is over, and never again", () => {
    walks(800, (seen) => {
      const over = seen.filter((payment) => isFinal(payment.state) && payment.execution.step === undefined);
      expect(over.filter((payment) => stands(rail, payment) || stands(own, payment))).toEqual([]);
      for (const promise of [own, rail]) {
        const ended = seen.findIndex((payment) => !stands(promise, payment));
        expect(ended === -1 ? [] : seen.slice(ended).filter((payment) => stands(promise, payment))).toEqual([]);
      }
    });
  });
});

describe("promises of a payment", () => {
  const fees = { PRE_AUTH: free, CAPTURE: { bps: 0, fixedMinor: 50n }, REFUND: free };
  const promised = newPayment("PUSH", {
    promises: [own, rail],
    terms: { fees, reversalLimitMinor: undefined },
  }).next;
  const releasesOf = (...facts: Told[]) => {
    let payment: Payment = promised;
    let released: readonly (MadePromise & { with: string })[] = [];
    for (const fact of facts) {
      const { next, events } = tell(unchanged(payment), fact, builtAt);
      for (const event of withReleases(payment, next, events)) {
        const name = event.kind === "money" ? event.moved : event.kind;
        released = [...released, ...(event.releases ?? []).map((one) => ({ ...one, with: name }))];
      }
      payment = next;
    }
    return released.map(({ account, minor, with: name }) => [name, account, minor]);
  };
  const prepared: Told = { role: "payout", kind: "PREPARED" };
  const approved: Told = { role: "screening", status: "APPROVED" };

  it("end where they are posted: the tenant's with the payout and the fee, the rail's with its release", () => {
    const paid: Told = { role: "payout", kind: "PAID" };

    expect(releasesOf(prepared, approved, { role: "payout", kind: "RELEASED" }, paid, paid)).toEqual([
      ["payout", rail.account, 54_321n],
      ["payout", own.account, 10_000n],
      ["fee", own.account, 50n],
    ]);
    expect(releasesOf(prepared, approved, paid)).toEqual([
      ["payout", own.account, 10_000n],
      ["payout", rail.account, 54_321n],
      ["fee", own.account, 50n],
    ]);
  });

  it("end in part where money is blocked, and the rest when it was paid", () => {
    const blocked: Told = { role: "screening", status: "BLOCKED", blockedCase: "case" };

    expect(releasesOf(prepared, blocked, blocked)).toEqual([["block", own.account, 10_000n]]);
    expect(releasesOf(prepared, blocked, approved, { role: "payout", kind: "PAID" })).toEqual([
      ["block", own.account, 10_000n],
      ["payout", rail.account, 54_321n],
      ["fee", own.account, 50n],
    ]);
    expect(releasesOf(prepared, blocked, { role: "screening", status: "REJECTED" })).toEqual([
      ["block", own.account, 10_000n],
      [expect.any(String), own.account, 50n],
      [expect.any(String), rail.account, rail.minor],
    ]);
  });

  it("end once, with the last event of a payment that is not paid out", () => {
    const rejected: Told = { role: "payout", kind: "REJECTED" };

    expect(releasesOf(rejected, rejected)).toEqual([
      [expect.any(String), own.account, own.minor],
      [expect.any(String), rail.account, rail.minor],
    ]);
    const reviewed: Told = { role: "screening", status: "REJECTED" };
    expect(releasesOf(prepared, reviewed, { role: "payout", kind: "CANCELLED" })).toEqual([
      [expect.any(String), own.account, own.minor],
      [expect.any(String), rail.account, rail.minor],
    ]);
  });
});

import fc from "fast-check";
import { accountPull, builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { DomainError } from "../../shared/errors";
import { transactionMoves } from "../../shared/transaction-states";
import { applyCommand, type Command, timeOut } from "./commands";
import { type Change, type Payment, type PaymentEvent, type PaymentType, unchanged } from "./payment";
import { applyReport, type Report } from "./report";

const pullWords = [
  "AUTHORIZED",
  "CHALLENGE",
  "DECLINED",
  "CAPTURED",
  "SETTLED",
  "RETURNED",
  "VOIDED",
  "REFUNDED",
  "REFUSED",
] as const;
const payoutWords = ["PREPARED", "HELD", "REFUSED", "RELEASED", "PAID", "REJECTED", "RETURNED", "CANCELLED"] as const;
const screeningWords = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const;

type Act = (payment: Payment, at: Date) => Change | undefined;

const report =
  (one: Report): Act =>
  (payment, at) =>
    applyReport(unchanged(payment), one, at);

const command =
  (one: Command): Act =>
  (payment, at) => {
    try {
      return applyCommand(payment, one, at);
    } catch (error) {
      if (error instanceof DomainError && error.reason !== "INTERNAL") return undefined;
      throw error;
    }
  };

const everyReport: readonly Report[] = [
  ...pullWords.map((status) => ({ role: "pull", reference: "r", status, reason: undefined, facts: {} }) as const),
  ...payoutWords.map(
    (status) =>
      ({ role: "payout", reference: "r", status, railId: "x", receipt: undefined, reason: undefined }) as const,
  ),
  ...screeningWords.map((status) => ({ role: "screening", reference: "r", status, reason: undefined }) as const),
];

/** A report that the payment waits for: most random ones come at the wrong time and change nothing. */
const timely =
  (choice: number): Act =>
  (payment, at) => {
    const changes = everyReport
      .map((one) => applyReport(unchanged(payment), one, at))
      .filter(({ events }) => events.length > 0);
    return changes[choice % Math.max(changes.length, 1)];
  };

const amount = fc.integer({ min: 1, max: 12_000 }).map((cents) => ({ digits: BigInt(cents), scale: 2 }));
const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.nat(100).map(timely), weight: 6 },
  fc.constantFrom(...everyReport).map(report),
  amount.map((asked) => command({ kind: "capture", amount: asked })),
  fc
    .tuple(fc.uuid(), amount)
    .map(([externalId, asked]) => command({ kind: "refund", externalId, amount: asked, reason: undefined })),
  fc
    .constantFrom(
      "void" as const,
      "cancel" as const,
      "approveReversal" as const,
      "refuseReversal" as const,
      "rejectHold" as const,
    )
    .map((kind) => command({ kind })),
  fc.constant<Act>((payment, at) => timeOut(payment, new Date(at.getTime() + 30 * 24 * 3_600_000))),
);

const start = fc.record({
  type: fc.constantFrom<PaymentType>("PUSH", "PULL", "PULLPUSH"),
  isCard: fc.boolean(),
  captureAtOnce: fc.boolean(),
  limit: fc.constantFrom(undefined, 0n),
});

/** Walks a payment and returns it with every event that it told. */
function walk({ type, isCard, captureAtOnce, limit }: Parameters<typeof begin>[0], acts: readonly Act[]) {
  const opening = begin({ type, isCard, captureAtOnce, limit });
  const events: PaymentEvent[] = [...opening.events];
  const seen: Payment[] = [opening.next];
  let payment = opening.next;
  acts.forEach((one, index) => {
    const change = one(payment, new Date(builtAt.getTime() + index * 1_000));
    if (change === undefined) return;
    payment = change.next;
    events.push(...change.events);
    seen.push(payment);
  });
  return { payment, events, seen };
}

function begin({
  type,
  isCard,
  captureAtOnce,
  limit,
}: {
  type: PaymentType;
  isCard: boolean;
  captureAtOnce: boolean;
  limit: bigint | undefined;
}): Change {
  const pull = isCard ? cardPull({ captureAtOnce }) : accountPull();
  const rate = { bps: 100, fixedMinor: 5n };
  const terms = { fees: { PRE_AUTH: rate, CAPTURE: rate, REFUND: rate }, reversalLimitMinor: limit };
  return newPayment(type, { terms, pull: type === "PUSH" ? undefined : pull });
}

describe("a payment, whatever providers say and callers ask in whatever order", () => {
  it("moves along the published graph, chains its events, and never gives back more than it took", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 30 }), (facts, acts) => {
        const { events, seen } = walk(facts, acts);

        expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
        for (const kind of ["status", "compliance", "payout"] as const) {
          const own = events.flatMap((event) => (event.kind === kind ? [event] : []));
          expect(own.map(({ oldStatus }) => oldStatus)).toEqual(
            [undefined, ...own.map(({ newStatus }) => newStatus)].slice(0, own.length),
          );
        }
        const states = events.flatMap((event) => (event.kind === "status" ? [event.newStatus] : []));
        states.slice(1).forEach((state, index) => {
          const before = states[index];
          expect(before !== undefined && transactionMoves[before].includes(state)).toBe(true);
        });
        for (const { pull, amount: asked, status, refunds } of seen) {
          const given = refunds.filter((refund) => refund.status === "REFUNDED");
          expect((pull?.capturedMinor ?? 0n) <= asked.minor).toBe(true);
          expect((pull?.refundedMinor ?? 0n) <= (pull?.capturedMinor ?? 0n)).toBe(true);
          expect(given.reduce((sum, { minor }) => sum + minor, 0n) <= (pull?.refundedMinor ?? 0n)).toBe(true);
          if (status === "VOIDED") expect(pull?.capturedMinor ?? 0n).toBe(0n);
        }
      }),
      { numRuns: 10 * 100 * Number(process.env["RANDOM_FACTOR"] ?? "1"), seed: 20_260_301 },
    );
  });

  it("posts money that sums to zero, and pays a recipient out at most once more than it came back", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 30 }), (facts, acts) => {
        const { events } = walk(facts, acts);
        const moved = events.flatMap((event) => (event.kind === "money" ? [event] : []));
        const count = (word: string): number => moved.filter((event) => event.moved === word).length;

        for (const { postings } of moved) {
          const sums = Map.groupBy(postings, ({ currency }) => currency);
          for (const own of sums.values()) expect(own.reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n);
        }
        expect(count("payout")).toBeLessThanOrEqual(1);
        expect(count("payout-return")).toBeLessThanOrEqual(count("payout"));
        expect(count("capture")).toBeLessThanOrEqual(1);
      }),
      { seed: 20_260_302 },
    );
  });

  it("collects before it pays out, and gives back or says so when the payout failed", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 30 }), (facts, acts) => {
        const { events, payment } = walk({ ...facts, type: "PULLPUSH" }, acts);
        const states = events.flatMap((event) => (event.kind === "status" ? [event.newStatus] : []));

        if (states.includes("WaitingPayout")) {
          expect(states.indexOf("PaymentCaptured")).toBeGreaterThanOrEqual(0);
          expect(states.indexOf("PaymentCaptured")).toBeLessThan(states.indexOf("WaitingPayout"));
        }
        const isOver = ["Voided", "Cancelled", "Error"].includes(payment.state);
        if (isOver) expect(payment.pull?.capturedAt).toBeUndefined();
      }),
      { seed: 20_260_303 },
    );
  });
});

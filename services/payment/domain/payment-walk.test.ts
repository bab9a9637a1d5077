import fc from "fast-check";
import { type Told, tell } from "../../../test/support/facts";
import { accountPull, builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { DomainError } from "../../shared/kernel/errors";
import { reasonCodes } from "../../shared/kernel/reason-codes";
import { transactionMoves } from "../../shared/kernel/transaction-states";
import { collectedMinor, isInBalance, paidOutMinor } from "./balance";
import { isFrozen } from "./blocked-money";
import { applyCommand, type Command, timeOut } from "./commands";
import { type Change, isIdle, type Payment, type PaymentEvent, unchanged } from "./payment";
import type { PaymentType } from "./typed-legs";

const pullKinds = [
  "AUTHORIZED",
  "CHALLENGED",
  "DECLINED",
  "CAPTURED",
  "SETTLED",
  "RETURNED",
  "VOIDED",
  "REFUNDED",
  "CHARGED_BACK",
] as const;
const payoutKinds = ["PREPARED", "HELD", "RELEASED", "PAID", "REJECTED", "RETURNED", "CANCELLED"] as const;
const screeningWords = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const;

type Act = (payment: Payment, at: Date) => Change | undefined;

const report =
  (one: Told): Act =>
  (payment, at) =>
    tell(unchanged(payment), one, at);

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

const blocks = ["one", "two"].map((blockedCase) => ({ role: "screening", status: "BLOCKED", blockedCase }) as const);
const everyReport: readonly Told[] = [
  ...pullKinds.map((kind) => ({ role: "pull", kind }) as const),
  ...payoutKinds.map((kind) => ({ role: "payout", kind }) as const),
  ...screeningWords.map((status) => ({ role: "screening", status }) as const),
  { role: "refusal", code: "refused" },
  ...blocks,
];

/** Acts that a payment waits for: most random acts come at the wrong time and change nothing. */
const timely =
  (choice: number): Act =>
  (payment, at) => {
    const changes = everyReport
      .map((one) => tell(unchanged(payment), one, at))
      .filter(({ events, caseNotes }) => events.some(({ kind }) => kind === "status") && caseNotes.length === 0);
    return changes[choice % Math.max(changes.length, 1)];
  };

/** Money that was not asked for: another amount, another movement. */
const hostile = fc
  .record({
    one: fc.constantFrom(...everyReport.filter((told) => "kind" in told)),
    minor: fc.bigInt({ min: 1n, max: 60_000n }),
    movementId: fc.constantFrom("a", "b", undefined),
  })
  .map(({ one, minor, movementId }) => report({ ...one, minor, ...(movementId === undefined ? {} : { movementId }) }));

const amount = fc.integer({ min: 1, max: 12_000 }).map((cents) => ({ digits: BigInt(cents), scale: 2 }));
const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.nat(100).map(timely), weight: 6 },
  fc.constantFrom(...everyReport).map(report),
  hostile,
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
  fc.constant<Act>((payment, at) => timeOut(unchanged(payment), new Date(at.getTime() + 30 * 24 * 3_600_000))),
);

const start = fc.record({
  type: fc.constantFrom<PaymentType>("PUSH", "PULL", "PULLPUSH"),
  isCard: fc.boolean(),
  captureAtOnce: fc.boolean(),
  limit: fc.constantFrom(undefined, 0n),
});

/** Walks a payment and returns it with every event that occurred. */
function walk({ type, isCard, captureAtOnce, limit }: Parameters<typeof begin>[0], acts: readonly Act[]) {
  const opening = begin({ type, isCard, captureAtOnce, limit });
  const events: PaymentEvent[] = [...opening.events];
  const seen: Payment[] = [opening.next];
  const changes: { before: Payment | undefined; change: Change }[] = [{ before: undefined, change: opening }];
  let payment = opening.next;
  acts.forEach((one, index) => {
    const change = one(payment, new Date(builtAt.getTime() + index * 1_000));
    if (change === undefined) return;
    changes.push({ before: payment, change });
    payment = change.next;
    events.push(...change.events);
    seen.push(payment);
  });
  return { payment, events, seen, changes };
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
        for (const one of seen) {
          const { pull, refunds, openCase } = one;
          const given = refunds.filter((refund) => refund.status === "REFUNDED");
          expect(given.reduce((sum, { minor }) => sum + minor, 0n) <= (pull?.refundedMinor ?? 0n)).toBe(true);
          // An idle payment holds what its status says, or an operator has been notified.
          if (isIdle(one)) expect(isInBalance(one) || openCase !== undefined).toBe(true);
        }
      }),
      { numRuns: 10 * 100 * Number(process.env["RANDOM_FACTOR"] ?? "1"), seed: 20_260_301 },
    );
  });

  it("has a row of history for every status that it comes to, and a reason for every one that nobody wanted", () => {
    const unwanted = ["DECLINED", "VOIDED", "REFUNDED", "ERROR"];
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 30 }), (facts, acts) => {
        for (const { before, change } of walk(facts, acts).changes) {
          const { next, history, events } = change;
          const isNews = before !== undefined && before.status !== next.status;
          if (isNews) expect(history.at(-1)?.status).toBe(next.status);
          if (!isNews || !unwanted.includes(next.status)) continue;
          const code = history.at(-1)?.cause?.code ?? "none";
          expect(Object.keys(reasonCodes)).toContain(code);
          expect(next.cause?.code).toBe(code);
          expect(events.findLast(({ kind }) => kind === "status")?.cause?.code).toBe(code);
        }
      }),
      { numRuns: 1_000, seed: 20_261_122 },
    );
  });

  it("posts every fact once, to the minor unit, whatever the state is", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 30 }), (facts, acts) => {
        const { events, payment } = walk(facts, acts);
        const moved = events.flatMap((event) => (event.kind === "money" ? [event] : []));
        const entries = moved.flatMap(({ entryId }) => (entryId === undefined ? [] : [entryId]));
        const at = (provider: string | undefined, currency: string | undefined): bigint =>
          moved
            .flatMap(({ postings }) => postings)
            .filter((posting) => posting.account === `provider/${provider}/clearing` && posting.currency === currency)
            .reduce((sum, { minor }) => sum + minor, 0n);

        for (const { postings } of moved) {
          const sums = Map.groupBy(postings, ({ currency }) => currency);
          for (const own of sums.values()) expect(own.reduce((sum, { minor }) => sum + minor, 0n)).toBe(0n);
        }
        expect(new Set(entries).size).toBe(entries.length);
        expect(at(payment.pull?.provider, payment.amount.currency)).toBe(-collectedMinor(payment));
        expect(at(payment.payout?.rail, payment.payout?.amount.currency)).toBe(paidOutMinor(payment));
      }),
      { seed: 20_260_302 },
    );
  });

  it("stays where it is while it is blocked, with its money on the account of the case, which the end leaves empty", () => {
    let blocked = 0;
    const often = fc.oneof({ arbitrary: act, weight: 2 }, fc.constantFrom(...blocks).map(report));
    fc.assert(
      fc.property(start, fc.array(often, { maxLength: 30 }), (facts, acts) => {
        const { events, changes, payment } = walk(facts, acts);
        const held = events
          .flatMap((event) => (event.kind === "money" ? event.postings : []))
          .filter(({ account }) => account.startsWith("platform/blocked/"));
        const sums = Map.groupBy(held, ({ account }) => account);
        const own = `platform/blocked/${payment.blocked?.caseId}`;
        for (const [account, postings] of sums) {
          const sum = postings.reduce((total, { minor }) => total + minor, 0n);
          expect(sum).toBe(account === own ? payment.blocked?.heldMinor : 0n);
        }
        for (const { before, change } of changes) {
          if (before === undefined || !isFrozen(before)) continue;
          blocked += 1;
          if (isFrozen(change.next))
            expect(change.next).toMatchObject({ state: before.state, execution: { step: before.execution.step } });
        }
        if (isIdle(payment) && payment.blocked !== undefined) expect(payment.blocked.heldMinor).toBe(0n);
      }),
      { numRuns: 1_000, seed: 20_261_123 },
    );
    expect(blocked).toBeGreaterThan(100);
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
        if (isOver && payment.openCase === undefined) expect(collectedMinor(payment)).toBe(0n);
      }),
      { seed: 20_260_303 },
    );
  });
});

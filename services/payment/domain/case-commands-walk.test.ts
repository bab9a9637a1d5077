import fc from "fast-check";
import { type Told, tell } from "../../../test/support/facts";
import { accountPull, builtAt, cardPull, newPayment } from "../../../test/support/payment-builder";
import { DomainError } from "../../shared/kernel/errors";
import { money } from "../../shared/kernel/money";
import { applyCaseCommand, type CaseCommand, type GivenFact } from "./case-commands";
import { applyCommand, type Command } from "./commands";
import type { Evidence } from "./fact";
import { holdOf } from "./hold";
import { type Change, isIdle, type Payment, unchanged } from "./payment";
import { awaited, type Step } from "./steps";
import type { PaymentType } from "./typed-legs";

const evidence: Evidence = { raw: "line 7", hash: "h" };
const at = builtAt;

const pullKinds = ["AUTHORIZED", "DECLINED", "CAPTURED", "SETTLED", "RETURNED", "VOIDED", "REFUNDED"] as const;
const payoutKinds = ["PREPARED", "HELD", "RELEASED", "PAID", "REJECTED", "RETURNED", "CANCELLED"] as const;
const words = ["APPROVED", "REVIEW", "REJECTED"] as const;
const reports: readonly Told[] = [
  ...pullKinds.map((kind) => ({ role: "pull", kind }) as const),
  ...payoutKinds.map((kind) => ({ role: "payout", kind }) as const),
  ...words.map((status) => ({ role: "screening", status }) as const),
  { role: "pull", kind: "CAPTURED", minor: 6_000n },
  { role: "pull", kind: "RETURNED", minor: 2_000n, movementId: "part" },
  { role: "pull", kind: "CHARGED_BACK", minor: 2_500n, movementId: "dispute" },
  { role: "pull", kind: "REFUNDED", minor: 1_000n, movementId: "console" },
  { role: "refusal", code: "refused" },
];
const commands: readonly Command[] = [
  { kind: "capture", amount: undefined },
  { kind: "void" },
  { kind: "cancel" },
  { kind: "approveReversal" },
  { kind: "refuseReversal" },
  { kind: "rejectHold" },
];
const settled = (fact: Pick<GivenFact, "role" | "kind">): CaseCommand => ({
  kind: "settleStep",
  fact: { ...fact, amount: undefined, movementId: undefined, evidence } as GivenFact,
});
const begun: readonly CaseCommand[] = [
  { kind: "beginVoid" },
  { kind: "beginCancel" },
  { kind: "beginRelease" },
  { kind: "beginRefund", amount: undefined },
  { kind: "beginRefund", amount: money(500n, "USD") },
];
const sayings: readonly CaseCommand[] = [
  settled({ role: "pull", kind: "VOIDED" }),
  settled({ role: "payout", kind: "CANCELLED" }),
  { kind: "refuseStep", evidence },
  { kind: "close" },
];

/** Returns undefined where the command is refused. */
function attempt(decide: () => Change): Change | undefined {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DomainError && error.reason !== "INTERNAL") return undefined;
    throw error;
  }
}

type Act = (payment: Payment, id: string) => Change | undefined;
const asked =
  (command: Command): Act =>
  (payment) =>
    attempt(() => applyCommand(payment, command, at));
/** Runs a command on a case only while a case is open. */
const onCase =
  (command: CaseCommand): Act =>
  (payment, id) =>
    payment.openCase === undefined ? undefined : attempt(() => applyCaseCommand(payment, id, command, at));
const told =
  (one: Told): Act =>
  (payment) =>
    tell(unchanged(payment), one, at);

/** Acts that the payment waits for: most random acts come at the wrong time and change nothing. */
const timely =
  (choice: number): Act =>
  (payment) => {
    const changes = reports
      .map((one) => tell(unchanged(payment), one, at))
      .filter(({ next }) => next.state !== payment.state || next.execution.step !== payment.execution.step);
    return changes[choice % Math.max(changes.length, 1)];
  };

const act: fc.Arbitrary<Act> = fc.oneof(
  { arbitrary: fc.nat(100).map(timely), weight: 5 },
  { arbitrary: fc.constantFrom(...reports).map(told), weight: 2 },
  { arbitrary: fc.constantFrom(...commands).map(asked), weight: 1 },
  { arbitrary: fc.constantFrom(...begun, ...sayings).map(onCase), weight: 4 },
);
const start = fc.record({
  type: fc.constantFrom<PaymentType>("PUSH", "PULL", "PULLPUSH"),
  isCard: fc.boolean(),
  limit: fc.constantFrom(undefined, 0n),
});
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

function walk({ type, isCard, limit }: Start, acts: readonly Act[]): Payment[] {
  const pull = isCard ? cardPull() : accountPull();
  const free = { bps: 0, fixedMinor: 0n };
  const terms = { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: limit };
  const seen = [newPayment(type, { terms, pull: type === "PUSH" ? undefined : pull }).next];
  acts.forEach((one, index) => {
    const before = seen.at(-1);
    const change = before === undefined ? undefined : one(before, `c${index}`);
    if (change !== undefined) seen.push(change.next);
  });
  return seen;
}

const isReachable = (payment: Payment): boolean =>
  isIdle(payment) ||
  payment.execution.step !== undefined ||
  payment.execution.dueAt !== undefined ||
  payment.openCase !== undefined ||
  holdOf(payment) !== undefined;

/** Acts that end each call: the provider's answer, or an operator's statement when the provider never answers. */
const answers: Readonly<Record<Step, readonly Act[]>> = {
  authorize: [told({ role: "pull", kind: "DECLINED" })],
  capture: [told({ role: "pull", kind: "CAPTURED" }), told({ role: "pull", kind: "SETTLED" })],
  void: [told({ role: "pull", kind: "VOIDED" })],
  refund: [told({ role: "pull", kind: "REFUNDED" })],
  prepare: [told({ role: "payout", kind: "PREPARED" })],
  screen: [told({ role: "screening", status: "REJECTED" })],
  release: [told({ role: "payout", kind: "PAID" })],
  cancel: [told({ role: "payout", kind: "CANCELLED" })],
};
/**
 * What operators do about a payment whose providers are not asked: the first command that is accepted. None of them says that money
 * moved.
 */
const endings: readonly Act[] = [
  onCase({ kind: "close" }),
  onCase({ kind: "beginCancel" }),
  onCase({ kind: "beginVoid" }),
  onCase({ kind: "beginRelease" }),
  asked({ kind: "rejectHold" }),
  asked({ kind: "void" }),
];
const onwards = (before: Payment, { next }: Change): boolean =>
  next.state !== before.state || next.execution.step !== before.execution.step || next.openCase !== before.openCase;

/** Returns the payment after its providers have answered and operators have ended what they can. */
function end(payment: Payment): Payment {
  let current = payment;
  for (let turn = 0; turn < 20; turn += 1) {
    if (isIdle(current) && current.openCase === undefined) return current;
    const { step } = current.execution;
    const waits = step ?? awaited[current.state];
    // A debit that was returned in part is never reported as settled: its provider reports RETURNED from then on.
    const isSilent = step === undefined && (current.pull?.refundedMinor ?? 0n) > 0n;
    const said = waits === undefined || isSilent ? [] : answers[waits];
    const acts = [
      ...(current.state === "PendingReversalApproval" ? [asked({ kind: "approveReversal" })] : []),
      ...(waits === undefined ? [] : [...said, onCase({ kind: "refuseStep", evidence })]),
      ...endings,
    ];
    const before = current;
    const taken = acts.map((one) => one(before, `e${turn}`)).find((change) => change && onwards(before, change));
    if (taken === undefined) return current;
    current = taken.next;
  }
  return current;
}

describe("a payment, whatever operators do about its cases", () => {
  it("is always reachable: by a due time, a running step, an open case or a hold", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 25 }), (facts, acts) => {
        for (const payment of walk(facts, acts)) {
          if (!isReachable(payment)) throw new Error(`${payment.type} in ${payment.state} is seen by nobody`);
        }
      }),
      { numRuns: 500, seed: 20_261_124 },
    );
  });

  it("comes to its end by commands and by what its providers can say", () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 25 }), (facts, acts) => {
        const last = walk(facts, acts).at(-1);
        const ended = last === undefined ? undefined : end(last);
        if (ended === undefined || (isIdle(ended) && ended.openCase === undefined)) return;
        const { type, state, payoutStatus, openCase } = ended;
        const { step } = ended.execution;
        throw new Error(`${type} stays in ${state}, step ${step}, payout ${payoutStatus}, ${openCase?.kinds.join()}`);
      }),
      { numRuns: 500, seed: 20_261_125 },
    );
  });
});

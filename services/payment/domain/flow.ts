import { plusMs } from "../../shared/kernel/clock";
import type { Cause } from "../../shared/kernel/reason-codes";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import { collectedMinor, hasOpenCardAuthorisation, paidOutMinor } from "./balance";
import { endBlock } from "./blocked-money";
import { openCase } from "./cases";
import { collect } from "./collect";
import { askedInVain, type InVain, idle, retryAt } from "./execution";
import { named } from "./fact";
import {
  begin,
  type Change,
  type CollectingPayment,
  collects,
  move,
  note,
  type PayingPayment,
  type Payment,
  type PaymentOf,
  setCompliance,
  update,
  updatePull,
} from "./payment";
import { beginReversal, isReversalApproved } from "./reversal";
import { awaited, type Step } from "./steps";
import type { PaymentType } from "./typed-legs";

const hourMs = 3_600_000;

/** An uncaptured authorisation of a card is valid for seven days. */
const authorisationLifeMs = 7 * 24 * hourMs;
/** A 3-D Secure page is valid for 15 minutes. */
export const challengeLifeMs = 15 * 60_000;

/** What a payment does next in a state: move on by itself, call a provider, wait, or stop. */
type Plan =
  | { kind: "move"; to: TransactionState; message: string; cause?: Cause }
  | { kind: "step"; step: Step }
  | { kind: "wait"; deadlineMs: number }
  | { kind: "reverse" }
  | { kind: "approval" }
  | { kind: "collected" }
  | { kind: "person" }
  | { kind: "rest" };

/** Plans that end a decision for now. */
type Stop = Exclude<Plan, { kind: "move" | "collected" }>;

const go = (to: TransactionState, message: string) => ({ kind: "move", to, message }) as const satisfies Plan;
const call = (step: Step): Stop => ({ kind: "step", step });
const wait = (deadlineMs: number): Plan => ({ kind: "wait", deadlineMs });
const rest: Plan = { kind: "rest" };
const person: Stop = { kind: "person" };

/** How long each wait may take before an operator is notified. */
const settlementMs = 5 * 24 * hourMs;
const reviewMs = 24 * hourMs;
const payoutMs = 24 * hourMs;

const waits: Readonly<Partial<Record<TransactionState, Plan>>> = {
  WaitingChallenge3ds: wait(challengeLifeMs),
  PayoutHold: wait(reviewMs),
  ManualReview: wait(reviewMs),
  BlockedPendingReview: wait(reviewMs),
  WaitingPayout: wait(payoutMs),
  WaitingSettlement: wait(settlementMs),
};

/** Rests, or starts the reversal of a payment whose money the payer's bank has taken back. */
const endTaken = ({ pull, facts }: CollectingPayment): Plan => {
  if (pull.returnedAt === undefined) return rest;
  const taken = facts.findLast(({ role, kind }) => role === "pull" && kind === "RETURNED");
  const cause = { code: named(taken?.reason).code, leg: "pull" } as const;
  return { ...go("PendingReversalApproval", "the payer's bank has taken the money back"), cause };
};

type Flow<P extends Payment> = Readonly<Partial<Record<TransactionState, (payment: P) => Plan>>>;

const isAccount = ({ pull }: CollectingPayment): boolean => pull.source.kind !== "card";

/** Gives back what was taken: nothing before a collection, the authorisation while the money is only authorised, else the money itself. */
function releaseFunds(payment: Payment): Plan {
  // The recipient has the money although nothing was to be paid: a person decides who bears the loss.
  if (paidOutMinor(payment) > 0n) return person;
  if (payment.type === "PUSH") return go("Cancelled", "nothing was paid");
  const { capturedAt, authorizedAt } = payment.pull;
  if (capturedAt !== undefined) return go("PendingReversalApproval", "what was collected is to be given back");
  const isHeld = authorizedAt !== undefined && !isAccount(payment);
  return isHeld ? call("void") : go("Voided", "nothing was collected and nothing was paid");
}

/** Reverses a collection. Money that is already gone needs no call; otherwise the terms or a person approve that it goes back. */
function reverse(payment: CollectingPayment): Plan {
  const isSent = payment.blocked?.paidTo !== undefined && collectedMinor(payment) === 0n;
  if (isSent) return go("Refunded", "the money went where an authority's order sent it");
  if (payment.pull.returnedAt !== undefined) return go("Refunded", "the payer's bank has taken the money back");
  if (collectedMinor(payment) <= 0n) return go("Refunded", "nothing is left of what was collected");
  // No terms approve a reversal that would leave both parties with the money.
  const isApproved = isReversalApproved(payment) && paidOutMinor(payment) === 0n;
  return isApproved ? { kind: "reverse" } : { kind: "approval" };
}

/** True when the payout may be released: only when the whole amount was collected, or when a person lets it go. */
export const mayRelease = ({ pull, amount }: Payment): boolean =>
  pull === undefined || pull.releaseAnyway || pull.capturedMinor - pull.refundedMinor >= amount.minor;

const release = (payment: Payment): Stop => (mayRelease(payment) ? call("release") : person);

/** True while the rail has an instruction that it may still pay. */
export const isInstructed = ({ payoutStatus }: Payment): boolean =>
  payoutStatus === "AUTHORIZED" || payoutStatus === "PENDING";

/** Cancels a payout that was prepared, and neither given up nor paid, on its rail before money goes back to the payer. */
const takeBack = (payment: Payment): Plan => (isInstructed(payment) ? call("cancel") : releaseFunds(payment));
const reverseWhole = (payment: CollectingPayment): Plan => (isInstructed(payment) ? call("cancel") : reverse(payment));

const payoutFlow: Flow<PayingPayment> = {
  ProcessingPayout: () => call("prepare"),
  PayoutReleased: () => go("PayoutAccepted", "the rail let the instruction go on"),
  PayoutAccepted: () => call("screen"),
  PayoutRejected: releaseFunds,
  ReviewRejected: takeBack,
  CancelRequested: takeBack,
};

/** What each type of payment does in each state. A type has nothing to do in a state without a row. */
const flows: { readonly [T in PaymentType]: Flow<PaymentOf<T>> } = {
  PUSH: {
    ...payoutFlow,
    Created: () => go("ProcessingPayout", "payout is being prepared"),
    ReviewApproved: () => call("release"),
    Paid: () => go("Completed", "payment complete"),
  },
  PULL: {
    Created: () => go("PaymentProcessing", "the payer is being asked"),
    PaymentProcessing: ({ compliance }) => call(compliance === "Pending" ? "screen" : "authorize"),
    PaymentAuthorized: ({ pull }) => (pull.captureAtOnce ? call("capture") : wait(authorisationLifeMs)),
    PaymentCaptured: (payment) => {
      if (isAccount(payment)) return go("WaitingSettlement", "the debit is to settle");
      // The acquirer collected while the payment was being given up.
      if (payment.automaticReversed) return go("PendingReversalApproval", "what was collected is to be given back");
      return go("Completed", "payment complete");
    },
    PaymentSettled: () => go("Completed", "payment complete"),
    Completed: endTaken,
    PendingReversalApproval: reverse,
  },
  PULLPUSH: {
    ...payoutFlow,
    Created: () => go("PaymentProcessing", "the payer is being asked"),
    PaymentProcessing: (payment) =>
      isAccount(payment) ? go("PaymentAuthorized", "the payer has allowed the debit") : call("authorize"),
    PaymentAuthorized: () => go("ProcessingPayout", "payout is being prepared"),
    ReviewApproved: ({ pull }) => (pull.capturedAt === undefined ? call("capture") : { kind: "collected" }),
    PaymentCaptured: (payment) =>
      isAccount(payment) ? go("WaitingSettlement", "the debit is to settle") : release(payment),
    // Settlement takes days, during which the sanctions lists may have changed.
    PaymentSettled: () => call("screen"),
    Paid: () => go("Completed", "payment complete"),
    Completed: endTaken,
    PendingReversalApproval: reverseWhole,
  },
};

/** Releases the payout of a payment that was approved days ago and has settled. */
export const goAfterSettlement = (change: Change, at: Date): Change => follow(change, release(change.next), at);

/** Advances a decision until the payment has to call a provider, to wait, or is idle. */
export function advance<P extends Payment>(change: Change<P>, at: Date): Change<P> {
  let current = change;
  // The graph is short; more moves than it has states mean a loop.
  for (let moves = 0; moves < 26; moves += 1) {
    const plan = planOf(current.next);
    if (plan.kind === "move") current = moveOn(current, plan, at);
    else if (plan.kind !== "collected") return follow(current, plan, at);
    else if (collects(current)) current = collect(current, current.next.pull.capturedMinor, at);
  }
  throw new Error("a payment goes in circles");
}

/** Moves on. A move that changes what the payment has come to is recorded in its history. */
function moveOn<P extends Payment>(
  change: Change<P>,
  { to, message, cause }: Extract<Plan, { kind: "move" }>,
  at: Date,
): Change<P> {
  const gone = move(cause === undefined ? change : update(change, { cause }), to, at, message);
  const moved = to === "Refunded" ? setCompliance(gone, "Refunded", at, message) : gone;
  if (moved.next.status === change.next.status) return moved;
  return note(moved, { code: to === "Refunded" ? "REFUND" : "PAYMENT", description: message }, at);
}

/** Stops where the payment calls a provider, waits, or is idle. */
function follow<P extends Payment>(change: Change<P>, plan: Stop, at: Date): Change<P> {
  switch (plan.kind) {
    case "step":
      return begin(change, plan.step, at);
    case "wait":
      return startWait(change, plan.deadlineMs, at);
    case "reverse":
      return beginReversal(change, at);
    case "approval":
      return waitForPerson(change, at);
    case "person":
      return waitForPerson(withCase(change), at);
    case "rest":
      return endBlock(update(change, { execution: idle }), at);
  }
}

/** Opens the case anew when a person closed it before the payment began to wait; its first opening came with a report. */
function withCase<P extends Payment>(change: Change<P>): Change<P> {
  const { openCase: open, caseCount } = change.next;
  const isForgotten = open === undefined && caseCount > 0;
  return isForgotten ? openCase(change, "UNEXPECTED_FACT", "only a person can say how the payment goes on") : change;
}

/** Waits for an operator's decision; the operator was notified. */
export const waitForPerson = <P extends Payment>(change: Change<P>, at: Date): Change<P> =>
  update(change, { execution: { ...idle, escalatedAt: at } });

function planOf(payment: Payment): Plan {
  return ownPlanOf(payment) ?? waits[payment.state] ?? rest;
}

function ownPlanOf(payment: Payment): Plan | undefined {
  switch (payment.type) {
    case "PUSH":
      return flows.PUSH[payment.state]?.(payment);
    case "PULL":
      return flows.PULL[payment.state]?.(payment);
    case "PULLPUSH":
      return flows.PULLPUSH[payment.state]?.(payment);
  }
}

/** Waits, in the present state, for a person to decide about the payment's compliance. */
export const waitForReview = (change: Change, at: Date): Change => startWait(change, reviewMs, at);

function startWait<P extends Payment>(change: Change<P>, deadlineMs: number, at: Date): Change<P> {
  const deadlineAt = plusMs(at, deadlineMs);
  // No provider is asked about an authorisation that its caller has not captured; it can only expire.
  const dueAt = change.next.state === "PaymentAuthorized" ? deadlineAt : retryAt(0, at);
  return update(change, { execution: { ...idle, dueAt, deadlineAt } });
}

/** Postpones a payment without an outcome: asks again later, and asks before sending again. Past the deadline an operator is notified. */
export function postpone(change: Change, at: Date, found: InVain): Change {
  const { execution } = change.next;
  const later = update(change, { execution: askedInVain(execution, at, found), updatedAt: at });
  const called = calledOf(change.next);
  if (called === undefined) return isLapsed(later.next, at) ? reportLapse(later, at) : later;
  const isSilent = execution.escalatedAt === undefined && later.next.execution.escalatedAt !== undefined;
  return isSilent ? openCase(later, "STEP_UNKNOWN", `the outcome of the step ${called} is not known`) : later;
}

/** True when a card's authorisation has expired during a review. Nothing is voided, because a person decides about the payment. */
function isLapsed(payment: Payment, at: Date): boolean {
  const { authorizedAt } = payment.pull ?? {};
  return (
    hasOpenCardAuthorisation(payment) && authorizedAt !== undefined && plusMs(authorizedAt, authorisationLifeMs) <= at
  );
}

/** Notifies an operator, once, that an authorisation has expired while its payment waits for a decision. */
export function reportLapse<P extends Payment>(change: Change<P>, at: Date): Change<P> {
  if (!collects(change) || change.next.pull.lapseToldAt !== undefined) return change;
  const text = "the authorisation of the card is over while the payment waits for a decision";
  return openCase(updatePull(change, { lapseToldAt: at }), "AUTHORIZATION_EXPIRED", text);
}

/** Returns the call whose outcome is awaited, if it goes to a provider that collects or pays out. */
function calledOf({ state, execution: { step } }: Payment): Step | undefined {
  const called = step ?? awaited[state];
  return called === undefined || called === "screen" || state === "PayoutHold" ? undefined : called;
}

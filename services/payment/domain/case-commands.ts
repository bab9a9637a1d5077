import { DomainError, invalid } from "../../shared/kernel/errors";
import { derivedUuid } from "../../shared/kernel/ids";
import { type Money, requireDigits } from "../../shared/kernel/money";
import { applyFact } from "./apply-fact";
import { collectedMinor, isHeldAtPayer, paidOutMinor } from "./balance";
import { isFrozen } from "./blocked-money";
import { closeCase, endSilence } from "./cases";
import type { Evidence, Fact, PayoutFactKind, PullFactKind } from "./fact";
import {
  begin,
  type Change,
  isFinal,
  moveMoney,
  type Payment,
  type Posting,
  unchanged,
  update,
  updatePull,
} from "./payment";
import { refusePayout } from "./payout-facts";
import { refusePull } from "./pull-facts";
import { hasRoomFor, maxRefunds } from "./reversal";
import { awaited, roleOf, type Step } from "./steps";
import { requireNothingMoved } from "./undone-money";

/** A fact as a person has proof of it. */
export type GivenFact = { amount: Money | undefined; movementId: string | undefined; evidence: Evidence } & (
  | { role: "pull"; kind: Exclude<PullFactKind, "CHALLENGED"> }
  | { role: "payout"; kind: Exclude<PayoutFactKind, "PREPARED" | "HELD" | "RELEASED"> }
);

/** What an operator may do about the payment of a case. */
export type CaseCommand =
  | { kind: "settleStep"; fact: GivenFact }
  | { kind: "refuseStep"; evidence: Evidence }
  | { kind: "beginVoid" }
  | { kind: "beginRefund"; amount: Money | undefined }
  | { kind: "beginCancel" }
  | { kind: "beginRelease" }
  | { kind: "postCorrection"; postings: readonly Posting[] }
  | { kind: "close" };

/**
 * Decides an operator's command on the payment of a case. Throws STATE_CONFLICT when the payment does not allow it, and
 * INVALID_ARGUMENT.
 */
export function applyCaseCommand(payment: Payment, commandId: string, command: CaseCommand, at: Date): Change {
  const change = unchanged(payment);
  switch (command.kind) {
    case "settleStep":
      requireNothingMoved(payment, command.fact);
      return applyFact(change, toFact(payment, command.fact), at);
    case "refuseStep":
      return refuseStep(change, command.evidence, at);
    case "beginVoid":
      requireFree(payment, isHeldAtPayer(payment), "there is no open authorisation to void");
      return begin(change, "void", at);
    case "beginRefund":
      return beginRefund(change, commandId, command.amount, at);
    case "beginCancel": {
      const isOpen = payment.payout !== undefined && paidOutMinor(payment) === 0n && !isFinal(payment.state);
      requireFree(payment, isOpen, "there is no payout that could be taken back");
      return begin(change, "cancel", at);
    }
    case "beginRelease": {
      const isWaiting = payment.state === "PaymentCaptured" || payment.state === "PaymentSettled";
      requireFree(payment, payment.type === "PULLPUSH" && isWaiting, "no payout waits for its collection");
      return begin(updatePull(change, { releaseAnyway: true }), "release", at);
    }
    case "postCorrection":
      return moveMoney(change, "correction", at, command.postings, derivedUuid("correction", payment.id, commandId));
    case "close":
      return closeAsItIs(change);
  }
}

/** The steps of which a provider may say no; a void or a cancel ends with what became of the money instead. */
const refusable: ReadonlySet<Step | undefined> = new Set(["authorize", "capture", "refund", "prepare", "release"]);

/** The flow goes on as if the provider had refused the call that is under way, or that is waited for. */
function refuseStep(change: Change, evidence: Evidence, at: Date): Change {
  const { status, state } = change.next;
  const step = change.next.step ?? awaited[state];
  const reason = { code: "NARR", text: "settled by an operator" } as const;
  const refusal = { code: "settled-by-operator", reason, evidence };
  const isPull = step !== undefined && roleOf[step] === "pull";
  const refused = isPull ? refusePull(change, refusal, at) : refusePayout(change, refusal, at);
  if (refused !== undefined && refusable.has(step)) return endSilence(refused);
  throw new DomainError("STATE_CONFLICT", "no call is under way that its provider could have refused", {
    details: { status, allowed: [] },
  });
}

/** A call that is under way must end first, and so must a review that has stopped the payment: its money is frozen. */
function requireFree(payment: Payment, isAllowed: boolean, message: string): void {
  const { status, state, step, dueAt } = payment;
  // One that waits for a person about its money is not looked at; one whose review is open is.
  const isReviewed = state === "PaymentSettled" && dueAt !== undefined;
  const isStopped = state === "BlockedPendingReview" || isReviewed || isFrozen(payment);
  if (isAllowed && step === undefined && !isStopped) return;
  const open = step === undefined ? message : `the call ${step} is under way`;
  const why = isStopped ? "compliance has stopped the payment, so that its review decides about its money" : open;
  throw new DomainError("STATE_CONFLICT", why, { details: { status, allowed: [] } });
}

function toFact(payment: Payment, { evidence, movementId, ...told }: GivenFact): Fact {
  const provider = told.role === "pull" ? payment.pull?.provider : payment.payout?.rail;
  if (provider === undefined)
    throw invalid([{ field: "settleStep.kind", message: "is of a leg that the payment lacks" }]);
  requireAmount(told);
  const common = { provider, reference: payment.id, movementId, evidence, amount: told.amount };
  return told.role === "pull"
    ? { ...common, role: "pull", kind: told.kind }
    : { ...common, role: "payout", kind: told.kind };
}

const withAmount: ReadonlySet<string> = new Set([
  "CAPTURED",
  "SETTLED",
  "REFUNDED",
  "RETURNED",
  "CHARGED_BACK",
  "PAID",
]);

/** The currency is whatever the provider moved: another one than was asked for is taken as it is from a person, too. */
function requireAmount(told: Pick<GivenFact, "kind" | "amount">): void {
  const field = "settleStep.amount";
  if (!withAmount.has(told.kind)) {
    if (told.amount !== undefined) throw invalid([{ field, message: `does not belong to ${told.kind}` }]);
  } else if (told.amount === undefined || told.amount.minor <= 0n) {
    throw invalid([{ field, message: "must be more than 0" }]);
  }
}

function beginRefund(change: Change, commandId: string, asked: Money | undefined, at: Date): Change {
  const { id, amount, refunds } = change.next;
  const left = collectedMinor(change.next);
  requireFree(change.next, left > 0n, "nothing is left that could be given back");
  if (!hasRoomFor("platform", refunds)) {
    throw new DomainError("STATE_CONFLICT", `a payment allows at most ${maxRefunds} refunds begun by operators`, {
      details: { status: change.next.status, allowed: [], limit: maxRefunds },
    });
  }
  const minor = asked?.minor ?? left;
  requireDigits(asked?.currency ?? amount.currency);
  if (minor <= 0n || minor > left || (asked !== undefined && asked.currency !== amount.currency)) {
    throw invalid([{ field: "beginStep.amount", message: "must be more than 0 and at most what was collected" }]);
  }
  const refund = {
    id: derivedUuid("case-refund", id, commandId),
    externalId: undefined,
    minor,
    askedMinor: undefined,
    reason: "begun by an operator",
    status: "PENDING" as const,
    requestedAt: at,
    settledAt: undefined,
  };
  return begin(update(change, { refunds: [...refunds, refund], automaticReversed: true }), "refund", at);
}

/** The operator has looked at the money as it is; it is a case again only when more moves. */
function closeAsItIs(change: Change): Change {
  const { next } = change;
  const accepted = { collectedMinor: collectedMinor(next), paidOutMinor: paidOutMinor(next) };
  return closeCase(update(change, { accepted, escalatedAt: undefined }), "closed");
}

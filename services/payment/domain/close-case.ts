import { DomainError } from "../../shared/kernel/errors";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import { collectedMinor, hasOpenCardAuthorisation, paidOutMinor } from "./balance";
import { closeCase } from "./cases";
import { advance, isInstructed } from "./flow";
import {
  because,
  type Change,
  isIdle,
  move,
  note,
  type Payment,
  setCompliance,
  update,
  updateExecution,
} from "./payment";

/**
 * Closes the case after the operator has looked at the money as it is; another case is opened only when more money moves. A wait that
 * only a person could end is ended with the case. Throws STATE_CONFLICT where something is still open that only a command on the case
 * could end.
 */
export function closeAsItIs(change: Change, at: Date): Change {
  const { next } = change;
  const accepted = { collectedMinor: collectedMinor(next), paidOutMinor: paidOutMinor(next) };
  const looked = update(updateExecution(change, { escalatedAt: undefined }), { accepted });
  return closeCase(waitsForPerson(next) ? endAsItIs(looked, at) : looked, "closed");
}

/** True while only a command on its case can move the payment: no call is under way, no provider is asked, and no hold shows it. */
const waitsForPerson = (payment: Payment): boolean =>
  !isIdle(payment) &&
  payment.execution.step === undefined &&
  payment.execution.dueAt === undefined &&
  payment.state !== "PendingReversalApproval";

const why = "closed by a person as it is";

function endAsItIs(change: Change, at: Date): Change {
  const { status, state, compliance, cause, pull } = change.next;
  const to = endOf(change.next);
  const open = stillOpen(change.next);
  if (open !== undefined || to === undefined) {
    const message = open ?? `a payment in ${state} is not ended by closing its case`;
    throw new DomainError("STATE_CONFLICT", message, { details: { status, allowed: [] } });
  }
  const leg = pull === undefined ? "payout" : "pull";
  const ended = move(cause === undefined ? because(change, "NARR", leg) : change, to, at, why);
  const isPending = to !== "Completed" && (compliance === "Pending" || compliance === "Approved");
  const judged = isPending ? setCompliance(ended, "Cancelled", at, why) : ended;
  return advance(note(judged, { code: "PAYMENT", description: why }, at), at);
}

function stillOpen(payment: Payment): string | undefined {
  if (hasOpenCardAuthorisation(payment))
    return "an authorisation of the payer's card is still open: begin a void first";
  if (isInstructed(payment) || payment.state === "ProcessingPayout") {
    return "the payout is still open: take it back, or let it go, first";
  }
  return undefined;
}

/** Returns the state in which a payment ends that did what was asked for, or did nothing; undefined when it cannot end there. */
function endOf({ state, type }: Payment): TransactionState | undefined {
  const to = type === "PULL" ? "Completed" : type === "PUSH" ? "Cancelled" : "Voided";
  return transactionMoves[state].includes(to) ? to : undefined;
}

import { collectedMinor, paidOutMinor } from "./balance";
import { openCase } from "./cases";
import { waitForPerson } from "./flow";
import { type Change, isFinal, move, type Payment, paysOut, setPayout } from "./payment";

/** True while a payment is being given up although money has moved meanwhile: its provider can never confirm that it was given up. */
export const isOvertaken = (payment: Payment): boolean =>
  payment.execution.step === "void"
    ? collectedMinor(payment) > 0n
    : payment.execution.step === "cancel" && paidOutMinor(payment) > 0n && !isFinal(payment.state);

/** Drops a call that can no longer have a result. The payment waits for a person, and a case is opened unless one is open already. */
export function dropStep(change: Change, at: Date): Change {
  const { state, openCase: open } = change.next;
  const { step } = change.next.execution;
  const text = `the call ${step} was overtaken by money that moved`;
  const told = open === undefined ? openCase(change, "UNEXPECTED_FACT", text) : change;
  const waiting = waitForPerson(told, at);
  const isPrepared = state === "ProcessingPayout" || state === "PayoutHold";
  if (step !== "cancel" || !isPrepared || !paysOut(waiting)) return waiting;
  return setPayout(move(waiting, "PayoutRejected", at, text), "CAPTURED", at, text);
}

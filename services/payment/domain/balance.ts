import { isFinal, type Payment } from "./payment";

/** Returns what was collected and has not gone back. */
export const collectedMinor = ({ pull }: Payment): bigint =>
  pull === undefined ? 0n : pull.capturedMinor - pull.refundedMinor;

/** Returns what the recipient received and has not given back. */
export const paidOutMinor = ({ payout }: Payment): bigint =>
  payout === undefined ? 0n : payout.paidMinor - payout.returnedMinor;

/** True while an authorisation of a payer's card is open at the acquirer. */
export const hasOpenCardAuthorisation = ({ pull }: Payment): boolean =>
  pull?.source.kind === "card" &&
  pull.authorizedAt !== undefined &&
  pull.voidedAt === undefined &&
  pull.capturedMinor === 0n;

/** True when nothing is under way. */
const isOver = ({ state, execution: { step } }: Payment): boolean => isFinal(state) && step === undefined;

/** True when the payment is over and providers have moved exactly what its status says. */
export function isInBalance(payment: Payment): boolean {
  if (!isOver(payment) || hasOpenCardAuthorisation(payment)) return false;
  const { type, status } = payment;
  const collected = collectedMinor(payment);
  const paidOut = paidOutMinor(payment);
  if (status !== "CAPTURED") return collected === 0n && paidOut === 0n;
  const isPaid = type === "PULL" || paidOut === payment.payout?.amount.minor;
  return isPaid && isCollected(payment, collected);
}

/** Counts refunds one by one: money that went back without a refund of ours is out of balance. */
function isCollected({ type, pull, refunds, amount }: Payment, collected: bigint): boolean {
  if (pull === undefined) return true;
  if (type === "PULLPUSH") return collected === amount.minor;
  const given = refunds.reduce((sum, { status, minor }) => (status === "REFUNDED" ? sum + minor : sum), 0n);
  return pull.capturedMinor === pull.captureMinor && pull.refundedMinor === given;
}

/** True when a person has closed a case and the money has not changed since. */
export const isAccepted = (payment: Payment): boolean =>
  payment.accepted !== undefined &&
  payment.accepted.collectedMinor === collectedMinor(payment) &&
  payment.accepted.paidOutMinor === paidOutMinor(payment);

import { derivedUuid } from "../../shared/kernel/ids";
import { collectedMinor, paidOutMinor } from "./balance";
import {
  type Change,
  collects,
  isFinal,
  moveMoney,
  type Payment,
  type Posting,
  type Pull,
  update,
  updatePull,
} from "./payment";

/** Returns the ledger account that holds the money of a case. */
const accountOf = (caseId: string): string => `platform/blocked/${caseId}`;

export const fundingOf = ({ tenant }: Pick<Payment, "tenant">): string => `tenant/${tenant}/funding`;

export const between = (from: string, to: string, currency: string, minor: bigint): Posting[] => [
  { account: from, currency, minor: -minor },
  { account: to, currency, minor },
];

/** True while what remains of the payment's money may move only with an authority's permission. */
export const isFrozen = ({ blocked }: Payment): boolean => blocked !== undefined && !blocked.isReleased;

/** Returns the payment's money that is with us: what its tenant is to pay, or what was collected; nothing once it was paid out. */
function ownMinor(payment: Payment): bigint {
  if (paidOutMinor(payment) > 0n) return 0n;
  return payment.type === "PUSH" ? payment.amount.minor : collectedMinor(payment);
}

/**
 * Blocks the payment by a person's decision: its money moves to the account of the case, once for each case, together with what an
 * earlier case still holds.
 */
export function freeze(change: Change, caseId: string, at: Date): Change {
  const { blocked, amount, id, type } = change.next;
  if (blocked?.caseId === caseId) return change;
  const heldMinor = ownMinor(change.next);
  const before = blocked === undefined || blocked.heldMinor > heldMinor ? 0n : blocked.heldMinor;
  const taken = heldMinor - before;
  const takenMinor = (blocked?.takenMinor ?? 0n) + (type === "PUSH" ? taken : 0n);
  const postings = [
    ...between(fundingOf(change.next), accountOf(caseId), amount.currency, taken),
    ...(blocked === undefined ? [] : between(accountOf(blocked.caseId), accountOf(caseId), amount.currency, before)),
  ];
  const frozen = update(change, { blocked: { caseId, heldMinor, takenMinor, isReleased: false }, updatedAt: at });
  return moveMoney(frozen, "block", at, postings, derivedUuid("block", id, caseId));
}

/** Releases the block. The money stays on the account of the case until the payment moves it. */
export function thaw(change: Change): Change {
  const { blocked } = change.next;
  const isFree = blocked === undefined || blocked.isReleased;
  return isFree ? change : update(change, { blocked: { ...blocked, isReleased: true } });
}

/** Sends the money elsewhere by an authority's order, once: nothing of it remains for the payment to pay out or give back. */
export function surrender(change: Change, payTo: string, at: Date): Change {
  const { blocked, amount, id } = change.next;
  if (blocked === undefined || blocked.isReleased) return change;
  const { caseId, heldMinor } = blocked;
  const isTaken = heldMinor > 0n && collects(change);
  const gone = isTaken ? updatePull(change, goneOf(change.next.pull, heldMinor, at)) : change;
  const sent = update(gone, { blocked: { ...blocked, heldMinor: 0n, isReleased: true, paidTo: payTo } });
  const postings = between(accountOf(caseId), payTo, amount.currency, heldMinor);
  return moveMoney(sent, "surrender", at, postings, derivedUuid("surrender", id, caseId));
}

const goneOf = (pull: Pull, minor: bigint, at: Date): Partial<Pull> => {
  const refundedMinor = pull.refundedMinor + minor;
  return { refundedMinor, ...(refundedMinor >= pull.capturedMinor && { returnedAt: at }) };
};

/** Empties the account of the case when a payment has ended: what went nowhere else belongs to its tenant. */
export function endBlock<P extends Payment>(change: Change<P>, at: Date): Change<P> {
  const { blocked, amount, id, state } = change.next;
  if (blocked === undefined || !blocked.isReleased || !isFinal(state)) return change;
  const { caseId, heldMinor } = blocked;
  const postings = between(accountOf(caseId), fundingOf(change.next), amount.currency, heldMinor);
  const ended = update(change, { blocked: { ...blocked, heldMinor: 0n } });
  return moveMoney(ended, "unblock", at, postings, derivedUuid("unblock", id, caseId));
}

/**
 * Applies a movement to the tenant's account while a case holds the payment's money: money that leaves is taken from the account of the
 * case first, and money that comes in while the payment is blocked goes there.
 */
export function throughCase<P extends Payment>(
  change: Change<P>,
  postings: readonly Posting[],
): [Change<P>, readonly Posting[]] {
  const { blocked, amount } = change.next;
  if (blocked === undefined) return [change, postings];
  const funding = fundingOf(change.next);
  let heldMinor = blocked.heldMinor;
  const routed = postings.flatMap((posting) => {
    if (posting.account !== funding || posting.currency !== amount.currency) return [posting];
    const own = posting.minor < 0n ? larger(posting.minor, -heldMinor) : blocked.isReleased ? 0n : posting.minor;
    heldMinor += own;
    return [
      { ...posting, account: accountOf(blocked.caseId), minor: own },
      { ...posting, minor: posting.minor - own },
    ];
  });
  return [update(change, { blocked: { ...blocked, heldMinor } }), routed];
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

import { between, fundingOf, throughCase } from "./blocked-money";
import { feeMinor } from "./fees";
import { fxAccount } from "./open-conversion";
import {
  type Change,
  type CollectingPayment,
  type Fee,
  moveMoney,
  type PayingPayment,
  type Payment,
  type Posting,
  update,
  updatePayout,
  updatePull,
} from "./payment";

/** Money that certainly moved, and the entry that the ledger posts for it once. */
export interface Movement {
  minor: bigint;
  entryId: string | undefined;
}

/**
 * Returns the account of what a provider holds for us or owes us. For a wallet of this platform it is suspense, from which the ledger
 * itself credits the wallet.
 */
const clearingOf = (provider: string): string =>
  provider === "wallet-ledger" ? "platform/suspense" : `provider/${provider}/clearing`;

function payoutPostings(payment: PayingPayment): Posting[] {
  const { amount, payout } = payment;
  const to = clearingOf(payout.rail);
  if (amount.currency === payout.amount.currency) {
    // A rounding remainder stays with the liquidity account, so that each side is exact.
    const residue = amount.minor - payout.amount.minor;
    return [
      ...between(fundingOf(payment), to, amount.currency, payout.amount.minor),
      ...between(fundingOf(payment), fxAccount, amount.currency, residue),
    ];
  }
  return [
    ...between(fundingOf(payment), fxAccount, amount.currency, amount.minor),
    ...between(fxAccount, to, payout.amount.currency, payout.amount.minor),
    ...between(fxAccount, "platform/margin", amount.currency, payment.marginMinor),
  ];
}

/** Moves the payment's own money from or to the account that has it now. */
function moveOwn<P extends Payment>(
  change: Change<P>,
  moved: string,
  at: Date,
  postings: readonly Posting[],
  entryId: string | undefined,
): Change<P> {
  const [routed, own] = throughCase(change, postings);
  return moveMoney(routed, moved, at, own, entryId);
}

const reversed = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, minor: -posting.minor }));

const suspense = "platform/suspense";

/**
 * Posts that the recipient was paid, for the first time or again. The first time the tenant pays what was agreed, and any difference to
 * what the rail paid waits in suspense; a later payment comes out of suspense as a whole.
 */
export function postPayout(
  change: Change<PayingPayment>,
  { minor, entryId }: Movement,
  at: Date,
): Change<PayingPayment> {
  const { payout } = change.next;
  const { currency } = payout.amount;
  const clearing = clearingOf(payout.rail);
  const postings =
    payout.paidMinor === 0n
      ? [...payoutPostings(change.next), ...between(suspense, clearing, currency, minor - payout.amount.minor)]
      : between(suspense, clearing, currency, minor);
  const paid = updatePayout(change, { paidMinor: payout.paidMinor + minor });
  return moveOwn(paid, "payout", at, postings, entryId);
}

/** Posts that the recipient's bank gave money back: the whole amount undoes the payout, a part of it waits in suspense. */
export function postPayoutReturn(
  change: Change<PayingPayment>,
  { minor, entryId }: Movement,
  at: Date,
): Change<PayingPayment> {
  const { payout } = change.next;
  const { currency, minor: agreed } = payout.amount;
  const isWhole = minor === agreed && payout.paidMinor === agreed && payout.returnedMinor === 0n;
  const postings = isWhole
    ? reversed(payoutPostings(change.next))
    : between(clearingOf(payout.rail), suspense, currency, minor);
  const back = updatePayout(change, { returnedMinor: payout.returnedMinor + minor });
  return moveOwn(back, "payout-return", at, postings, entryId);
}

/** Posts that a provider collected for us. */
export function postCapture(
  change: Change<CollectingPayment>,
  { minor, entryId }: Movement,
  at: Date,
): Change<CollectingPayment> {
  const { pull, amount } = change.next;
  const postings = between(clearingOf(pull.provider), fundingOf(change.next), amount.currency, minor);
  const collected = updatePull(change, { capturedMinor: pull.capturedMinor + minor });
  return moveOwn(collected, "capture", at, postings, entryId);
}

/** Why collected money went back: we asked for it, the payer's bank took it, or the card scheme did. */
export type GivenBack = "refund" | "debit-return" | "chargeback";

export function postRefund(
  change: Change<CollectingPayment>,
  moved: GivenBack,
  { minor, entryId }: Movement,
  at: Date,
): Change<CollectingPayment> {
  const { pull, amount } = change.next;
  const postings = between(fundingOf(change.next), clearingOf(pull.provider), amount.currency, minor);
  // A person lets the payout go with the money as it is at that time, so the permission ends when money goes back.
  const given = updatePull(change, { refundedMinor: pull.refundedMinor + minor, releaseAnyway: false });
  return moveOwn(given, moved, at, postings, entryId);
}

/** Charges the tenant for an event, by the plan that was fixed at acceptance. */
export function charge<P extends Payment>(
  change: Change<P>,
  event: Fee["eventId"],
  minor: bigint,
  at: Date,
  sourceId?: string,
): Change<P> {
  const { terms, fees, amount, id } = change.next;
  const fee = feeMinor(terms.fees[event], minor);
  if (fee === 0n) return change;
  const charged = update(change, { fees: [...fees, { sourceId: sourceId ?? id, eventId: event, at, minor: fee }] });
  return moveMoney(charged, "fee", at, between(fundingOf(change.next), "platform/fees", amount.currency, fee));
}

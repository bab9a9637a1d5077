import { feeMinor } from "./fees";
import { type Change, type Fee, moveMoney, type Payment, type Posting, update } from "./payment";

const fundingOf = ({ tenant }: Payment): string => `tenant/${tenant}/funding`;

/** What a provider holds for us or owes us. A wallet of this platform is credited from suspense by the ledger itself. */
const clearingOf = (provider: string): string =>
  provider === "wallet-ledger" ? "platform/suspense" : `provider/${provider}/clearing`;

const between = (from: string, to: string, currency: string, minor: bigint): Posting[] => [
  { account: from, currency, minor: -minor },
  { account: to, currency, minor },
];

function payoutPostings(payment: Payment): Posting[] {
  const { amount, payout } = payment;
  if (payout === undefined) return [];
  const to = clearingOf(payout.rail);
  if (amount.currency === payout.amount.currency) {
    // What rounding leaves stays with the liquidity account, so that each side is exact.
    const residue = amount.minor - payout.amount.minor;
    return [
      ...between(fundingOf(payment), to, amount.currency, payout.amount.minor),
      ...between(fundingOf(payment), "platform/fx", amount.currency, residue),
    ];
  }
  return [
    ...between(fundingOf(payment), "platform/fx", amount.currency, amount.minor),
    ...between("platform/fx", to, payout.amount.currency, payout.amount.minor),
    ...between("platform/fx", "platform/margin", amount.currency, payment.marginMinor),
  ];
}

const reversed = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, minor: -posting.minor }));

/** The recipient was paid. */
export const postPayout = (change: Change, at: Date): Change =>
  moveMoney(change, "payout", at, payoutPostings(change.next));

/** The recipient's bank gave the payout back. */
export const postPayoutReturn = (change: Change, at: Date): Change =>
  moveMoney(change, "payout-return", at, reversed(payoutPostings(change.next)));

/** A provider collected for us. */
export function postCapture(change: Change, minor: bigint, at: Date): Change {
  const { pull, amount } = change.next;
  const from = clearingOf(pull?.provider ?? "");
  return moveMoney(change, "capture", at, between(from, fundingOf(change.next), amount.currency, minor));
}

/** A provider gave back what it had collected: `refund` when we asked for it, `debit-return` when the payer's bank did. */
export function postRefund(change: Change, moved: "refund" | "debit-return", minor: bigint, at: Date): Change {
  const { pull, amount } = change.next;
  const to = clearingOf(pull?.provider ?? "");
  return moveMoney(change, moved, at, between(fundingOf(change.next), to, amount.currency, minor));
}

/** Charges the tenant for an event, by the plan that was fixed at acceptance. */
export function charge(change: Change, event: Fee["eventId"], minor: bigint, at: Date, sourceId?: string): Change {
  const { terms, fees, amount, id } = change.next;
  const fee = feeMinor(terms.fees[event], minor);
  if (fee === 0n) return change;
  const charged = update(change, { fees: [...fees, { sourceId: sourceId ?? id, eventId: event, at, minor: fee }] });
  return moveMoney(charged, "fee", at, between(fundingOf(change.next), "platform/fees", amount.currency, fee));
}

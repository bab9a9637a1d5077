import type { HistoryEntry, Refund } from "../domain/payment";

/** An operation as it is stored. */
export interface HistoryRecord extends Omit<HistoryEntry, "amount"> {
  amountMinor: bigint;
  currency: string;
}

/** Converts an operation. The reason of a refund is written once, sealed with the refund: it is omitted where it describes an operation. */
export const toHistoryRecord =
  (refunds: readonly Refund[]) =>
  ({ amount, ...entry }: HistoryEntry): HistoryRecord => {
    const reason = refunds.find(({ id }) => id === entry.paymentId)?.reason;
    const description = entry.description === reason ? "" : entry.description;
    return { ...entry, description, amountMinor: amount.minor, currency: amount.currency };
  };

/** Returns a stored operation, with the reason of its refund where that describes it. */
export const toHistoryEntry =
  (refunds: readonly Refund[]) =>
  ({ amountMinor, currency, ...entry }: HistoryRecord): HistoryEntry => {
    const reason = refunds.find(({ id }) => id === entry.paymentId)?.reason ?? "";
    const description = entry.description === "" ? reason : entry.description;
    return { ...entry, description, cause: entry.cause, amount: { minor: amountMinor, currency } };
  };

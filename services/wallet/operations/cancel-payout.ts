import { payoutId } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { EntryStore } from "../store/entry-store";

/** The end of a payout; undefined while it is neither credited nor cancelled. */
export type PayoutEnd = "credited" | "cancelled" | undefined;

export interface PayoutRef {
  tenant: string;
  paymentId: string;
}

export type CancelPayout = (payout: PayoutRef) => Promise<PayoutEnd>;
export type FindPayout = (payout: PayoutRef) => Promise<PayoutEnd>;

const endOf = (kind: string): PayoutEnd => (kind === "payout-cancel" ? "cancelled" : "credited");

/** Makes sure that a payment's payout is never credited, unless it already was. */
export const makeCancelPayout =
  ({ ledger }: { ledger: Ledger }): CancelPayout =>
  async ({ tenant, paymentId }) => {
    const id = payoutId(tenant, paymentId);
    const { entry } = await ledger.submit({ kind: "payout-cancel", id, tenant, paymentId });
    return endOf(entry.kind);
  };

export const makeFindPayout =
  ({ entries }: { entries: Pick<EntryStore, "find"> }): FindPayout =>
  async ({ tenant, paymentId }) => {
    const entry = await entries.find(payoutId(tenant, paymentId));
    return entry && endOf(entry.kind);
  };

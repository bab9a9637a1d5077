import type { Money } from "../../shared/money";
import type { Outcome } from "../domain/decide";
import { payoutId } from "../domain/wallet-request";
import type { Ledger } from "../ports";

export interface CreditPayoutDeps {
  ledger: Ledger;
}

export interface PayoutCredit {
  tenant: string;
  walletId: string;
  paymentId: string;
  amount: Money;
  description: string | undefined;
}

export type CreditPayout = (credit: PayoutCredit) => Promise<Outcome>;

/** Credits a payment's payout to a wallet, once per payment. */
export const makeCreditPayout =
  ({ ledger }: CreditPayoutDeps): CreditPayout =>
  ({ tenant, walletId, paymentId, amount, description }) => {
    const { minor, currency } = amount;
    const hashes = { walletId, amount: `${minor} ${currency}` };
    const id = payoutId(tenant, paymentId);
    const facts = { walletId, paymentId, amount, description, externalId: paymentId };
    return ledger.submit({ kind: "payout", id, tenant, hashes, ...facts });
  };

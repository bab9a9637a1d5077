import type { Money } from "../../shared/kernel/money";
import type { Outcome } from "../domain/decide";
import { payoutId } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { SealedDetails } from "../store/sealed-details";

export interface CreditPayoutDeps {
  ledger: Ledger;
  sealed: Pick<SealedDetails, "sealCommand">;
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
  ({ ledger, sealed }: CreditPayoutDeps): CreditPayout =>
  async ({ tenant, walletId, paymentId, amount, description }) => {
    const { minor, currency } = amount;
    const fields = { walletId, amount: `${minor} ${currency}` };
    const id = payoutId(tenant, paymentId);
    const facts = { walletId, paymentId, amount, description, externalId: paymentId };
    const command = { kind: "payout", id, tenant, ...facts } as const;
    return ledger.submit(await sealed.sealCommand(command, fields));
  };

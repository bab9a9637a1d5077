import type { WalletServiceService } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { DomainError, hasReason } from "../../shared/errors";
import type { Rpc } from "../../shared/rpc";
import type { Payment, Payout } from "../domain/payment";
import type { RailStatus } from "../domain/payout-report";
import type { Step } from "../domain/steps";
import type { Outcome, Provider } from "../ports";

export type WalletClient = Pick<Rpc<typeof WalletServiceService>, "creditPayout" | "findPayoutWallet">;

/** Name of the rail that credits wallets of this platform. */
export const walletLedger = "wallet-ledger";

/**
 * Wallets of this platform as a rail. The ledger credits a payment's id once, so a release that was not answered is simply
 * sent again: asking says that it may be.
 */
export function makeWalletLedger(client: WalletClient): Provider {
  const perform = async (payment: Payment, payout: Payout, step: Step): Promise<Outcome> => {
    const named = { tenant: payment.tenant, walletId: payout.account["walletId"] ?? "" };
    const { minor, currency } = payout.amount;
    if (step === "prepare") {
      return answered(payout, "PREPARED", () => client.findPayoutWallet({ ...named, currency }));
    }
    if (step === "cancel") return reported(payout, "CANCELLED");
    const credit = { ...named, paymentId: payment.id, amount: { amountMinor: minor, currency }, description: "" };
    return answered(payout, "PAID", () => client.creditPayout({ ...credit, description: payout.narrative }));
  };
  return {
    finalityWindowMs: 0,
    perform: (payment, step) =>
      payment.payout === undefined ? Promise.resolve({ kind: "unknown" }) : perform(payment, payment.payout, step),
    ask({ payout }, step) {
      if (payout === undefined) return Promise.resolve({ kind: "unknown" });
      return Promise.resolve(step === "prepare" ? { kind: "absent" } : reported(payout, "PREPARED"));
    },
    readCallback() {
      throw new DomainError("ROUTE_NOT_FOUND", "the ledger calls nobody back");
    },
  };
}

const reported = ({ reference }: Payout, status: RailStatus, reason?: string): Outcome => ({
  kind: "report",
  report: { role: "payout", reference, status, railId: undefined, receipt: undefined, reason },
});

/** What the ledger refuses it refuses for certain; anything else is unknown. */
async function answered(payout: Payout, status: RailStatus, call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call();
    return reported(payout, status);
  } catch (error) {
    const isRefusal = hasReason(error, "WALLET_NOT_FOUND", "WALLET_INACTIVE", "CURRENCY_MISMATCH", "INVALID_ARGUMENT");
    return isRefusal ? reported(payout, "REFUSED", error.message) : { kind: "unknown" };
  }
}

/** True when a payout may go to a wallet of the tenant. */
export async function isOwnWallet(
  client: WalletClient,
  named: { tenant: string; walletId: string; currency: string },
): Promise<boolean> {
  try {
    await client.findPayoutWallet(named);
    return true;
  } catch (error) {
    if (hasReason(error, "WALLET_NOT_FOUND", "WALLET_INACTIVE", "CURRENCY_MISMATCH")) return false;
    throw error;
  }
}

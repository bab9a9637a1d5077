import type { WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import { DomainError, hasReason } from "../../../shared/kernel/errors";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { PayoutFact, PayoutFactKind } from "../../domain/fact";
import type { Payment, Payout } from "../../domain/payment";
import { narrativeOf } from "../../domain/payout-instruction";
import type { Step } from "../../domain/steps";
import type { Outcome, Provider } from "../../ports";
import { refusedBy } from "../answers";
import { walletLedger, walletLedgerManifest, wrongWallet } from "./manifest";

export type WalletClient = Pick<Rpc<typeof WalletServiceService>, "creditPayout" | "findPayoutWallet">;

/**
 * Wallets of this platform as a rail. The ledger credits a payment's id once, so a release that was not answered is simply
 * sent again: asking says that it may be.
 */
export function makeWalletPayouts(client: WalletClient): Provider {
  const perform = async (payment: Payment, payout: Payout, step: Step): Promise<Outcome> => {
    const named = { tenant: payment.tenant, walletId: payout.method.kind === "wallet" ? payout.method.walletId : "" };
    const { minor, currency } = payout.amount;
    if (step === "prepare") {
      // The wallet of a push was looked at when it was accepted, and the credit looks once more. Money is collected first elsewhere.
      if (payment.pull === undefined) return facts(payout, "PREPARED");
      return answered(payout, "PREPARED", () => client.findPayoutWallet({ ...named, currency }));
    }
    if (step === "cancel") return facts(payout, "CANCELLED");
    const credit = { ...named, paymentId: payment.id, amount: { amountMinor: minor, currency }, description: "" };
    return answered(payout, "PAID", () => client.creditPayout({ ...credit, description: narrativeOf(payout) }));
  };
  return {
    manifest: walletLedgerManifest,
    perform: (payment, step) =>
      payment.payout === undefined ? Promise.resolve({ kind: "unknown" }) : perform(payment, payment.payout, step),
    ask({ payout }, step) {
      if (payout === undefined) return Promise.resolve({ kind: "unknown" });
      return Promise.resolve(step === "prepare" ? { kind: "absent" } : facts(payout, "PREPARED"));
    },
    readCallback() {
      throw new DomainError("ROUTE_NOT_FOUND", "the ledger calls nobody back");
    },
  };
}

function facts({ reference, amount }: Payout, kind: PayoutFactKind): Outcome {
  const fact: PayoutFact = { role: "payout", kind, provider: walletLedger, reference };
  return { kind: "facts", facts: [kind === "PAID" ? { ...fact, amount } : fact] };
}

/** What the ledger refuses it refuses for certain; anything else is unknown. */
async function answered(payout: Payout, kind: PayoutFactKind, call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call();
    return facts(payout, kind);
  } catch (error) {
    if (!(error instanceof DomainError)) return { kind: "unknown" };
    const told = { code: undefined, text: error.message };
    return refusedBy(wrongWallet, error.reason, told, undefined) ?? { kind: "unknown" };
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

import { PayoutState, type WalletServiceService } from "../../../../proto/gen/corridor/wallet/v1/wallet_service";
import { DomainError, hasReason } from "../../../shared/kernel/errors";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { PayoutFact, PayoutFactKind } from "../../domain/fact";
import type { Payment, Payout } from "../../domain/payment";
import { narrativeOf } from "../../domain/payout-instruction";
import type { Step } from "../../domain/steps";
import type { Outcome, Provider } from "../../ports";
import { refusedBy } from "../answers";
import { walletLedger, walletLedgerManifest, wrongWallet } from "./manifest";

export type WalletClient = Pick<
  Rpc<typeof WalletServiceService>,
  "creditPayout" | "cancelPayout" | "findPayout" | "findPayoutWallet"
>;

/**
 * Pays out to wallets of this platform, as a rail. For each payment the ledger writes either the credit or its cancellation, once and
 * permanently, so a credit that is still in flight when the payout is cancelled has no effect.
 */
export function makeWalletPayouts(client: WalletClient): Provider {
  const perform = async (payment: Payment, payout: Payout, step: Step): Promise<Outcome> => {
    const named = { tenant: payment.tenant, walletId: payout.method.kind === "wallet" ? payout.method.walletId : "" };
    const { minor, currency } = payout.amount;
    if (step === "prepare") {
      // The wallet of a push was checked when the push was accepted, and the credit checks it again. A payment that collects first has
      // its wallet checked here.
      if (payment.pull === undefined) return facts(payout, "PREPARED");
      return answered(payout, "PREPARED", () => client.findPayoutWallet({ ...named, currency }));
    }
    if (step === "cancel") return ended(payout, () => client.cancelPayout(keyOf(payment)));
    const credit = { ...named, paymentId: payment.id, amount: { amountMinor: minor, currency }, description: "" };
    return answered(payout, "PAID", () => client.creditPayout({ ...credit, description: narrativeOf(payout) }));
  };
  return {
    manifest: walletLedgerManifest,
    perform: (payment, step) =>
      payment.payout === undefined ? Promise.resolve({ kind: "unknown" }) : perform(payment, payment.payout, step),
    async ask(payment, step) {
      const { payout } = payment;
      if (payout === undefined) return { kind: "unknown" };
      return step === "prepare" ? { kind: "absent" } : ended(payout, () => client.findPayout(keyOf(payment)));
    },
    readCallback() {
      throw new DomainError("ROUTE_NOT_FOUND", "the wallet service sends no callbacks");
    },
  };
}

const keyOf = ({ tenant, id: paymentId }: Payment) => ({ tenant, paymentId });

/** Returns what the ledger has written about a payout; a payout that it has not ended may still be credited or cancelled. */
async function ended(payout: Payout, call: () => Promise<{ state: PayoutState }>): Promise<Outcome> {
  try {
    const { state } = await call();
    if (state === PayoutState.CREDITED) return facts(payout, "PAID");
    if (state === PayoutState.CANCELLED) return facts(payout, "CANCELLED");
    return state === PayoutState.UNSPECIFIED ? facts(payout, "PREPARED") : { kind: "unknown" };
  } catch {
    return { kind: "unknown" };
  }
}

function facts({ reference, amount }: Payout, kind: PayoutFactKind): Outcome {
  const fact: PayoutFact = { role: "payout", kind, provider: walletLedger, reference };
  return { kind: "facts", facts: [kind === "PAID" ? { ...fact, amount } : fact] };
}

/** A refusal by the ledger is certain; any other error leaves the outcome unknown. */
async function answered(payout: Payout, kind: PayoutFactKind, call: () => Promise<unknown>): Promise<Outcome> {
  try {
    await call();
    return facts(payout, kind);
  } catch (error) {
    if (!(error instanceof DomainError)) return { kind: "unknown" };
    if (error.reason === "STATE_CONFLICT") return facts(payout, "CANCELLED");
    const told = { code: undefined, text: error.message };
    return refusedBy(wrongWallet, error.reason, told, undefined) ?? { kind: "unknown" };
  }
}

/** True when a payout may go to this wallet of the tenant. */
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

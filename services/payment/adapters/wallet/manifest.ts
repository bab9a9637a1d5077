import type { ErrorReason } from "../../../shared/kernel/errors";
import type { ReasonCode } from "../../../shared/kernel/reason-codes";
import type { ProviderManifest, Refusals } from "../../ports";

/** Name of the rail that credits wallets of this platform. */
export const walletLedger = "wallet-ledger";

/** Maps what the ledger refuses to reason codes. */
export const wrongWallet = {
  WALLET_NOT_FOUND: "AC03",
  WALLET_INACTIVE: "AC06",
  CURRENCY_MISMATCH: "AM03",
  INVALID_ARGUMENT: "FF01",
} as const satisfies Refusals & Partial<Record<ErrorReason, ReasonCode>>;

export const walletLedgerManifest: ProviderManifest = {
  name: walletLedger,
  role: "payout",
  hasPrepare: true,
  // Preparing a payout to a wallet is at most a read of the wallet.
  keepsPrepared: false,
  hasCancel: true,
  callbacks: "none",
  finalityWindowMs: 0,
  refusals: { prepare: wrongWallet, release: wrongWallet },
  statement: "ledger",
};

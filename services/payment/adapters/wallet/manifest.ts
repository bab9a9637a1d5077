import type { ErrorReason } from "../../../shared/kernel/errors";
import type { ReasonCode } from "../../../shared/kernel/reason-codes";
import type { ProviderManifest, Refusals } from "../../ports";

/** Name of the rail that credits wallets of this platform. */
export const walletLedger = "wallet-ledger";

/** What the ledger refuses, with what it stands for. */
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
  // It is a look at the wallet at most.
  keepsPrepared: false,
  hasCancel: true,
  callbacks: "none",
  finalityWindowMs: 0,
  refusals: { prepare: wrongWallet, release: wrongWallet },
  statement: "ledger",
};

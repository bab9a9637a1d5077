import type { ProviderManifest } from "../../ports";

/** Name of the rail that credits wallets of this platform. */
export const walletLedger = "wallet-ledger";

const wrongWallet = ["WALLET_NOT_FOUND", "WALLET_INACTIVE", "CURRENCY_MISMATCH", "INVALID_ARGUMENT"];

export const walletLedgerManifest: ProviderManifest = {
  name: walletLedger,
  role: "payout",
  hasPrepare: true,
  hasCancel: true,
  callbacks: "none",
  finalityWindowMs: 0,
  refusals: { prepare: wrongWallet, release: wrongWallet },
  statement: "ledger",
};

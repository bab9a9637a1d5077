import type {
  FindPayoutWalletRequest,
  FindPayoutWalletResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { Account } from "../domain/account";
import { requireActive, requireAsset, requireOwnWallet } from "../domain/rules";
import type { KnownAccounts } from "../operations/known-accounts";
import type { AccountStore } from "../store/account-store";

/**
 * Finds the wallet. One that this process has written within the last second is answered from memory, since the payout to it is decided
 * on the stored wallet. No wallet is refused from memory.
 */
export const findPayoutWalletHandler =
  (accounts: Pick<AccountStore, "find">, known: Pick<KnownAccounts, "recent">) =>
  async (request: FindPayoutWalletRequest): Promise<FindPayoutWalletResponse> => {
    const { walletId } = request;
    if (!isFit(known.recent(walletId), request)) requireFit(await accounts.find(walletId), request);
    return {};
  };

function requireFit(found: Account | undefined, { tenant, currency }: FindPayoutWalletRequest): void {
  const wallet = requireOwnWallet(found, tenant);
  requireActive(wallet);
  requireAsset(wallet, currency);
}

function isFit(found: Account | undefined, request: FindPayoutWalletRequest): boolean {
  if (found === undefined) return false;
  try {
    requireFit(found, request);
    return true;
  } catch {
    return false;
  }
}

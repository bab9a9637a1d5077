import type { Ids } from "../../shared/kernel/ids";
import type { WalletAccount, WalletStatus } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import type { Ledger } from "../ports";
import type { AccountStore } from "../store/account-store";

export interface ChangeWalletStatusDeps {
  ledger: Ledger;
  accounts: Pick<AccountStore, "find">;
  ids: Pick<Ids, "uuid">;
}

export interface StatusChange {
  tenant: string;
  walletId: string;
  status: WalletStatus;
}

export type ChangeWalletStatus = (change: StatusChange) => Promise<WalletAccount>;

/** Freezes, activates or closes a wallet; changes nothing when it already has the status. */
export const makeChangeWalletStatus =
  ({ ledger, accounts, ids }: ChangeWalletStatusDeps): ChangeWalletStatus =>
  async ({ tenant, walletId, status }) => {
    const present = requireOwnWallet(await accounts.find(walletId), tenant);
    if (present.wallet.status === status) return present;
    await ledger.submit({ kind: "status", id: `${walletId}/status/${ids.uuid()}`, tenant, walletId, status });
    return requireOwnWallet(await accounts.find(walletId), tenant);
  };

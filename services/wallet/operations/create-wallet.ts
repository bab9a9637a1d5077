import type { Ids } from "../../shared/ids";
import type { WalletAccount } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import { type Body, parseOpenWallet } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { AccountStore } from "../store/account-store";

export interface CreateWalletDeps {
  ledger: Ledger;
  accounts: Pick<AccountStore, "find">;
  ids: Pick<Ids, "uuid">;
}

export type CreateWallet = (tenant: string, body: Body) => Promise<WalletAccount>;

/** Opens a wallet, ACTIVE and empty. */
export const makeCreateWallet =
  ({ ledger, accounts, ids }: CreateWalletDeps): CreateWallet =>
  async (tenant, body) => {
    const command = parseOpenWallet(tenant, ids.uuid(), body);
    await ledger.submit(command);
    return requireOwnWallet(await accounts.find(command.walletId), tenant);
  };

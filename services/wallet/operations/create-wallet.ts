import type { DataKeys } from "../../shared/data-keys";
import type { Ids } from "../../shared/ids";
import type { WalletAccount } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import { type Body, parseOpenWallet } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import { sealDetails } from "../sealed-words";
import type { AccountStore } from "../store/account-store";

export interface CreateWalletDeps {
  ledger: Ledger;
  accounts: Pick<AccountStore, "find">;
  keys: Pick<DataKeys, "of">;
  ids: Pick<Ids, "uuid">;
}

export type CreateWallet = (tenant: string, body: Body) => Promise<WalletAccount>;

/** Opens a wallet, ACTIVE and empty. */
export const makeCreateWallet =
  ({ ledger, accounts, keys, ids }: CreateWalletDeps): CreateWallet =>
  async (tenant, body) => {
    const request = parseOpenWallet(tenant, ids.uuid(), body);
    await ledger.submit(sealDetails(await keys.of(tenant), request));
    return requireOwnWallet(await accounts.find(request.walletId), tenant);
  };

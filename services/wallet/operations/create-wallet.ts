import type { Ids } from "../../shared/kernel/ids";
import type { WalletAccount } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import { type OpenIntent, requireOpenRequest } from "../domain/wallet-request";
import type { Ledger } from "../ports";
import type { AccountStore } from "../store/account-store";
import type { SealedDetails } from "../store/sealed-details";

export interface CreateWalletDeps {
  ledger: Ledger;
  accounts: Pick<AccountStore, "find">;
  sealed: Pick<SealedDetails, "sealWallet">;
  ids: Pick<Ids, "uuid">;
}

export type CreateWallet = (tenant: string, intent: OpenIntent) => Promise<WalletAccount>;

/** Opens a wallet, ACTIVE and empty. */
export const makeCreateWallet =
  ({ ledger, accounts, sealed, ids }: CreateWalletDeps): CreateWallet =>
  async (tenant, intent) => {
    const request = requireOpenRequest(tenant, ids.uuid(), intent);
    await ledger.submit(await sealed.sealWallet(request));
    return requireOwnWallet(await accounts.find(request.walletId), tenant);
  };

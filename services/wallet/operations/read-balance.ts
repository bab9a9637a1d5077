import { plusMs } from "../../shared/kernel/clock";
import type { Line, LineName, WalletAccount } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";
import type { RowStore } from "../store/row-store";

export interface ReadBalanceDeps {
  accounts: Pick<AccountStore, "find">;
  rows: Pick<RowStore, "lastBefore">;
}

/** Returns the wallet with its current lines, or its lines at the end of the instant `asOf`. */
export type ReadBalance = (tenant: string, walletId: string, asOf: Date | undefined) => Promise<WalletAccount>;

export const makeReadBalance =
  ({ accounts, rows }: ReadBalanceDeps): ReadBalance =>
  async (tenant, walletId, asOf) => {
    const wallet = requireOwnWallet(await accounts.find(walletId), tenant);
    if (asOf === undefined) return wallet;
    const lineAt = async (name: LineName): Promise<Line> => {
      const row = await rows.lastBefore(walletId, name, plusMs(asOf, 1));
      return { minor: row?.after ?? 0n, seq: row?.seq ?? 0, head: row?.hash ?? "" };
    };
    const [settled, debitHolds, creditHolds, status] = await Promise.all([
      lineAt("settled"),
      lineAt("debitHolds"),
      lineAt("creditHolds"),
      lineAt("status"),
    ]);
    return { ...wallet, lines: { settled, debitHolds, creditHolds, status } };
  };

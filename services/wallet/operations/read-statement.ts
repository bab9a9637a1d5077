import type { WalletAccount } from "../domain/account";
import { requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";
import type { BookedRow, RowStore } from "../store/row-store";
import type { SealedDetails } from "../store/sealed-details";

export interface ReadStatementDeps {
  accounts: Pick<AccountStore, "find">;
  rows: Pick<RowStore, "range" | "lastBefore">;
  sealed: Pick<SealedDetails, "openDescription">;
}

export interface StatementQuery {
  tenant: string;
  walletId: string;
  /** Inclusive. */
  from: Date | undefined;
  /** Exclusive. */
  until: Date | undefined;
  /** From 0. */
  page: number;
  size: number;
  newestFirst: boolean;
}

export interface StatementLine extends BookedRow {
  /** The caller's text. */
  description: string | undefined;
}

export interface StatementPage {
  wallet: WalletAccount;
  lines: StatementLine[];
  totalEntries: number;
}

export type ReadStatement = (query: StatementQuery) => Promise<StatementPage>;

/**
 * Returns a page of a wallet's settled rows, the oldest or the newest first. Rows are numbered without gaps, so a page is a range of
 * numbers, the bounds in time are two numbers, and the total is their difference: no rows are counted or skipped, however long the
 * history. Rows added meanwhile change no earlier page where the oldest come first.
 */
export const makeReadStatement =
  ({ accounts, rows, sealed }: ReadStatementDeps): ReadStatement =>
  async ({ tenant, walletId, from, until, page, size, newestFirst }) => {
    const wallet = requireOwnWallet(await accounts.find(walletId), tenant);
    const seqBefore = async (at: Date | undefined, otherwise: number): Promise<number> =>
      at === undefined ? otherwise : ((await rows.lastBefore(walletId, "settled", at))?.seq ?? 0);
    const latest = wallet.lines.settled.seq;
    const [first, last] = await Promise.all([seqBefore(from, 0), seqBefore(until, latest)]);
    const totalEntries = Math.max(0, last - first);
    const skipped = Math.min(page * size, totalEntries);
    const shown = Math.min(size, totalEntries - skipped);
    const after = newestFirst ? last - skipped - shown : first + skipped;
    const found = await rows.range(walletId, "settled", after, after + shown);
    const lines = (newestFirst ? found.toReversed() : found).map(async (one) => ({
      ...one,
      description: await sealed.openDescription(one.entry),
    }));
    return { wallet, lines: await Promise.all(lines), totalEntries };
  };

import type { Transact } from "../../shared/storage/mongo";
import { findPostingsHandler } from "../handlers/find-postings";
import { getAccountBalancesHandler } from "../handlers/get-account-balances";
import { makeReadAccountBalances, type ReadAccountBalancesDeps } from "../operations/read-account-balances";
import type { EntryStore } from "../store/entry-store";

/** Handlers by which other services see what is in the ledger. */
export const bookHandlers = (
  stores: Omit<ReadAccountBalancesDeps, "transact"> & { entries: Pick<EntryStore, "findMany"> },
  transact: Transact,
) => ({
  getAccountBalances: getAccountBalancesHandler(makeReadAccountBalances({ ...stores, transact })),
  findPostings: findPostingsHandler(stores.entries),
});

import type { BankDirectory, DirectoryIds } from "../domain/bank-directory";
import type { BankStore } from "../store/bank-store";

export interface LoadBanksDeps {
  banks: Pick<BankStore, "addMissing">;
}

export type LoadBanks = (directories: readonly BankDirectory[]) => Promise<DirectoryIds>;

/**
 * Stores the directories whose content is not stored yet and returns their ids by country. Repeating it, or running it in
 * several replicas at once, changes nothing; replicas with other content keep theirs beside it.
 */
export const makeLoadBanks =
  ({ banks }: LoadBanksDeps): LoadBanks =>
  async (directories) => {
    await banks.addMissing(directories);
    return new Map(directories.map(({ country, id }) => [country, id]));
  };

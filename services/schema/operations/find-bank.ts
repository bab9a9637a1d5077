import { DomainError } from "../../shared/kernel/errors";
import { type Bank, type DirectoryIds, requireDirectory } from "../domain/bank-directory";
import type { BankStore } from "../store/bank-store";

export interface FindBankDeps {
  directoryIds: DirectoryIds;
  banks: Pick<BankStore, "find" | "page">;
  /** The bank of an 11-character code, for countries whose codes name branches; see `ifsc-codes.ts`. */
  ifsc: { find(code: string): Promise<{ name: string; isGuest: boolean } | undefined> };
}

/** Finds one bank of a country (alpha-2) by its code. Throws BANK_NOT_FOUND. */
export type FindBank = (country: string, code: string) => Promise<Bank>;

/** Exceeds the size of every directory. */
const allBanks = 500;

export const makeFindBank = ({ directoryIds, banks, ifsc }: FindBankDeps): FindBank => {
  /** Finds an Indian branch's bank, with the name and the BIC of the directory. */
  const findBranch = async (directoryId: string, code: string): Promise<Bank | undefined> => {
    const owner = await ifsc.find(code);
    if (owner === undefined) return undefined;
    const listed = owner.isGuest ? [] : (await banks.page(directoryId, 0, allBanks)).banks;
    const bank = listed.find((candidate) => candidate.code.slice(0, 4) === code.slice(0, 4));
    return { code, name: bank?.name ?? owner.name, swift: bank?.swift ?? null };
  };
  return async (country, code) => {
    const directoryId = requireDirectory(directoryIds, country);
    const listed = await banks.find(directoryId, code);
    const bank = listed === undefined && country === "IN" ? await findBranch(directoryId, code) : listed;
    if (bank === undefined) throw new DomainError("BANK_NOT_FOUND", "there is no bank with this code");
    return bank;
  };
};

import { DomainError } from "../../shared/kernel/errors";
import { type Bank, type DirectoryIds, requireDirectory } from "../domain/bank-directory";
import type { BankStore } from "../store/bank-store";

export interface FindBankDeps {
  directoryIds: DirectoryIds;
  banks: Pick<BankStore, "find" | "page">;
  /** The bank behind a code of 11 characters, for countries whose codes are those of branches; see `ifsc-codes.ts`. */
  ifsc: { find(code: string): Promise<{ name: string; isGuest: boolean } | undefined> };
}

/** Finds one bank of a country (alpha-2) by its code. Throws BANK_NOT_FOUND. */
export type FindBank = (country: string, code: string) => Promise<Bank>;

/** More than any directory holds. */
const allBanks = 500;

export const makeFindBank = ({ directoryIds, banks, ifsc }: FindBankDeps): FindBank => {
  /** A branch of India has the name and the BIC that the directory gives its bank. */
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
    if (bank === undefined) throw new DomainError("BANK_NOT_FOUND", "there is no such bank");
    return bank;
  };
};

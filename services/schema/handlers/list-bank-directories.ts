import type {
  ListBankDirectoriesRequest,
  ListBankDirectoriesResponse,
} from "../../../proto/gen/corridor/schema/v1/schema_service";
import { type DirectoryIds, requireDirectory } from "../domain/bank-directory";
import type { BankStore } from "../store/bank-store";
import { encodeBank } from "./codec";

export const listBankDirectoriesHandler =
  (directoryIds: DirectoryIds, banks: Pick<BankStore, "directories">) =>
  async ({ countryCode }: ListBankDirectoriesRequest): Promise<ListBankDirectoriesResponse> => {
    const ids = countryCode === undefined ? [...directoryIds.values()] : [requireDirectory(directoryIds, countryCode)];
    const found = await banks.directories(ids);
    return {
      directories: found.map(({ country, scheme, basis, sources, banks }) => ({
        countryCode: country,
        codeScheme: scheme,
        published: basis === "published",
        sources,
        banks: banks.map((bank) => encodeBank(country, bank)),
      })),
    };
  };

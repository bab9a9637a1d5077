import type { ListBanksRequest, ListBanksResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { invalid } from "../../shared/kernel/errors";
import { type DirectoryIds, requireDirectory } from "../domain/bank-directory";
import type { BankStore } from "../store/bank-store";
import { encodeBank } from "./codec";

const largestPage = 500;

/** The store's offset is an int32; a page beyond it is beyond every end. */
const furthest = 2_147_483_647;

export const listBanksHandler =
  (directoryIds: DirectoryIds, banks: Pick<BankStore, "page">) =>
  async ({ countryCode, page, pageSize }: ListBanksRequest): Promise<ListBanksResponse> => {
    if (pageSize < 1 || pageSize > largestPage) {
      throw invalid([{ field: "resultsPerPage", message: `must be a whole number from 1 to ${largestPage}` }]);
    }
    const skip = Math.min(page * pageSize, furthest);
    const found = await banks.page(requireDirectory(directoryIds, countryCode), skip, pageSize);
    return { banks: found.banks.map((bank) => encodeBank(countryCode, bank)), total: found.total };
  };

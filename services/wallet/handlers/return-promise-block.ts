import type {
  ReturnPromiseBlockRequest,
  ReturnPromiseBlockResponse,
} from "../../../proto/gen/corridor/wallet/v1/ledger";
import { invalid } from "../../shared/kernel/errors";
import type { ReturnPromiseBlock } from "../operations/return-promise-block";

export const returnPromiseBlockHandler =
  (returnPromiseBlock: ReturnPromiseBlock) =>
  async ({ blockId, unusedMinor }: ReturnPromiseBlockRequest): Promise<ReturnPromiseBlockResponse> => {
    if (unusedMinor < 0n) throw invalid([{ field: "unusedMinor", message: "must be 0 or more" }]);
    await returnPromiseBlock(blockId, unusedMinor);
    return {};
  };

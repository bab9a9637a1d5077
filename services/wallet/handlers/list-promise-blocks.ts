import type { ListPromiseBlocksRequest, ListPromiseBlocksResponse } from "../../../proto/gen/corridor/wallet/v1/ledger";
import type { Transact } from "../../shared/storage/mongo";
import { promisedOf } from "../domain/promise";
import type { PromiseStore } from "../store/promise-store";

export const listPromiseBlocksHandler =
  (transact: Transact, promises: Pick<PromiseStore, "heldBy">) =>
  async ({ holder }: ListPromiseBlocksRequest): Promise<ListPromiseBlocksResponse> => {
    const held = await transact((tx) => promises.heldBy(tx, holder));
    const blocks = held.filter((block) => promisedOf(block) > 0n);
    return {
      blocks: blocks.map(({ id, path, asset, granted, released, returned, takenAt }) => ({
        blockId: id,
        account: path,
        currency: asset,
        grantedMinor: granted,
        releasedMinor: released,
        returnedMinor: returned,
        takenAt,
      })),
    };
  };

import { DomainError, invalid } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import type { PromiseStore } from "../store/promise-store";

export interface ReturnPromiseBlockDeps {
  transact: Transact;
  promises: Pick<PromiseStore, "findBlock" | "returnUnused">;
}

export type ReturnPromiseBlock = (id: string, unused: bigint) => Promise<void>;

/** Returns the unpromised part of a block, once. The rest stays promised until it is released. */
export const makeReturnPromiseBlock =
  ({ transact, promises }: ReturnPromiseBlockDeps): ReturnPromiseBlock =>
  (id, unused) =>
    transact(async (tx) => {
      const block = await promises.findBlock(tx, id);
      if (block === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such block of promises");
      if (block.returned === unused) return;
      if (block.returned !== undefined) {
        const details = { fields: ["unusedMinor"] };
        throw new DomainError("IDEMPOTENCY_CONFLICT", "the block was returned with another amount", { details });
      }
      if (unused > block.granted - block.released) {
        throw invalid([{ field: "unusedMinor", message: "must not be more than the block still has" }]);
      }
      await promises.returnUnused(tx, id, unused);
    });

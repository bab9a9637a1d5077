import type { Connection } from "mongoose";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { driverDb, isDuplicateKey } from "../../shared/storage/mongo";
import type { MadePromise } from "../domain/payment";
import { placesOfBlock } from "../domain/promises";

/** A payment, or the document that takes those places of a closed block that no payment has. */
interface PlacesRecord {
  _id: string;
  tenant: string;
  externalId: string;
  places?: string[];
  promises?: MadePromise[];
}

export const placeName = ({ blockId, place }: Pick<MadePromise, "blockId" | "place">): string => `${blockId}/${place}`;

/**
 * Takes every place of a block that no payment has. It does so in the payments' own collection, whose unique index then refuses any
 * payment with one of those places, however long that payment was delayed, and whatever the clocks say. So what is returned of the block
 * can never be promised twice. A second closing finds all places taken.
 */
export function makeCloseBlock(connection: Connection): (blockId: string) => Promise<bigint> {
  const records = driverDb(connection).collection<PlacesRecord>("payments");
  return (blockId) => {
    const all = Array.from({ length: placesOfBlock }, (_none, place) => placeName({ blockId, place }));
    return retryOnConflict("block of promises", async () => {
      const found = await records.find({ places: { $in: all } }, { projection: { promises: 1, places: 1 } }).toArray();
      const taken = new Set(found.flatMap(({ places = [] }) => places));
      const free = all.filter((name) => !taken.has(name));
      const promises = found.flatMap((record) => record.promises ?? []).filter((one) => one.blockId === blockId);
      const total = promises.reduce((sum, { minor }) => sum + minor, 0n);
      if (free.length === 0) return total;
      const id = `closed-block/${blockId}`;
      try {
        await records.insertOne({ _id: id, tenant: "", externalId: id, places: free });
        return total;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return conflict;
      }
    });
  };
}

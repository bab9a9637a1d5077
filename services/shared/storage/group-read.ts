import type { mongo } from "mongoose";
import { batchCalls } from "../process/batch-calls";
import { slowMs } from "./group-errors";

const most = 64;

/**
 * Reads a document by its id, in its state after the request and never before it. Requests that arrive while others are being answered
 * share one command.
 */
export function makeGroupRead<T extends mongo.Document & { _id: string }>(
  collection: mongo.Collection<T>,
): (id: string) => Promise<mongo.WithId<T> | undefined> {
  return batchCalls(
    async (ids) => {
      const filter = { _id: { $in: [...new Set(ids)] } } as mongo.Filter<T>;
      const found = await collection.find(filter).toArray();
      const byId = new Map<unknown, mongo.WithId<T>>(found.map((document) => [document._id, document]));
      return ids.map((id) => ({ value: byId.get(id) }));
    },
    { most, slowMs },
  );
}

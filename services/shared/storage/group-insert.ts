import type { mongo } from "mongoose";
import { batchCalls, type GroupLimits, type ItemResult } from "../process/batch-calls";
import { asError, refusedBy, slowMs, uncertain, wasNotSent } from "./group-errors";

/** The most documents of one command: as many as callers in flight, and far below what one message to the store may contain. */
const most = 64;
const mostBytes = 4 * 1024 * 1024;

/**
 * Inserts documents like `insertOne`, with its errors. Documents that arrive while others are being written are written together, in one
 * command. A document that the store refuses fails alone. When it is uncertain what was written, the whole group fails with that error,
 * and nothing is sent again.
 */
export function makeGroupInsert<T extends mongo.Document & { _id: string }>(
  collection: mongo.Collection<T>,
  limits: Pick<GroupLimits<T>, "ownerOf" | "bytesOf">,
): (document: T) => Promise<void> {
  const alone = async (document: T): Promise<ItemResult<void>> => {
    try {
      await collection.insertOne(document as mongo.OptionalUnlessRequiredId<T>);
      return written;
    } catch (error) {
      return { error: asError(error) };
    }
  };
  const insertAll = async (documents: readonly T[]): Promise<ItemResult<void>[]> => {
    const [only] = documents;
    if (only !== undefined && documents.length === 1) return [await alone(only)];
    try {
      await collection.insertMany([...documents] as mongo.OptionalUnlessRequiredId<T>[], { ordered: false });
      return documents.map(() => written);
    } catch (error) {
      if (wasNotSent(error)) throw error;
      const refused = refusedBy(error);
      if (refused === undefined) return documents.map(() => uncertain(error));
      // A document that is sent alone is refused again, with the store's complete error.
      return Promise.all(
        documents.map(async (document, index) => (refused.places.has(index) ? alone(document) : written)),
      );
    }
  };
  return batchCalls(insertAll, { ...limits, most, mostBytes, slowMs });
}

const written: ItemResult<void> = { value: undefined };

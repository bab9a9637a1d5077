import type { Connection } from "mongoose";
import type { Sealer } from "../crypto/sealing";
import { errorFields, type Logger } from "../process/logger";
import { driverDb } from "./mongo";

interface KeyedRecord {
  _id: string;
  tenant?: string;
  [field: string]: unknown;
}

/** A collection whose records have a sealed key. */
export interface SealedKeys {
  connection: Connection;
  collection: string;
  /** The field with the sealed key; null once it was destroyed. */
  field: string;
  /** The place that the key of a record is sealed for. */
  placeOf(tenant: string, id: string): string;
  sealer: Pick<Sealer, "renew">;
}

const batchSize = 100;

/**
 * Seals the keys of all records with the newest key, while others read and write them: each by compare-and-set, so that one
 * that was replaced or destroyed meanwhile stays so. A key that does not open is left and logged. Returns how many were
 * sealed anew; again, there is nothing left to do.
 */
export async function rewrapKeys(
  { connection, collection, field, placeOf, sealer }: SealedKeys,
  logger: Logger,
): Promise<number> {
  const records = driverDb(connection).collection<KeyedRecord>(collection);
  const renewed = ({ _id: id, tenant = id, [field]: sealed }: KeyedRecord): string | undefined => {
    try {
      return typeof sealed === "string" ? sealer.renew(sealed, placeOf(tenant, id)) : undefined;
    } catch (error) {
      logger.error({ id, collection, ...errorFields(error) }, "a key does not open");
      return undefined;
    }
  };
  const projection = { tenant: 1, [field]: 1 };
  let count = 0;
  for (let last = "", isOver = false; !isOver; ) {
    const found = records.find({ _id: { $gt: last } }, { projection });
    const batch = await found.sort({ _id: 1 }).limit(batchSize).toArray();
    for (const record of batch) {
      const key = renewed(record);
      if (key === undefined) continue;
      const unchanged = { _id: record._id, [field]: record[field] };
      const { modifiedCount } = await records.updateOne(unchanged, { $set: { [field]: key } });
      count += modifiedCount;
    }
    last = batch.at(-1)?._id ?? last;
    isOver = batch.length < batchSize;
  }
  if (count > 0) logger.info({ collection, count }, "keys were sealed with the newest key");
  return count;
}

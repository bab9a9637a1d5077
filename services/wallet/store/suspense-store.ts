import type { Connection } from "mongoose";
import { driverDb } from "../../shared/storage/mongo";

export interface SuspenseStore {
  init(): Promise<void>;
  /** Since when suspense is not zero in an asset; undefined when it is zero now. */
  since(asset: string, isNotZero: boolean, now: Date): Promise<Date | undefined>;
}

/** Since when there is money in suspense, by asset. */
export function makeSuspenseStore(connection: Connection): SuspenseStore {
  const suspense = driverDb(connection).collection<{ _id: string; since: Date }>("suspense");
  return {
    async init() {
      await connection.createCollection("suspense");
    },
    async since(asset, isNotZero, now) {
      if (!isNotZero) {
        await suspense.deleteOne({ _id: asset });
        return undefined;
      }
      const update = { $setOnInsert: { since: now } };
      const record = await suspense.findOneAndUpdate({ _id: asset }, update, { upsert: true, returnDocument: "after" });
      return record?.since ?? now;
    },
  };
}

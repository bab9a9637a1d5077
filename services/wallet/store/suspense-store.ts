import { type Connection, Schema } from "mongoose";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";

export interface SuspenseStore {
  init(): Promise<void>;
  /** Returns since when suspense is not zero in an asset; undefined when it is zero now. */
  since(asset: string, isNotZero: boolean, now: Date): Promise<Date | undefined>;
}

interface SuspenseRecord {
  /** The asset. */
  _id: string;
  since: Date;
}

const suspenseSchema = new Schema<SuspenseRecord>({ _id: text, since: date }, strictDocument);

/** Stores since when there is money in suspense, by asset. */
export function makeSuspenseStore(connection: Connection): SuspenseStore {
  const model = connection.model("Suspense", suspenseSchema, "suspense");
  return {
    async init() {
      await model.createCollection();
    },
    async since(asset, isNotZero, now) {
      if (!isNotZero) {
        await model.deleteOne({ _id: asset });
        return undefined;
      }
      const update = { $setOnInsert: { since: now } };
      const record = await model
        .findOneAndUpdate({ _id: asset }, update, { upsert: true, returnDocument: "after" })
        .lean<SuspenseRecord>();
      return record?.since ?? now;
    },
  };
}

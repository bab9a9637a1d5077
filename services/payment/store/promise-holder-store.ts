import { type Connection, Schema } from "mongoose";
import { driverDb } from "../../shared/storage/mongo";

interface HolderRecord {
  _id: string;
  aliveAt: Date;
  /** Somebody else gives its blocks back: it may promise nothing out of them any more. */
  isLost?: true;
}

/** Processes that hold blocks of promises, with their signs of life. */
export interface PromiseHolderStore {
  init(): Promise<void>;
  add(name: string, at: Date): Promise<void>;
  /** Notes a sign of life; false for a holder that was given up. */
  keepAlive(name: string, at: Date): Promise<boolean>;
  /** Gives up the holders that have been silent since then: those that come back learn it. Names all that were given up. */
  giveUpSilent(since: Date): Promise<string[]>;
  remove(name: string): Promise<void>;
}

const holderSchema = new Schema({ _id: String, aliveAt: { type: Date, required: true } }, { strict: false }).index({
  aliveAt: 1,
});

export function makePromiseHolderStore(connection: Connection): PromiseHolderStore {
  const holders = driverDb(connection).collection<HolderRecord>("promise_holders");
  return {
    async init() {
      const model = connection.model("PromiseHolder", holderSchema, "promise_holders");
      await model.createCollection();
      await model.createIndexes();
    },
    async add(name, at) {
      await holders.insertOne({ _id: name, aliveAt: at });
    },
    async keepAlive(name, at) {
      const { matchedCount } = await holders.updateOne(
        { _id: name, isLost: { $exists: false } },
        { $set: { aliveAt: at } },
      );
      return matchedCount === 1;
    },
    async giveUpSilent(since) {
      const silent = await holders.find({ aliveAt: { $lt: since } }).toArray();
      const lost: string[] = [];
      for (const { _id } of silent) {
        const { matchedCount } = await holders.updateOne({ _id, aliveAt: { $lt: since } }, { $set: { isLost: true } });
        if (matchedCount === 1) lost.push(_id);
      }
      return lost;
    },
    async remove(name) {
      await holders.deleteOne({ _id: name });
    },
  };
}

import { type Connection, Schema } from "mongoose";
import { plusMs } from "../../shared/kernel/clock";
import { makeReadStoreTime } from "../../shared/storage/store-clock";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";

interface HolderRecord {
  _id: string;
  aliveAt: Date;
  /** Set when another process releases the holder's blocks: the holder may promise nothing out of them any more. */
  isLost?: true;
}

/** Processes that hold blocks of promises, with their heartbeats. All times are by the store's clock, since those of machines differ. */
export interface PromiseHolderStore {
  init(): Promise<void>;
  add(name: string): Promise<void>;
  /** Records a heartbeat; returns false for a holder that was given up. */
  keepAlive(name: string): Promise<boolean>;
  /**
   * Gives up the holders that have been silent for this long; a holder that comes back is refused. Returns the names of all holders that
   * were given up.
   */
  giveUpSilent(silentMs: number): Promise<string[]>;
  remove(name: string): Promise<void>;
}

const holderSchema = new Schema<HolderRecord>({ _id: text, aliveAt: date, isLost: Boolean }, strictDocument).index({
  aliveAt: 1,
});

export function makePromiseHolderStore(connection: Connection): PromiseHolderStore {
  const holders = connection.model("PromiseHolder", holderSchema, "promise_holders");
  const readTime = makeReadStoreTime(connection);
  return {
    async init() {
      await holders.createCollection();
      await holders.createIndexes();
    },
    async add(name) {
      await holders.updateOne({ _id: name }, { $currentDate: { aliveAt: true } }, { upsert: true });
    },
    async keepAlive(name) {
      const { matchedCount } = await holders.updateOne(
        { _id: name, isLost: { $exists: false } },
        { $currentDate: { aliveAt: true } },
      );
      return matchedCount === 1;
    },
    async giveUpSilent(silentMs) {
      const since = plusMs(await readTime(), -silentMs);
      const silent = await holders.find({ aliveAt: { $lt: since } }).lean<HolderRecord[]>();
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

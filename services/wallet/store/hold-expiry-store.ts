import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { insertAll, removeAll } from "../../shared/storage/one-command";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";

/** An open hold that expires. */
export interface HoldExpiry {
  transactionId: string;
  tenant: string;
  expiresAt: Date;
}

interface ExpiryRecord extends Omit<HoldExpiry, "transactionId"> {
  _id: string;
}

export interface HoldExpiryStore {
  init(): Promise<void>;
  add(tx: Tx, expiries: readonly HoldExpiry[]): Promise<void>;
  /** Removes holds that have ended. */
  remove(tx: Tx, transactionIds: readonly string[]): Promise<void>;
  /** Returns when the named holds expire; holds without an expiry are left out. */
  timesOf(transactionIds: readonly string[]): Promise<Map<string, Date>>;
  /** Returns holds that have expired, the longest expired first. */
  due(at: Date, limit: number): Promise<HoldExpiry[]>;
  /** Returns when the next hold expires. */
  nextDue(): Promise<Date | undefined>;
}

const expirySchema = new Schema<ExpiryRecord>({ _id: text, tenant: text, expiresAt: date }, strictDocument).index({
  expiresAt: 1,
});

/** Stores when holds expire. It contains only open holds with an expiry. */
export function makeHoldExpiryStore(connection: Connection, noteDue: (at: Date) => void = () => {}): HoldExpiryStore {
  const model = connection.model("HoldExpiry", expirySchema, "hold_expiries");
  const expiries = driverDb(connection).collection<ExpiryRecord>("hold_expiries");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(tx, added) {
      const records = added.map(({ transactionId, ...expiry }) => ({ _id: transactionId, ...expiry }));
      await insertAll(tx, expiries, records);
      for (const { expiresAt } of added) noteDue(expiresAt);
    },
    async remove(tx, ids) {
      if (ids.length > 0) await removeAll(tx, expiries, { _id: { $in: [...ids] } });
    },
    async timesOf(ids) {
      if (ids.length === 0) return new Map();
      const found = await expiries.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, expiresAt }) => [_id, expiresAt]));
    },
    async due(at, limit) {
      const found = expiries
        .find({ expiresAt: { $lte: at } })
        .sort({ expiresAt: 1 })
        .limit(limit);
      return (await found.toArray()).map(({ _id, ...expiry }) => ({ transactionId: _id, ...expiry }));
    },
    async nextDue() {
      const first = { projection: { expiresAt: 1 }, sort: { expiresAt: 1 } } as const;
      return (await expiries.findOne({ expiresAt: { $gt: beginningOfTime } }, first))?.expiresAt;
    },
  };
}

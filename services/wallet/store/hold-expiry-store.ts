import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { insertAll, removeAll } from "../../shared/storage/one-command";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";

/** An open hold that ends by itself. */
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
  /** Forgets holds that have ended. */
  remove(tx: Tx, transactionIds: readonly string[]): Promise<void>;
  /** When the named holds end by themselves; those that do not are left out. */
  timesOf(transactionIds: readonly string[]): Promise<Map<string, Date>>;
  /** Holds whose time is over, the longest first. */
  due(at: Date, limit: number): Promise<HoldExpiry[]>;
  /** When the next hold is over. */
  nextDue(): Promise<Date | undefined>;
}

const expirySchema = new Schema<ExpiryRecord>({ _id: text, tenant: text, expiresAt: date }, strictDocument).index({
  expiresAt: 1,
});

/** When holds end by themselves. Only open holds that have such a time are here. */
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

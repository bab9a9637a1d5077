import { type Connection, Schema } from "mongoose";
import { plusMs } from "../../shared/kernel/clock";
import { isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import { date, integer, strictDocument, text } from "../../shared/storage/stored-fields";
import { limitExceeded, type Share, type WindowLimit } from "../domain/limits";
import type { InsertResult } from "./acceptances";

interface UsageRecord {
  _id: string;
  usedMinor: bigint;
  /** When the store may forget the window, some time after its end. */
  purgeAt: Date;
}

export interface LimitStore {
  init(): Promise<void>;
  /**
   * Takes all shares and runs `insert`, in one transaction. Nothing is taken unless the payment is stored. Throws LIMIT_EXCEEDED when a
   * share does not fit.
   */
  insertWithin(shares: readonly Share[], insert: (tx: Tx) => Promise<InsertResult>): Promise<InsertResult>;
  /** Returns the minor units used of each limit. */
  used(limits: readonly WindowLimit[]): Promise<bigint[]>;
}

const keptMs = 90 * 24 * 60 * 60 * 1_000;

const usageSchema = new Schema<UsageRecord>({ _id: text, usedMinor: integer, purgeAt: date }, strictDocument);
usageSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

/** Ends the transaction of a payment that is not stored, so that it uses nothing of a limit. */
class NotStored extends Error {
  constructor(readonly result: InsertResult) {
    super(result);
  }
}

/** Stores how much agents have sent, in one document for each agent, currency and window. */
export function makeLimitStore(connection: Connection, transact: Transact): LimitStore {
  const usages = connection.model("LimitUsage", usageSchema, "limit_usages");
  const usedOf = async (id: string): Promise<bigint> =>
    (await usages.findById(id).lean<UsageRecord>())?.usedMinor ?? 0n;

  /** Runs outside the transaction: an upsert inside it would collide with a concurrent one and abort both. */
  const open = async ({ id, resetsAt }: Share): Promise<void> => {
    const fresh = { usedMinor: 0n, purgeAt: plusMs(resetsAt, keptMs) };
    try {
      await usages.updateOne({ _id: id }, { $setOnInsert: fresh }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  };
  const take = async ({ session }: Tx, share: Share): Promise<void> => {
    const { id, limitMinor, minor } = share;
    const roomy = { _id: id, usedMinor: { $lte: limitMinor - minor } };
    const { matchedCount } = await usages.updateOne(roomy, { $inc: { usedMinor: minor } }, { session });
    if (matchedCount === 0) throw limitExceeded(share, await usedOf(id));
  };
  return {
    async init() {
      await usages.createCollection();
      await usages.createIndexes();
    },
    async insertWithin(shares, insert) {
      await Promise.all(shares.map(open));
      try {
        await transact(async (tx) => {
          for (const share of shares) await take(tx, share);
          const result = await insert(tx);
          if (result !== "stored") throw new NotStored(result);
        });
        return "stored";
      } catch (error) {
        if (error instanceof NotStored) return error.result;
        throw error;
      }
    },
    used: (limits) => Promise.all(limits.map(({ id }) => usedOf(id))),
  };
}

import { type Connection, Schema } from "mongoose";
import { collectionOf } from "../../shared/storage/collection-of";
import type { Transact, Tx } from "../../shared/storage/mongo";
import { anyText, date, integer, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { ExposureLimit, LimitedPosition, Move } from "../domain/exposure";

interface LimitRecord extends Omit<ExposureLimit, "currency"> {
  /** Currency. */
  _id: string;
  readAt?: Date;
  netMinor?: bigint;
  takenMinor: bigint;
  /** Number of readings that were stored, by which the later of two readings that overlap is dropped. */
  readings: number;
}

/** What an accepted payment adds to the position in a limited currency. */
interface TakenRecord {
  /** `<currency>/<paymentId>`. */
  _id: string;
  paymentId: string;
  minor: bigint;
  at: Date;
}

/** What payments have taken of the room of a currency, and the number of its readings at that time. */
export interface TakenRoom {
  limit: LimitedPosition;
  readings: number;
  taken: readonly Omit<TakenRecord, "_id">[];
}

/** A payment that is to be accepted. */
export interface Taking {
  paymentId: string;
  moves: readonly Move[];
  at: Date;
}

export interface ExposureLimitStore {
  init(): Promise<void>;
  all(): Promise<LimitedPosition[]>;
  /** Returns the limited ones of these currencies. */
  of(currencies: readonly string[]): Promise<LimitedPosition[]>;
  /** Sets the limit of a currency. The same limit again changes nothing, not even its author and time. */
  set(limit: ExposureLimit): Promise<void>;
  remove(currency: string): Promise<void>;
  /**
   * Lets a payment take room in the limited currencies among its moves, unless `judge` throws. All payments take one after the other, by
   * one reading; a payment that has taken its room before takes no more.
   */
  take(taking: Taking, judge: (limited: readonly LimitedPosition[]) => void): Promise<void>;
  /** Returns what has been taken in each limited currency. */
  taken(): Promise<TakenRoom[]>;
  /** Stores a reading of a position, which has what these payments have taken; does nothing if another was stored meanwhile. */
  saveReading(room: TakenRoom, reading: { at: Date; netMinor: bigint }, contained: readonly string[]): Promise<void>;
}

const limitSchema = new Schema<LimitRecord>(
  {
    ...{ _id: text, limitMinor: integer, author: text, note: anyText, setAt: date },
    ...{ readAt: Date, netMinor: BigInt, takenMinor: integer, readings: number },
  },
  strictDocument,
);

const takenSchema = new Schema<TakenRecord>({ _id: text, paymentId: text, minor: integer, at: date }, strictDocument);

const takenId = (currency: string, paymentId: string): string => `${currency}/${paymentId}`;
/** Selects what was taken of a currency by the beginning of the id; `0` follows `/`. */
const takenOf = (currency: string) => ({ _id: { $gt: `${currency}/`, $lt: `${currency}0` } });

/** Limits of exposure, one document for each limited currency, and what accepted payments have taken of them. */
export function makeExposureLimitStore(connection: Connection, transact: Transact): ExposureLimitStore {
  const [limitModel, takenModel] = [
    connection.model("ExposureLimit", limitSchema, "exposure_limits"),
    connection.model("ExposureTaken", takenSchema, "exposure_taken"),
  ];
  const limits = collectionOf<LimitRecord>(limitModel);
  const takings = collectionOf<TakenRecord>(takenModel);
  const readAll = async (filter: object, options: Partial<Tx> = {}): Promise<LimitRecord[]> =>
    limits.find(filter, options).sort({ _id: 1 }).toArray();
  return {
    async init() {
      await Promise.all([limitModel.createCollection(), takenModel.createCollection()]);
    },
    all: async () => (await readAll({ _id: { $gt: "" } })).map(toPosition),
    of: async (currencies) => (await readAll({ _id: { $in: [...currencies] } })).map(toPosition),
    async set({ currency, ...limit }) {
      const known = await limits.findOne({ _id: currency });
      if (known?.limitMinor === limit.limitMinor) return;
      const fresh = { takenMinor: 0n, readings: 0 };
      await limits.updateOne({ _id: currency }, { $set: limit, $setOnInsert: fresh }, { upsert: true });
    },
    remove: (currency) =>
      transact(async ({ session }) => {
        await limits.deleteOne({ _id: currency }, { session });
        await takings.deleteMany(takenOf(currency), { session });
      }),
    take: ({ paymentId, moves, at }, judge) =>
      transact(async ({ session }) => {
        const ids = moves.map(({ currency }) => takenId(currency, paymentId));
        if ((await takings.findOne({ _id: { $in: ids } }, { session })) !== null) return;
        const limited = await readAll({ _id: { $in: moves.map(({ currency }) => currency) } }, { session });
        judge(limited.map(toPosition));
        for (const { currency, minor } of moves) {
          if (!limited.some(({ _id }) => _id === currency)) continue;
          await limits.updateOne({ _id: currency }, { $inc: { takenMinor: minor } }, { session });
          await takings.insertOne({ _id: takenId(currency, paymentId), paymentId, minor, at }, { session });
        }
      }),
    async taken() {
      const rooms: TakenRoom[] = [];
      for (const record of await readAll({ _id: { $gt: "" } })) {
        const taken = await takings.find(takenOf(record._id)).toArray();
        rooms.push({ limit: toPosition(record), readings: record.readings, taken });
      }
      return rooms;
    },
    async saveReading({ limit: { currency, setAt }, readings, taken }, { at, netMinor }, contained) {
      const dropped = taken.filter(({ paymentId }) => contained.includes(paymentId));
      const minor = dropped.reduce((sum, one) => sum + one.minor, 0n);
      await transact(async ({ session }) => {
        const { matchedCount } = await limits.updateOne(
          { _id: currency, readings, setAt },
          { $set: { readAt: at, netMinor }, $inc: { readings: 1, takenMinor: -minor } },
          { session },
        );
        if (matchedCount === 0 || dropped.length === 0) return;
        const ids = dropped.map(({ paymentId }) => takenId(currency, paymentId));
        await takings.deleteMany({ _id: { $in: ids } }, { session });
      });
    },
  };
}

function toPosition({ _id: currency, readAt, netMinor, readings: _readings, ...limit }: LimitRecord): LimitedPosition {
  const reading = readAt === undefined || netMinor === undefined ? undefined : { at: readAt, netMinor };
  return { currency, ...limit, reading };
}

import { type Connection, Schema } from "mongoose";
import { collectionOf } from "../../shared/storage/collection-of";
import { isDuplicateKey } from "../../shared/storage/mongo";
import type { Market } from "../domain/market";

export interface MarketStore {
  init(): Promise<void>;
  /** The market, unless its version is `known`. */
  findOther(known: number): Promise<Market | undefined>;
  /** Replaces version `next.version - 1`; false when another writer was first. */
  save(next: Market): Promise<boolean>;
}

interface MarketRecord extends Omit<Market, "reference"> {
  _id: string;
  /** Pairs rather than keys, since codes are data. */
  reference: { date: string; perUsd: { currency: string; perUsd: string }[] } | null;
}

const own = { _id: false, strict: "throw" } as const;
const text = { type: String, required: true };
const date = { type: Date, required: true };
const readingSchema = new Schema({ source: text, perUsd: text, asOf: date }, own);
const acceptedSchema = new Schema({ perUsd: text, asOf: date, snapshot: text, readings: [readingSchema] }, own);
const dayAgoSchema = new Schema({ perUsd: text, at: date }, own);
const holdSchema = new Schema(
  { holdId: text, reason: text, since: date, perUsd: text, readings: [readingSchema], referenceDate: String },
  own,
);
const releaseSchema = new Schema(
  { holdId: text, perUsd: text, author: text, note: text, at: date, referenceDate: String },
  own,
);
const rateSchema = new Schema(
  { currency: text, accepted: acceptedSchema, dayAgo: dayAgoSchema, hold: holdSchema, release: releaseSchema },
  own,
);
const marketSchema = new Schema<MarketRecord>(
  {
    _id: text,
    version: { type: Number, required: true },
    // Empty before the first round.
    snapshot: { type: String, default: "" },
    readAt: date,
    sources: [new Schema({ source: text, since: date, asOf: Date, problem: String }, own)],
    reference: {
      type: new Schema({ date: text, perUsd: [new Schema({ currency: text, perUsd: text }, own)] }, own),
      default: null,
    },
    rates: [rateSchema],
  },
  { versionKey: false, strict: "throw" },
);

/** The market's rates and holds, which all replicas share. */
export function makeMarketStore(connection: Connection): MarketStore {
  const model = connection.model("Market", marketSchema, "markets");
  const markets = collectionOf<MarketRecord>(model);
  const _id = "market";
  return {
    async init() {
      await model.createCollection();
    },
    async findOther(known) {
      const record = await markets.findOne({ _id, version: { $ne: known } });
      return record === null ? undefined : toMarket(record);
    },
    async save(next) {
      const record = toRecord(next);
      if (next.version > 1) {
        const { modifiedCount } = await markets.replaceOne({ _id, version: next.version - 1 }, record);
        return modifiedCount === 1;
      }
      try {
        await markets.insertOne({ _id, ...record });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}

function toRecord({ reference, ...market }: Market): Omit<MarketRecord, "_id"> {
  if (reference === undefined) return { ...market, reference: null };
  const perUsd = Object.entries(reference.perUsd).map(([currency, rate]) => ({ currency, perUsd: rate }));
  return { ...market, reference: { date: reference.date, perUsd } };
}

function toMarket({ _id, reference, ...market }: MarketRecord): Market {
  const perUsd = (reference?.perUsd ?? []).map(({ currency, perUsd: rate }) => [currency, rate] as const);
  return {
    ...market,
    // The driver drops undefined fields.
    sources: market.sources.map((one) => ({ ...one, asOf: one.asOf ?? undefined, problem: one.problem ?? undefined })),
    rates: market.rates.map((one) => ({
      ...one,
      accepted: one.accepted ?? undefined,
      dayAgo: one.dayAgo ?? undefined,
      hold: one.hold ?? undefined,
      release: one.release ?? undefined,
    })),
    reference: reference === null ? undefined : { date: reference.date, perUsd: Object.fromEntries(perUsd) },
  };
}

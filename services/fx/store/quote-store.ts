import { type Connection, type mongo, Schema } from "mongoose";
import { makeGroupInsert } from "../../shared/storage/group-insert";
import { makeGroupRead } from "../../shared/storage/group-read";
import { driverDb } from "../../shared/storage/mongo";
import { type PaymentMethod, paymentMethods } from "../domain/pricing";
import { purgeTime, type Quote, type QuoteLeg } from "../domain/quote";

interface QuoteRecord {
  _id: string;
  tenant: string;
  agentId: string | undefined;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  destinationCountry: string | undefined;
  mantissa: bigint;
  scale: number;
  midMantissa: bigint;
  midScale: number;
  spreadBps: number;
  rateDate: string;
  rateSource: string;
  rateReadAt: Date;
  rateSnapshot: string | undefined;
  legs: readonly QuoteLeg[];
  createdAt: Date;
  expiresAt: Date;
  /** The store deletes the quote some time after this instant. */
  purgeAt: Date;
}

export interface QuoteStore {
  init(): Promise<void>;
  add(quote: Quote): Promise<void>;
  find(tenant: string, id: string): Promise<Quote | undefined>;
}

const own = { _id: false, strict: "throw" } as const;
const text = { type: String, required: true };
const readingSchema = new Schema({ source: text, perUsd: text, asOf: { type: Date, required: true } }, own);
const legSchema = new Schema<QuoteLeg>({ currency: text, perUsd: text, readings: [readingSchema] }, own);
const quoteSchema = new Schema<QuoteRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    agentId: String,
    sourceCurrency: { type: String, required: true },
    destinationCurrency: { type: String, required: true },
    paymentMethod: { type: String, enum: paymentMethods, required: true },
    destinationCountry: String,
    mantissa: { type: BigInt, required: true },
    scale: { type: Number, required: true },
    midMantissa: { type: BigInt, required: true },
    midScale: { type: Number, required: true },
    spreadBps: { type: Number, required: true },
    rateDate: { type: String, required: true },
    rateSource: { type: String, required: true },
    rateReadAt: { type: Date, required: true },
    rateSnapshot: String,
    legs: { type: [legSchema], required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    purgeAt: { type: Date, required: true },
  },
  { versionKey: false, strict: "throw" },
);
quoteSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

/** Quotes of all tenants, by id. Concurrent reads, and concurrent writes, are batched. */
export function makeQuoteStore(connection: Connection): QuoteStore {
  const model = connection.model("Quote", quoteSchema, "quotes");
  const quotes: mongo.Collection<QuoteRecord> = driverDb(connection).collection<QuoteRecord>("quotes");
  const insertOne = makeGroupInsert(quotes, { ownerOf: ({ tenant }) => tenant });
  const readOne = makeGroupRead(quotes);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    add: (quote) => insertOne(toRecord(quote)),
    async find(tenant, id) {
      const record = await readOne(id);
      return record?.tenant === tenant ? toQuote(record) : undefined;
    },
  };
}

function toRecord({ id, rate, midRate, ...quote }: Quote): QuoteRecord {
  const { mantissa, scale } = rate;
  const { mantissa: midMantissa, scale: midScale } = midRate;
  return { _id: id, ...quote, mantissa, scale, midMantissa, midScale, purgeAt: purgeTime(quote.expiresAt) };
}

function toQuote({ _id, mantissa, scale, midMantissa, midScale, purgeAt: _purge, ...quote }: QuoteRecord): Quote {
  const { agentId, destinationCountry, rateSnapshot } = quote;
  const rates = { rate: { mantissa, scale }, midRate: { mantissa: midMantissa, scale: midScale } };
  // The driver drops undefined fields.
  return { ...quote, ...rates, id: _id, agentId, destinationCountry, rateSnapshot };
}

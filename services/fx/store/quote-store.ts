import { type Connection, Schema } from "mongoose";
import { type PaymentMethod, paymentMethods } from "../domain/pricing";
import { purgeTime, type Quote } from "../domain/quote";

interface QuoteRecord {
  _id: string;
  tenant: string;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  mantissa: bigint;
  scale: number;
  midMantissa: bigint;
  midScale: number;
  spreadBps: number;
  rateDate: string;
  createdAt: Date;
  expiresAt: Date;
  /** Null while nobody holds the quote. */
  paymentId: string | null;
  claimedAt: Date | null;
  /** Null keeps the quote for ever; the store removes others some time after this instant. */
  purgeAt: Date | null;
}

interface Claim {
  tenant: string;
  quoteId: string;
  paymentId: string;
}

export interface QuoteStore {
  init(): Promise<void>;
  add(quote: Quote): Promise<void>;
  find(tenant: string, id: string): Promise<Quote | undefined>;
  /** The claimed quote; undefined when it was not there, not free or not alive at that time. */
  claim(claim: Claim, at: Date): Promise<Quote | undefined>;
  release(claim: Claim): Promise<void>;
}

const quoteSchema = new Schema<QuoteRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    sourceCurrency: { type: String, required: true },
    destinationCurrency: { type: String, required: true },
    paymentMethod: { type: String, enum: paymentMethods, required: true },
    mantissa: { type: BigInt, required: true },
    scale: { type: Number, required: true },
    midMantissa: { type: BigInt, required: true },
    midScale: { type: Number, required: true },
    spreadBps: { type: Number, required: true },
    rateDate: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    paymentId: { type: String, default: null },
    claimedAt: { type: Date, default: null },
    purgeAt: { type: Date, default: null },
  },
  { versionKey: false, strict: "throw" },
);
quoteSchema.index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

/** Quotes of all tenants, by id. */
export function makeQuoteStore(connection: Connection): QuoteStore {
  const model = connection.model("Quote", quoteSchema, "quotes");
  const quotes = connection.collection<QuoteRecord>("quotes");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(quote) {
      await quotes.insertOne(toRecord(quote));
    },
    async find(tenant, id) {
      const record = await quotes.findOne({ _id: id, tenant });
      return record === null ? undefined : toQuote(record);
    },
    async claim({ tenant, quoteId, paymentId }, at) {
      const record = await quotes.findOneAndUpdate(
        { _id: quoteId, tenant, paymentId: null, expiresAt: { $gt: at } },
        { $set: { paymentId, claimedAt: at, purgeAt: null } },
        { returnDocument: "after" },
      );
      return record === null ? undefined : toQuote(record);
    },
    async release({ tenant, quoteId, paymentId }) {
      const held = { _id: quoteId, tenant, paymentId };
      const record = await quotes.findOne(held, { projection: { expiresAt: 1 } });
      if (record === null) return;
      const free = { paymentId: null, claimedAt: null, purgeAt: purgeTime(record.expiresAt) };
      await quotes.updateOne(held, { $set: free });
    },
  };
}

function toRecord({ id, rate, midRate, paymentId, ...quote }: Quote): QuoteRecord {
  const { mantissa, scale } = rate;
  const isFree = paymentId === undefined;
  return {
    _id: id,
    ...quote,
    mantissa,
    scale,
    midMantissa: midRate.mantissa,
    midScale: midRate.scale,
    paymentId: paymentId ?? null,
    claimedAt: null,
    purgeAt: isFree ? purgeTime(quote.expiresAt) : null,
  };
}

function toQuote({
  _id,
  mantissa,
  scale,
  midMantissa,
  midScale,
  paymentId,
  claimedAt: _at,
  purgeAt: _purge,
  ...quote
}: QuoteRecord): Quote {
  const rates = { rate: { mantissa, scale }, midRate: { mantissa: midMantissa, scale: midScale } };
  return { ...quote, ...rates, id: _id, paymentId: paymentId ?? undefined };
}

import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/clock";
import type { Money } from "../../shared/money";
import { driverDb, isDuplicateKey } from "../../shared/mongo";
import type { Payment } from "../domain/payment";
import { paymentCollection } from "./payment-store";

/** One prefunding account: what a provider holds for us in one currency, as far as it is not promised to payments. */
export interface FundAccount {
  provider: string;
  currency: string;
}

/** A part of an account that one process may promise by itself, without asking the store again. */
export interface Allotment {
  id: string;
  minor: bigint;
}

interface AccountRecord {
  _id: string;
  free: bigint;
  version: number;
}

interface AllotmentRecord {
  _id: string;
  account: string;
  minor: bigint;
  heldUntil: Date;
}

export interface FundStore {
  init(): Promise<void>;
  find(account: FundAccount): Promise<{ free: bigint; version: number } | undefined>;
  /** What payments have been promised whose release their provider has not confirmed, in minor units. */
  outstanding(account: FundAccount): Promise<bigint>;
  /** What processes have been allotted and may still promise. */
  allotted(account: FundAccount, at: Date): Promise<bigint>;
  /** Sets what is free, unless somebody has taken from it since `version`; undefined creates the account. */
  setFree(account: FundAccount, version: number | undefined, free: bigint): Promise<void>;
  /** Takes a part out of what is free, or undefined when there is less. */
  take(account: FundAccount, allotment: Allotment, heldUntil: Date): Promise<Allotment | undefined>;
  /** Ends an allotment: everything that was promised from it is stored with its payment. */
  end(id: string): Promise<void>;
}

/** States in which the provider may still have to draw the payout from our account. */
const undrawn: readonly Payment["state"][] = [
  "Created",
  "PaymentProcessing",
  "WaitingChallenge3ds",
  "PaymentAuthorized",
  "ProcessingPayout",
  "PayoutHold",
  "PayoutReleased",
  "PayoutAccepted",
  "ManualReview",
  "ReviewApproved",
  "PaymentCaptured",
  "WaitingSettlement",
  "PaymentSettled",
];

const allotmentSchema = new Schema(
  { _id: String, account: { type: String, required: true }, heldUntil: { type: Date, required: true } },
  { strict: false },
)
  .index({ account: 1 })
  .index({ heldUntil: 1 }, { expireAfterSeconds: 0 });

const idOf = ({ provider, currency }: FundAccount): string => `${provider}:${currency}`;

/** Prefunding accounts and what is allotted from them. Several processes share both. */
export function makeFundStore(connection: Connection): FundStore {
  const db = driverDb(connection);
  const accounts = db.collection<AccountRecord>("fund_accounts");
  const allotments = db.collection<AllotmentRecord>("fund_allotments");
  const payments = paymentCollection(connection);
  return {
    async init() {
      const model = connection.model("FundAllotment", allotmentSchema, "fund_allotments");
      await model.createCollection();
      await model.createIndexes();
    },
    async find(account) {
      return (await accounts.findOne({ _id: idOf(account) })) ?? undefined;
    },
    async outstanding({ provider, currency }) {
      // Every payment that still has to be released is due at some time, so the index of those bounds the search.
      const filter = {
        dueAt: { $gt: beginningOfTime },
        rail: provider,
        payoutCurrency: currency,
        state: { $in: [...undrawn] },
      };
      const found = await payments.find(filter, { projection: { payoutMinor: 1 } }).toArray();
      return found.reduce((sum, { payoutMinor = 0n }) => sum + payoutMinor, 0n);
    },
    async allotted(account, at) {
      const found = await allotments.find({ account: idOf(account), heldUntil: { $gt: at } }).toArray();
      return found.reduce((sum, { minor }) => sum + minor, 0n);
    },
    async setFree(account, version, free) {
      const _id = idOf(account);
      try {
        if (version === undefined) await accounts.insertOne({ _id, free, version: 1 });
        else await accounts.updateOne({ _id, version }, { $set: { free }, $inc: { version: 1 } });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async take(account, allotment, heldUntil) {
      const _id = idOf(account);
      const { modifiedCount } = await accounts.updateOne(
        { _id, free: { $gte: allotment.minor } },
        { $inc: { free: -allotment.minor, version: 1 } },
      );
      if (modifiedCount === 0) return undefined;
      await allotments.insertOne({ _id: allotment.id, account: _id, minor: allotment.minor, heldUntil });
      return allotment;
    },
    async end(id) {
      await allotments.deleteOne({ _id: id });
    },
  };
}

/** What a payout needs of which account. */
export const accountOf = (provider: string, { currency }: Money): FundAccount => ({ provider, currency });

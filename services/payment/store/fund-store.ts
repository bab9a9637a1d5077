import { type Connection, Schema } from "mongoose";
import type { Money } from "../../shared/money";
import { driverDb, isDuplicateKey, type Transact } from "../../shared/mongo";
import { fundAccountId } from "../domain/promises";
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
  /**
   * What is promised of an account: to payments for which its provider may still draw, and to processes that may still
   * promise it. Both are read as of one moment, or what moves from the one to the other could be in neither.
   */
  snapshot(account: FundAccount, at: Date): Promise<{ version: number | undefined; promised: bigint }>;
  /** Sets what is free, unless somebody has taken from it since `version`; undefined creates the account. */
  setFree(account: FundAccount, version: number | undefined, free: bigint): Promise<void>;
  /** Takes a part out of what is free, or undefined when there is less. */
  take(account: FundAccount, allotment: Allotment, heldUntil: Date): Promise<Allotment | undefined>;
  /** Ends an allotment: everything that was promised from it is stored with its payment. */
  end(id: string): Promise<void>;
}

const allotmentSchema = new Schema(
  { _id: String, account: { type: String, required: true }, heldUntil: { type: Date, required: true } },
  { strict: false },
)
  .index({ account: 1 })
  .index({ heldUntil: 1 }, { expireAfterSeconds: 0 });

const idOf = ({ provider, currency }: FundAccount): string => fundAccountId(provider, currency);

/** Prefunding accounts and what is allotted from them. Several processes share both. */
export function makeFundStore(connection: Connection, transact: Transact): FundStore {
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
    snapshot: (account, at) =>
      transact(async ({ session }) => {
        const id = idOf(account);
        const found = await accounts.findOne({ _id: id }, { session });
        const projection = { payoutMinor: 1 };
        const drawable = await payments.find({ fund: id }, { session, projection }).toArray();
        const live = await allotments.find({ account: id, heldUntil: { $gt: at } }, { session }).toArray();
        const toPayments = drawable.reduce((sum, { payoutMinor = 0n }) => sum + payoutMinor, 0n);
        const toProcesses = live.reduce((sum, { minor }) => sum + minor, 0n);
        return { version: found?.version, promised: toPayments + toProcesses };
      }),
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

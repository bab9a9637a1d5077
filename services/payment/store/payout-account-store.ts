import { type Connection, Schema } from "mongoose";
import type { DataKeys } from "../../shared/data-keys";
import type { JsonObject } from "../../shared/json";
import type { AccountPurpose, PayoutAccount } from "../domain/payout-account";

interface AccountRecord {
  _id: string;
  tenant: string;
  agentId: string;
  participantId: string;
  purpose: AccountPurpose;
  type: string;
  countryCode: string | null;
  masked: string;
  sealed: string;
  createdAt: Date;
}

type Owner = Pick<PayoutAccount, "tenant" | "agentId" | "participantId" | "purpose">;

export interface PayoutAccountStore {
  init(): Promise<void>;
  add(account: PayoutAccount): Promise<void>;
  /** Oldest first, at most 200. */
  list(owner: Owner): Promise<Omit<PayoutAccount, "details">[]>;
}

const maxListed = 200;

const accountSchema = new Schema<AccountRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    agentId: { type: String, required: true },
    participantId: { type: String, required: true },
    purpose: { type: String, enum: ["FUNDING", "RECIPIENT"], required: true },
    type: { type: String, required: true },
    countryCode: { type: String, default: null },
    masked: { type: String, required: true },
    sealed: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, strict: "throw" },
);
accountSchema.index({ tenant: 1, agentId: 1, participantId: 1, purpose: 1, createdAt: 1 });

const contextOf = (tenant: string, id: string): string => `${tenant}|payout_accounts|${id}|details`;

/** Payment methods that agents keep. What the caller wrote is sealed. */
export function makePayoutAccountStore(connection: Connection, keys: Pick<DataKeys, "of">): PayoutAccountStore {
  const model = connection.model("PayoutAccount", accountSchema, "payout_accounts");
  const accounts = connection.collection<AccountRecord>("payout_accounts");
  const seal = async (tenant: string, id: string, details: JsonObject): Promise<string> =>
    (await keys.of(tenant)).seal(JSON.stringify(details), contextOf(tenant, id));
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id, countryCode, details, ...facts }) {
      const sealed = await seal(facts.tenant, id, details);
      await accounts.insertOne({ ...facts, _id: id, countryCode: countryCode ?? null, sealed });
    },
    async list(owner) {
      const found = accounts
        .find(owner, { projection: { sealed: 0 } })
        .sort({ createdAt: 1 })
        .limit(maxListed);
      return (await found.toArray()).map(({ _id, countryCode, ...facts }) => ({
        ...facts,
        id: _id,
        countryCode: countryCode ?? undefined,
      }));
    },
  };
}

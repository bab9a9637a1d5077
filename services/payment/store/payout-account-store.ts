import { type Connection, Schema } from "mongoose";
import { makeSealer } from "../../shared/crypto/sealing";
import type { Ids } from "../../shared/kernel/ids";
import type { DataKeys } from "../../shared/storage/data-keys";
import type { Transact, Tx } from "../../shared/storage/mongo";
import { date, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import { meansOfAccount } from "../domain/means";
import type { AccountPurpose, PayoutAccount } from "../domain/payout-account";
import { personOf } from "./evidence-keys";
import type { ParticipantKeys } from "./participant-keys";

interface AccountRecord {
  _id: string;
  tenant: string;
  agentId: string;
  participantId: string;
  purpose: AccountPurpose;
  type: string;
  countryCode: string | null;
  masked: string;
  accountTokenId?: string;
  /** Identifies the same card or account again. */
  means: string;
  sealed: string;
  createdAt: Date;
}

type Owner = Pick<PayoutAccount, "tenant" | "agentId" | "participantId" | "purpose">;

export interface PayoutAccountStore {
  init(): Promise<void>;
  /** Throws PARTICIPANT_NOT_FOUND when the participant was erased meanwhile. */
  add(account: PayoutAccount): Promise<void>;
  /** Lists the oldest first, at most 200. */
  list(owner: Owner): Promise<Omit<PayoutAccount, "details">[]>;
  /**
   * Destroys the key of a participant's accounts, so that none can be added again, and removes the accounts. Also destroys the keys of
   * what providers wrote about payments by these accounts, unless another participant keeps the same account. Returns the tokens of bank
   * accounts that no participant keeps any more.
   */
  erase(participant: Pick<Owner, "tenant" | "participantId">, tx: Tx): Promise<string[]>;
}

export interface PayoutAccountStoreOptions {
  connection: Connection;
  transact: Transact;
  keys: Pick<ParticipantKeys, "make" | "use" | "destroy">;
  tenantKeys: Pick<DataKeys, "of">;
  ids: Pick<Ids, "bytes">;
}

const maxListed = 200;

const accountSchema = new Schema<AccountRecord>(
  {
    _id: text,
    tenant: text,
    agentId: text,
    participantId: text,
    purpose: oneOf(["FUNDING", "RECIPIENT"] satisfies AccountPurpose[]),
    type: text,
    countryCode: { type: String, default: null },
    masked: text,
    accountTokenId: String,
    means: text,
    sealed: text,
    createdAt: date,
  },
  strictDocument,
);
accountSchema
  .index({ tenant: 1, participantId: 1, agentId: 1, purpose: 1, createdAt: 1 })
  .index({ tenant: 1, accountTokenId: 1 }, { partialFilterExpression: { accountTokenId: { $exists: true } } })
  .index({ tenant: 1, means: 1 });

const contextOf = (tenant: string, id: string): string => `${tenant}|payout_accounts|${id}|details`;

/** Stores payment methods that agents keep for participants. What the caller wrote is sealed with the participant's key. */
export function makePayoutAccountStore(options: PayoutAccountStoreOptions): PayoutAccountStore {
  const { connection, transact, keys, tenantKeys, ids } = options;
  const accounts = connection.model("PayoutAccount", accountSchema, "payout_accounts");
  const isKept = async (filter: { tenant: string; accountTokenId?: string; means?: string }, tx: Tx) =>
    (await accounts.exists(filter).session(tx.session)) !== null;
  return {
    async init() {
      await accounts.createCollection();
      await accounts.createIndexes();
    },
    async add({ id, countryCode, details, accountTokenId, ...facts }) {
      await keys.make(facts);
      const means = await personOf(tenantKeys, facts.tenant, meansOfAccount({ details }));
      const optional = { ...(accountTokenId !== undefined && { accountTokenId }) };
      await transact(async (tx) => {
        const key = await keys.use(facts, tx);
        const sealed = makeSealer(key, ids).seal(JSON.stringify(details), contextOf(facts.tenant, id));
        const record = { ...facts, ...optional, _id: id, countryCode: countryCode ?? null, means, sealed };
        await accounts.create([record], tx);
      });
    },
    async list(owner) {
      const found = accounts.find(owner, { sealed: 0 }).sort({ createdAt: 1 }).limit(maxListed);
      return (await found.lean<AccountRecord[]>()).map(
        ({ _id, countryCode, accountTokenId, means: _means, ...facts }) => ({
          ...facts,
          id: _id,
          countryCode: countryCode ?? undefined,
          accountTokenId,
        }),
      );
    },
    async erase(participant, tx) {
      const { tenant, participantId } = participant;
      await keys.destroy(participant, tx);
      const mine = { tenant, participantId };
      const found = await accounts.find(mine, { accountTokenId: 1, means: 1 }, tx).lean<AccountRecord[]>();
      await accounts.deleteMany(mine, tx);
      const freed: string[] = [];
      for (const token of new Set(found.flatMap(({ accountTokenId }) => accountTokenId ?? []))) {
        if (!(await isKept({ tenant, accountTokenId: token }, tx))) freed.push(token);
      }
      for (const means of new Set(found.map((account) => account.means))) {
        if (!(await isKept({ tenant, means }, tx))) await keys.destroy({ tenant, participantId: means }, tx);
      }
      return freed;
    },
  };
}

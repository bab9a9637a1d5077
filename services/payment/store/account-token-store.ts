import { type Connection, Schema } from "mongoose";
import { beginningOfTime, plusMs, systemClock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { DataKeys } from "../../shared/storage/data-keys";
import { isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { listOf, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { AccountCheckFacts, CheckIdentity } from "../domain/account-check";
import { type Content, contentVersion } from "../domain/same-content";

/** A check that one request has claimed. */
export interface Claim {
  paymentId: string;
  accountTokenId: string;
  tenant: string;
  /** No other process can claim the check before this time. */
  until: Date;
}

/** What is needed to debit a checked account. */
export interface OpenedAccount {
  accessToken: string;
  accountId: string;
}

/** What an earlier request has stored; without facts the check is still under way. */
export interface StoredCheck {
  paymentId: string;
  content: Content;
  facts: AccountCheckFacts | undefined;
}

/** Checks of accounts, and the tokens of those that were verified. Access tokens and answers are sealed. */
export interface AccountTokenStore {
  init(): Promise<void>;
  /** Returns what an earlier request with the id has stored. Throws PAYMENT_NOT_FOUND when it was forgotten. */
  findAnswer(check: Pick<CheckIdentity, "tenant" | "externalId">): Promise<StoredCheck | undefined>;
  /** Claims a check; undefined when it is claimed or answered. */
  claim(check: CheckIdentity): Promise<Claim | undefined>;
  /** Stores the facts of the answer, with the account if it was verified. Returns false when the claim was lost. */
  finish(claim: Claim, facts: AccountCheckFacts, account: OpenedAccount | undefined): Promise<boolean>;
  /** Removes a claim that ended without an answer. */
  giveUp(claim: Claim): Promise<void>;
  /** Returns the account behind a token of the tenant; undefined when there is none, or the token was revoked. */
  open(tenant: string, accountTokenId: string): Promise<OpenedAccount | undefined>;
  /** True for a token from a verified check of the tenant, even if it was revoked. */
  isKnown(tenant: string, accountTokenId: string): Promise<boolean>;
  /** Forgets the account behind a token, permanently. Returns false when the tenant has no such token. */
  revoke(tenant: string, accountTokenId: string): Promise<boolean>;
  /** Forgets also what was checked and what was answered; only the fact that there was a check remains. */
  forget(tenant: string, accountTokenId: string, at: Date, tx: Tx): Promise<void>;
}

interface CheckRecord {
  _id: string;
  tenant: string;
  externalId: string;
  /** Version of the rules that made the hashes of the requested content. */
  contentVersion: number;
  hashes: [string, string][];
  /** Set while a request is under way. */
  claimedUntil?: Date;
  /** The facts of the answer, sealed. */
  answer?: string;
  accountTokenId: string;
  /** Set once the account is verified. */
  isVerified?: boolean;
  account?: string;
  revokedAt?: Date;
  /** When the account was forgotten because its owner was erased. */
  forgottenAt?: Date;
}

/** Longer than all calls of one check together. */
const claimMs = 15_000;

const checkSchema = new Schema<CheckRecord>(
  {
    _id: text,
    tenant: text,
    externalId: text,
    contentVersion: number,
    // Pairs of a field's name and its hash.
    hashes: listOf([String]),
    claimedUntil: Date,
    answer: String,
    accountTokenId: text,
    isVerified: Boolean,
    account: String,
    revokedAt: Date,
    forgottenAt: Date,
  },
  strictDocument,
)
  .index({ tenant: 1, externalId: 1 }, { unique: true })
  .index({ accountTokenId: 1 }, { unique: true });

const modelOf = (connection: Connection) => connection.model("AccountCheck", checkSchema, "account_checks");

export function makeAccountTokenStore(
  connection: Connection,
  { keys, ids }: { keys: Pick<DataKeys, "of">; ids: Ids },
): AccountTokenStore {
  const checks = modelOf(connection);
  const takeOver = async (tenant: string, externalId: string, hashes: [string, string][], until: Date) => {
    const abandoned = { tenant, externalId, answer: { $exists: false }, claimedUntil: { $lt: systemClock.now() } };
    const taken = { contentVersion, hashes, claimedUntil: until };
    return checks.findOneAndUpdate(abandoned, { $set: taken }, { returnDocument: "after" }).lean<CheckRecord>();
  };
  return {
    async init() {
      await checks.createCollection();
      await checks.createIndexes();
    },
    async findAnswer({ tenant, externalId }) {
      const found = await checks.findOne({ tenant, externalId }).lean<CheckRecord>();
      if (found === null || isAbandoned(found)) return undefined;
      if (found.forgottenAt !== undefined) throw new DomainError("PAYMENT_NOT_FOUND", "the checked account was erased");
      const sealer = await keys.of(tenant);
      const { _id: paymentId, answer } = found;
      const content = { version: found.contentVersion, hashes: Object.fromEntries(found.hashes) };
      const facts =
        answer === undefined ? undefined : toFacts(sealer.open(answer, context(tenant, paymentId, "answer")));
      return { paymentId, content, facts };
    },
    async claim({ tenant, externalId, hashes }) {
      const until = plusMs(systemClock.now(), claimMs);
      const rows = Object.entries(hashes);
      const fresh = {
        _id: ids.uuid(),
        accountTokenId: ids.uuid(),
        tenant,
        externalId,
        contentVersion,
        hashes: rows,
        claimedUntil: until,
      };
      try {
        await checks.create(fresh);
        return { paymentId: fresh._id, accountTokenId: fresh.accountTokenId, tenant, until };
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const taken = await takeOver(tenant, externalId, rows, until);
      return taken === null ? undefined : { paymentId: taken._id, accountTokenId: taken.accountTokenId, tenant, until };
    },
    async finish({ paymentId, tenant, until }, facts, account) {
      const sealer = await keys.of(tenant);
      const sealed = sealer.seal(JSON.stringify(facts), context(tenant, paymentId, "answer"));
      const verified =
        account === undefined
          ? {}
          : {
              isVerified: true,
              account: sealer.seal(JSON.stringify(plain(account)), context(tenant, paymentId, "account")),
            };
      const update = { $set: { answer: sealed, ...verified }, $unset: { claimedUntil: "" as const } };
      const { modifiedCount } = await checks.updateOne({ _id: paymentId, claimedUntil: until }, update);
      return modifiedCount === 1;
    },
    async giveUp({ paymentId, until }) {
      await checks.deleteOne({ _id: paymentId, claimedUntil: until });
    },
    ...tokens(checks, keys),
  };
}

const context = (tenant: string, id: string, field: string): string => `${tenant}|account_checks|${id}|${field}`;

/** Functions on the accounts of verified checks. */
function tokens(
  checks: ReturnType<typeof modelOf>,
  keys: Pick<DataKeys, "of">,
): Pick<AccountTokenStore, "open" | "isKnown" | "revoke" | "forget"> {
  return {
    async open(tenant, accountTokenId) {
      const opening = { tenant, accountTokenId, account: { $exists: true } };
      const found = await checks.findOne(opening).lean<CheckRecord>();
      if (found?.account === undefined) return undefined;
      const sealer = await keys.of(tenant);
      return toAccount(sealer.open(found.account, context(tenant, found._id, "account")));
    },
    async isKnown(tenant, accountTokenId) {
      const verified = { tenant, accountTokenId, isVerified: true };
      return (await checks.exists(verified)) !== null;
    },
    async revoke(tenant, accountTokenId) {
      const verified = { tenant, accountTokenId, isVerified: true };
      const update = { $set: { revokedAt: systemClock.now() }, $unset: { account: "" as const } };
      const { matchedCount } = await checks.updateOne(verified, update);
      return matchedCount === 1;
    },
    async forget(tenant, accountTokenId, at, tx) {
      const gone = { $set: { hashes: [], forgottenAt: at }, $unset: { account: "" as const, answer: "" as const } };
      await checks.updateOne({ tenant, accountTokenId }, gone, tx);
    },
  };
}

const isAbandoned = ({ answer, claimedUntil }: CheckRecord): boolean =>
  answer === undefined && claimedUntil !== undefined && claimedUntil < systemClock.now();

const plain = ({ accessToken, accountId }: OpenedAccount): OpenedAccount => ({ accessToken, accountId });

function toFacts(sealed: Buffer): AccountCheckFacts {
  const { form, checkedAt, account } = JSON.parse(sealed.toString("utf8")) as AccountCheckFacts & { checkedAt: string };
  return { form, checkedAt: plusMs(beginningOfTime, Date.parse(checkedAt)), account };
}

/** Parses text that was sealed here, and so has the right form. */
const toAccount = (sealed: Buffer): OpenedAccount => JSON.parse(sealed.toString("utf8")) as OpenedAccount;

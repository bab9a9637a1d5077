import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { collectionOf } from "../../shared/storage/collection-of";
import type { Tx } from "../../shared/storage/mongo";
import { anyText, date, number, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import { type AuditEntry, type AuditHead, type AuditRecord, emptyChain } from "../domain/audit-chain";

type StoredRecord = AuditEntry & { _id: number; key: string; hash: string };
type StoredHead = AuditHead & { _id: "head" };
type StoredBegin = SealedBegin & { _id: "begin" };

/** The last record that was removed, with the proof that the service removed it. */
export interface SealedBegin extends AuditHead {
  seal: string;
}

/** A page of the records that agree with one field and with bounds of time. */
export interface AuditSearch {
  /** The field and its text; undefined for all records. */
  field: readonly ["actor" | "tenant" | "object", string] | undefined;
  /** Bounds of when it happened; `until` is not included. */
  from: Date | undefined;
  until: Date | undefined;
  /** Sequence of the last record that is known; 0 for the first page. */
  after: number;
  newestFirst: boolean;
  limit: number;
}

export interface AuditStore {
  init(): Promise<void>;
  /** The end of the chain. */
  head(tx?: Tx): Promise<AuditHead>;
  /** Adds records after the head that was read in the same transaction. */
  append(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  /** Hashes of the existing records, by sequence. */
  hashesOf(sequences: readonly number[]): Promise<Map<number, string>>;
  /** Records after a sequence, in order. */
  page(after: number, limit: number): Promise<AuditRecord[]>;
  /** Records before a sequence, newest first; 0 starts with the newest. */
  pageBefore(before: number, limit: number): Promise<AuditRecord[]>;
  /** Finds records, in the order in which things happened: a record that was reported late has a later sequence. */
  search(search: AuditSearch): Promise<AuditRecord[]>;
  /** The begin of the chain; undefined while no records were removed. */
  begin(): Promise<SealedBegin | undefined>;
  /** Moves the begin, forward only, and then removes the record there and all before it. Safe to repeat. */
  forget(begin: SealedBegin): Promise<void>;
}

const recordSchema = new Schema<StoredRecord>(
  {
    _id: number,
    at: date,
    // Some fields of a record may be empty.
    actor: anyText,
    tenant: anyText,
    action: anyText,
    object: anyText,
    outcome: anyText,
    requestId: anyText,
    address: anyText,
    count: number,
    session: anyText,
    key: text,
    hash: text,
  },
  strictDocument,
);
const endSchema = new Schema<StoredHead | StoredBegin>(
  { _id: oneOf(["head", "begin"]), sequence: number, hash: text, seal: String },
  strictDocument,
);

recordSchema
  .index({ at: 1, _id: 1 })
  .index({ actor: 1, at: 1, _id: 1 })
  .index({ tenant: 1, at: 1, _id: 1 })
  .index({ object: 1, at: 1, _id: 1 });

/** The audit log in `audit`, and its begin and end in `audit_head`. Records never change. */
export function makeAuditStore(connection: Connection): AuditStore {
  const model = connection.model("AuditRecord", recordSchema, "audit");
  const endModel = connection.model("AuditEnd", endSchema, "audit_head");
  const records = collectionOf<StoredRecord>(model);
  const heads = collectionOf<StoredHead>(endModel);
  const begins = collectionOf<StoredBegin>(endModel);
  return {
    async init() {
      await Promise.all([model.createCollection(), endModel.createCollection()]);
      await model.createIndexes();
    },
    async head(tx) {
      const stored = await heads.findOne({ _id: "head" }, tx === undefined ? {} : { session: tx.session });
      return stored === null ? emptyChain : { sequence: stored.sequence, hash: stored.hash };
    },
    async append({ session }, appended) {
      const last = appended.at(-1);
      if (last === undefined) return;
      const { sequence, hash } = last;
      await heads.updateOne({ _id: "head" }, { $set: { sequence, hash } }, { upsert: true, session });
      await records.insertMany(
        appended.map(({ sequence: _id, ...rest }) => ({ _id, ...rest })),
        { session, ordered: true },
      );
    },
    async hashesOf(sequences) {
      if (sequences.length === 0) return new Map();
      const found = records.find({ _id: { $in: [...sequences] } }, { projection: { hash: 1 } });
      return new Map((await found.toArray()).map(({ _id, hash }) => [_id, hash]));
    },
    async page(after, limit) {
      const found = await records
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toRecord);
    },
    async pageBefore(before, limit) {
      const found = await records
        .find({ _id: { $lt: before === 0 ? Number.MAX_SAFE_INTEGER : before } })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(toRecord);
    },
    async search({ field, from, until, after, newestFirst, limit }) {
      const known = after === 0 ? null : await records.findOne({ _id: after }, { projection: { at: 1 } });
      // Records are removed the oldest first, so nothing is left before one that is gone.
      if (known === null && after !== 0 && newestFirst) return [];
      const bounds = [...(from ? [{ at: { $gte: from } }] : []), ...(until ? [{ at: { $lt: until } }] : [])];
      const found = await records
        .find({ ...(field && { [field[0]]: field[1] }), $and: [...bounds, ...behind(known, newestFirst)] })
        .sort(newestFirst ? { at: -1, _id: -1 } : { at: 1, _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(toRecord);
    },
    async begin() {
      const stored = await begins.findOne({ _id: "begin" });
      return stored === null ? undefined : { sequence: stored.sequence, hash: stored.hash, seal: stored.seal };
    },
    async forget({ sequence, hash, seal }) {
      const present = await begins.findOne({ _id: "begin" });
      if (present === null || present.sequence < sequence) {
        await begins.updateOne({ _id: "begin" }, { $set: { sequence, hash, seal } }, { upsert: true });
      }
      await records.deleteMany({ _id: { $lte: sequence } });
    },
  };
}

const toRecord = ({ _id: sequence, ...rest }: StoredRecord): AuditRecord => ({ sequence, ...rest });

/** Returns what selects the records behind one; the first condition holds for all of them, and bounds what is read of an index. */
function behind(known: Pick<StoredRecord, "_id" | "at"> | null, newestFirst: boolean): object[] {
  if (known === null) return [{ at: { $gte: beginningOfTime } }];
  const { _id, at } = known;
  const [later, from] = newestFirst ? ["$lt", "$lte"] : ["$gt", "$gte"];
  return [{ at: { [from]: at } }, { $or: [{ at: { [later]: at } }, { at, _id: { [later]: _id } }] }];
}

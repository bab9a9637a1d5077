import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/storage/mongo";
import { anyText, date, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import { noCursor } from "../domain/page-cursor";
import { reviewKinds, type ScreeningException } from "../domain/review";

interface ExceptionRecord extends Omit<ScreeningException, "id"> {
  _id: string;
}

export interface ExceptionStore {
  init(): Promise<void>;
  /** Adds exceptions; an existing one for the same subject and entry is replaced. */
  add(exceptions: readonly ScreeningException[], tx: Tx): Promise<void>;
  of(tenant: string, subjectId: string, tx?: Tx): Promise<ScreeningException[]>;
  /** Oldest first, after `after`. Throws INVALID_ARGUMENT if that exception no longer exists. */
  list(tenant: string | undefined, after: string | undefined, limit: number): Promise<ScreeningException[]>;
  /** Removes an exception and returns it; undefined when the tenant has no such exception. */
  remove(tenant: string, id: string, tx: Tx): Promise<ScreeningException | undefined>;
}

const exceptionSchema = new Schema<ExceptionRecord>(
  {
    _id: text,
    tenant: text,
    kind: oneOf(reviewKinds),
    subjectId: text,
    // An entry's id may be any text.
    entryId: anyText,
    entryDigest: text,
    reviewId: text,
    author: text,
    createdAt: date,
    listVersion: text,
    expiresAt: date,
  },
  strictDocument,
);
exceptionSchema
  .index({ tenant: 1, subjectId: 1, entryId: 1 }, { unique: true })
  .index({ tenant: 1, createdAt: 1, _id: 1 })
  .index({ createdAt: 1, _id: 1 });

/** Cleared hits of all tenants. They name subjects and entries by id only. */
export function makeExceptionStore(connection: Connection): ExceptionStore {
  const model = connection.model("ScreeningException", exceptionSchema, "exceptions");
  const read = ({ _id: id, ...facts }: ExceptionRecord): ScreeningException => ({ ...facts, id });
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(added, tx) {
      for (const { id, tenant, subjectId, entryId, ...facts } of added) {
        const filter = { tenant, subjectId, entryId };
        await model.updateOne(filter, { $set: facts, $setOnInsert: { _id: id } }, { ...tx, upsert: true });
      }
    },
    of: async (tenant, subjectId, tx) =>
      (await model.find({ tenant, subjectId }, {}, tx).lean<ExceptionRecord[]>()).map(read),
    async list(tenant, after, limit) {
      const last = after === undefined ? null : await model.findById(after).lean<ExceptionRecord>();
      if (after !== undefined && last === null) throw noCursor();
      const { createdAt, _id } = last ?? {};
      const behind =
        createdAt === undefined
          ? {}
          : { $or: [{ createdAt: { $gt: createdAt } }, { createdAt, _id: { $gt: _id ?? "" } }] };
      const chosen = { ...(tenant !== undefined && { tenant }), ...behind };
      const page = model.find(chosen).sort({ createdAt: 1, _id: 1 }).limit(limit);
      return (await page.lean<ExceptionRecord[]>()).map(read);
    },
    async remove(tenant, id, tx) {
      const record = await model.findOne({ _id: id, tenant }, {}, tx).lean<ExceptionRecord>();
      if (record === null) return undefined;
      await model.deleteOne({ _id: id, tenant }, tx);
      return read(record);
    },
  };
}

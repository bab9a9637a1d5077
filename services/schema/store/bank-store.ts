import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../shared/storage/mongo";
import type { Bank, BankDirectory } from "../domain/bank-directory";

interface BankDirectoryRecord extends Omit<BankDirectory, "id"> {
  /** `<country>@<hash of the content>`. */
  _id: string;
  /** Number of banks, so that a page need not read all of them. */
  total: number;
}

export interface BankPage {
  banks: Bank[];
  /** Number of banks on all pages. */
  total: number;
}

export interface BankStore {
  init(): Promise<void>;
  /** Adds missing directories and leaves existing ones alone; safe when several replicas do it at once. */
  addMissing(directories: readonly BankDirectory[]): Promise<void>;
  find(directoryId: string, code: string): Promise<Bank | undefined>;
  /** Banks from offset `skip`; empty beyond the end. Throws when there is no such directory. */
  page(directoryId: string, skip: number, limit: number): Promise<BankPage>;
  /** The directories with these ids, by country. */
  directories(ids: readonly string[]): Promise<BankDirectory[]>;
}

const text = { type: String, required: true };
const bankSchema = new Schema<Bank>(
  { code: text, name: text, swift: { type: String, default: null } },
  { _id: false, strict: "throw" },
);
const directorySchema = new Schema<BankDirectoryRecord>(
  {
    _id: text,
    country: text,
    scheme: text,
    basis: text,
    sources: [text],
    total: { type: Number, required: true },
    banks: [bankSchema],
  },
  { versionKey: false, strict: "throw" },
);

/** Stores one document per country and content. Documents are only added, so a reader sees a whole directory or none. */
export function makeBankStore(connection: Connection): BankStore {
  const model = connection.model("BankDirectory", directorySchema, "bankDirectories");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async addMissing(all) {
      const ids = all.map(({ id }) => id);
      const known = await model.find({ _id: { $in: ids } }, { _id: 1 }).lean<Pick<BankDirectoryRecord, "_id">[]>();
      const stored = new Set(known.map(({ _id }) => _id));
      const missing = all.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return;
      try {
        await model.insertMany(missing.map(toRecord), { ordered: false, throwOnValidationError: true });
      } catch (error) {
        // A concurrent writer added some of them first. The write is unordered, so the others are stored.
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async find(directoryId, code) {
      const record = await model
        .findOne({ _id: directoryId, "banks.code": code }, { "banks.$": 1 })
        .lean<Pick<BankDirectoryRecord, "banks">>();
      return record?.banks[0];
    },
    async page(directoryId, skip, limit) {
      const record = await model
        .findById(directoryId, { total: 1, banks: { $slice: [skip, limit] } })
        .lean<Pick<BankDirectoryRecord, "banks" | "total">>();
      if (record === null) throw new Error(`bank directory ${directoryId} is not loaded`);
      return { banks: record.banks, total: record.total };
    },
    async directories(ids) {
      const records = await model
        .find({ _id: { $in: [...ids] } })
        .sort({ _id: 1 })
        .lean<BankDirectoryRecord[]>();
      return records.map(({ _id, total: _total, ...facts }) => ({ id: _id, ...facts }));
    },
  };
}

const toRecord = ({ id, ...facts }: BankDirectory): BankDirectoryRecord => ({
  _id: id,
  ...facts,
  total: facts.banks.length,
});

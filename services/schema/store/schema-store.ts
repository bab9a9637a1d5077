import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../shared/storage/mongo";
import type { SchemaDocument } from "../domain/json-schema";

interface SchemaRecord {
  /** `<name>@<version>`. */
  _id: string;
  document: Buffer;
}

export interface SchemaStore {
  init(): Promise<void>;
  find(name: string, version: string): Promise<SchemaDocument | undefined>;
  /** Name and version of every published document. */
  listVersions(): Promise<Pick<SchemaDocument, "name" | "version">[]>;
  /** Adds missing documents; returns what is stored under these names and versions, given or existing. */
  addMissing(documents: readonly SchemaDocument[]): Promise<SchemaDocument[]>;
}

const recordSchema = new Schema<SchemaRecord>(
  { _id: { type: String, required: true }, document: { type: Buffer, required: true } },
  { versionKey: false, strict: "throw" },
);

/** Returns plain buffers instead of the driver's Binary. */
const asBuffers = { promoteBuffers: true };

/** Published schema documents: only ever added. */
export function makeSchemaStore(connection: Connection): SchemaStore {
  const model = connection.model("SchemaDocument", recordSchema, "schemas");
  const findAll = async (ids: readonly string[]): Promise<Map<string, Buffer>> => {
    const records = await model.find({ _id: { $in: [...ids] } }, {}, asBuffers).lean<SchemaRecord[]>();
    return new Map(records.map(({ _id, document }) => [_id, document]));
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(name, version) {
      const record = await model.findById(idOf({ name, version }), {}, asBuffers).lean<SchemaRecord>();
      return record === null ? undefined : { name, version, bytes: record.document };
    },
    async listVersions() {
      const records = await model.find({}, { _id: 1 }).lean<Pick<SchemaRecord, "_id">[]>();
      return records.map(({ _id }) => parseId(_id));
    },
    async addMissing(documents) {
      const ids = documents.map(idOf);
      const before = await findAll(ids);
      const missing = documents.filter((document) => !before.has(idOf(document)));
      if (missing.length === 0) return documents.map((document) => withBytes(document, before));
      try {
        const records = missing.map((document) => ({ _id: idOf(document), document: document.bytes }));
        await model.insertMany(records, { ordered: false, throwOnValidationError: true });
      } catch (error) {
        // A concurrent writer added some of them first. The write is unordered, so the others are stored.
        if (!isDuplicateKey(error)) throw error;
      }
      const after = await findAll(ids);
      return documents.map((document) => withBytes(document, after));
    },
  };
}

const idOf = ({ name, version }: Pick<SchemaDocument, "name" | "version">): string => `${name}@${version}`;

function withBytes(document: SchemaDocument, stored: ReadonlyMap<string, Buffer>): SchemaDocument {
  const bytes = stored.get(idOf(document));
  if (bytes === undefined) throw new Error(`schema ${idOf(document)} was not stored`);
  return { ...document, bytes };
}

function parseId(id: string): Pick<SchemaDocument, "name" | "version"> {
  const at = id.lastIndexOf("@");
  return { name: id.slice(0, at), version: id.slice(at + 1) };
}

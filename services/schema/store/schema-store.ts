import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../shared/mongo";
import type { SchemaDocument } from "../domain/json-schema";

interface SchemaRecord {
  /** `<name>@<version>`. */
  _id: string;
  document: Buffer;
}

export interface SchemaStore {
  init(): Promise<void>;
  find(name: string, version: string): Promise<SchemaDocument | undefined>;
  /** The named documents that are there; one query however many are asked for. */
  findAll(keys: readonly Pick<SchemaDocument, "name" | "version">[]): Promise<SchemaDocument[]>;
  /** Name and version of everything that was ever published. */
  listVersions(): Promise<Pick<SchemaDocument, "name" | "version">[]>;
  /** The document that is stored under this name and version afterwards: the given one, or the one that was there before. */
  addIfAbsent(document: SchemaDocument): Promise<SchemaDocument>;
}

const recordSchema = new Schema<SchemaRecord>(
  { _id: { type: String, required: true }, document: { type: Buffer, required: true } },
  { versionKey: false, strict: "throw" },
);

/** Published schema documents: only ever added. */
export function makeSchemaStore(connection: Connection): SchemaStore {
  const model = connection.model("SchemaDocument", recordSchema, "schemas");
  const schemas = connection.collection<SchemaRecord>("schemas");
  const find = async (name: string, version: string): Promise<SchemaDocument | undefined> => {
    const record = await schemas.findOne({ _id: `${name}@${version}` }, { promoteBuffers: true });
    return record === null ? undefined : { name, version, bytes: record.document };
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    find,
    async findAll(keys) {
      const ids = keys.map(({ name, version }) => `${name}@${version}`);
      const records = await schemas.find({ _id: { $in: ids } }, { promoteBuffers: true }).toArray();
      return records.map(({ _id, document }) => ({ ...parseId(_id), bytes: document }));
    },
    async listVersions() {
      const records = await schemas.find({}, { projection: { _id: 1 } }).toArray();
      return records.map(({ _id }) => parseId(_id));
    },
    async addIfAbsent(document) {
      const { name, version, bytes } = document;
      try {
        await schemas.insertOne({ _id: `${name}@${version}`, document: bytes });
        return document;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await find(name, version) : undefined;
        if (stored === undefined) throw error;
        return stored;
      }
    },
  };
}

function parseId(id: string): Pick<SchemaDocument, "name" | "version"> {
  const at = id.lastIndexOf("@");
  return { name: id.slice(0, at), version: id.slice(at + 1) };
}

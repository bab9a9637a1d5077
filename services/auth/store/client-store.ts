import { type Connection, Schema } from "mongoose";
import { isDuplicateKey } from "../../shared/mongo";
import type { Client } from "../domain/directory";
import { type Scope, scopes } from "../domain/scope";

interface ClientRecord {
  _id: string;
  tenant: string;
  scopes: Scope[];
}

export interface ClientStore {
  init(): Promise<void>;
  find(id: string): Promise<Client | undefined>;
  addIfAbsent(client: Client): Promise<void>;
}

const clientSchema = new Schema<ClientRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    scopes: { type: [{ type: String, enum: scopes }], required: true },
  },
  { versionKey: false, strict: "throw" },
);

/** OAuth clients, by their public id. */
export function makeClientStore(connection: Connection): ClientStore {
  const model = connection.model("Client", clientSchema, "clients");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id) {
      const record = await model.findById(id).lean<ClientRecord>();
      return record === null ? undefined : { id: record._id, tenant: record.tenant, scopes: record.scopes };
    },
    async addIfAbsent({ id, tenant, scopes: owned }) {
      await model.create({ _id: id, tenant, scopes: [...owned] }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
  };
}

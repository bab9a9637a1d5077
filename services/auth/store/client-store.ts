import { type Connection, Schema } from "mongoose";
import { type Scope, scopes } from "../../shared/kernel/scopes";
import { isDuplicateKey } from "../../shared/storage/mongo";
import { listOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Client } from "../domain/directory";

interface ClientRecord {
  _id: string;
  tenant: string;
  scopes: Scope[];
  disabledAt?: Date;
}

/** Changes of a client; `disabledAt: null` enables it again. */
export interface ClientChange {
  scopes?: readonly Scope[];
  disabledAt?: Date | null;
}

export interface ClientStore {
  init(): Promise<void>;
  find(id: string): Promise<Client | undefined>;
  /** Clients of one tenant, by id. */
  ofTenant(tenant: string): Promise<Client[]>;
  /** Ids of clients that were disabled after a given time. */
  disabledSince(from: Date): Promise<string[]>;
  /** Returns false when the id is taken, by any tenant. */
  add(client: Client): Promise<boolean>;
  /** Sets the given fields; returns the client afterwards, or undefined when the tenant has none with this id. */
  change(tenant: string, id: string, change: ClientChange): Promise<Client | undefined>;
}

const clientSchema = new Schema<ClientRecord>(
  {
    _id: text,
    tenant: text,
    scopes: listOf({ type: String, enum: scopes }),
    disabledAt: Date,
  },
  strictDocument,
);
clientSchema.index({ tenant: 1, _id: 1 });
clientSchema.index({ disabledAt: 1 }, { sparse: true });

const toClient = ({ _id, disabledAt, ...rest }: ClientRecord): Client => ({ id: _id, disabledAt, ...rest });

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
      return record === null ? undefined : toClient(record);
    },
    async ofTenant(tenant) {
      const records = await model.find({ tenant }).sort({ _id: 1 }).lean<ClientRecord[]>();
      return records.map(toClient);
    },
    async disabledSince(from) {
      const records = await model.find({ disabledAt: { $gte: from } }, { _id: 1 }).lean<ClientRecord[]>();
      return records.map(({ _id }) => _id);
    },
    async add({ id, tenant, scopes: owned, disabledAt }) {
      try {
        await model.create({
          _id: id,
          tenant,
          scopes: [...owned],
          ...(disabledAt === undefined ? {} : { disabledAt }),
        });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async change(tenant, id, { disabledAt, scopes: owned }) {
      const set = {
        ...(owned === undefined ? {} : { scopes: [...owned] }),
        ...(disabledAt instanceof Date ? { disabledAt } : {}),
      };
      const update = { $set: set, ...(disabledAt === null ? { $unset: { disabledAt: 1 as const } } : {}) };
      const after = await model
        .findOneAndUpdate({ _id: id, tenant }, update, { returnDocument: "after" })
        .lean<ClientRecord>();
      return after === null ? undefined : toClient(after);
    },
  };
}

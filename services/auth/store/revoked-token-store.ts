import { type Connection, Schema } from "mongoose";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";
import type { LiveToken } from "../adapters/keys/token-reader";

interface RevokedToken {
  _id: string;
  client: string;
  expiresAt: Date;
}

export interface RevokedTokenStore {
  init(): Promise<void>;
  /** Adds a token; a repeat changes nothing. */
  add(token: LiveToken): Promise<void>;
  /** Ids of those that have not expired yet. */
  liveAt(now: Date): Promise<string[]>;
}

const tokenSchema = new Schema<RevokedToken>(
  {
    _id: text,
    client: text,
    expiresAt: date,
  },
  strictDocument,
);
tokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3_600 });

/** Revoked access tokens in `revoked_tokens`, until they would have expired. */
export function makeRevokedTokenStore(connection: Connection): RevokedTokenStore {
  const model = connection.model("RevokedToken", tokenSchema, "revoked_tokens");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id: _id, client, expiresAt }) {
      await model.updateOne({ _id }, { $setOnInsert: { client, expiresAt } }, { upsert: true });
    },
    async liveAt(now) {
      const found = await model.find({ expiresAt: { $gt: now } }, { _id: 1 }).lean<Pick<RevokedToken, "_id">[]>();
      return found.map(({ _id }) => _id);
    },
  };
}

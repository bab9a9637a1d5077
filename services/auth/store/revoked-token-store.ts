import type { Connection } from "mongoose";
import type { LiveToken } from "../adapters/keys/token-reader";

interface RevokedToken {
  _id: string;
  client: string;
  expiresAt: Date;
}

export interface RevokedTokenStore {
  init(): Promise<void>;
  /** Adds a token; again, it changes nothing. */
  add(token: LiveToken): Promise<void>;
  /** Ids of those that would still work. */
  liveAt(now: Date): Promise<string[]>;
}

/** Revoked access tokens in `revoked_tokens`, until they would have expired. */
export function makeRevokedTokenStore(connection: Connection): RevokedTokenStore {
  const tokens = connection.collection<RevokedToken>("revoked_tokens");
  return {
    async init() {
      await connection.createCollection("revoked_tokens");
      await tokens.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 3_600 });
    },
    async add({ id: _id, client, expiresAt }) {
      await tokens.updateOne({ _id }, { $setOnInsert: { client, expiresAt } }, { upsert: true });
    },
    async liveAt(now) {
      const found = await tokens.find({ expiresAt: { $gt: now } }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}

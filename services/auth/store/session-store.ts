import { type Connection, Schema } from "mongoose";
import { date, listOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Session } from "../domain/login";
import type { Home } from "../domain/user";

interface SessionRecord {
  _id: string;
  userId: string;
  home: string;
  claimedRoles: string[];
  provenAt?: Date;
  seenAt: Date;
  endsAt: Date;
}

export interface SessionStore {
  init(): Promise<void>;
  add(session: Session): Promise<void>;
  find(id: string): Promise<Session | undefined>;
  /** Notes that it is used; one that has been ended stays ended. */
  noteSeen(id: string, at: Date): Promise<void>;
  end(id: string): Promise<void>;
  endAllOf(userId: string): Promise<void>;
}

const sessionSchema = new Schema<SessionRecord>(
  {
    _id: text,
    userId: text,
    home: text,
    claimedRoles: listOf(String),
    provenAt: Date,
    seenAt: date,
    endsAt: date,
  },
  strictDocument,
);
sessionSchema.index({ userId: 1 });
sessionSchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 });

/** Sessions of people, by the digests of their secrets. */
export function makeSessionStore(connection: Connection): SessionStore {
  const model = connection.model("Session", sessionSchema, "sessions");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id: _id, claimedRoles, provenAt, ...rest }) {
      const proven = provenAt === undefined ? {} : { provenAt };
      await model.create({ _id, claimedRoles: [...claimedRoles], ...proven, ...rest });
    },
    async find(id) {
      const record = await model.findById(id).lean<SessionRecord>();
      if (record === null) return undefined;
      const { _id, home, provenAt, ...rest } = record;
      return { id, home: home as Home, provenAt, ...rest };
    },
    async noteSeen(id, at) {
      await model.updateOne({ _id: id }, { $max: { seenAt: at } });
    },
    async end(id) {
      await model.deleteOne({ _id: id });
    },
    async endAllOf(userId) {
      await model.deleteMany({ userId });
    },
  };
}

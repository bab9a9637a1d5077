import { type Connection, Schema } from "mongoose";
import { date, listOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Session } from "../domain/login";
import type { Home } from "../domain/user";

interface SessionRecord {
  _id: string;
  name: string;
  userId: string;
  home: string;
  claimedRoles: string[];
  provenAt?: Date;
  openedAt: Date;
  seenAt: Date;
  endsAt: Date;
}

export interface SessionStore {
  init(): Promise<void>;
  add(session: Session): Promise<void>;
  find(id: string): Promise<Session | undefined>;
  /** Notes its use; a session that was ended stays ended. */
  noteSeen(id: string, at: Date): Promise<void>;
  end(id: string): Promise<void>;
  /** Newest first; includes ended ones that were not removed yet. */
  listOf(userId: string, limit: number): Promise<Session[]>;
  /** Ends one of the user's sessions; returns false when there is none with this name. */
  endOneOf(userId: string, name: string): Promise<boolean>;
  endAllOf(userId: string): Promise<void>;
}

const sessionSchema = new Schema<SessionRecord>(
  {
    _id: text,
    name: text,
    userId: text,
    home: text,
    claimedRoles: listOf(String),
    provenAt: Date,
    openedAt: date,
    seenAt: date,
    endsAt: date,
  },
  strictDocument,
);
sessionSchema.index({ userId: 1, openedAt: -1 });
sessionSchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 });

const toSession = ({ _id: id, home, provenAt, ...rest }: SessionRecord): Session => ({
  id,
  home: home as Home,
  provenAt,
  ...rest,
});

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
      return record === null ? undefined : toSession(record);
    },
    async listOf(userId, limit) {
      const records = await model.find({ userId }).sort({ openedAt: -1 }).limit(limit).lean<SessionRecord[]>();
      return records.map(toSession);
    },
    async endOneOf(userId, name) {
      const { deletedCount } = await model.deleteOne({ userId, name });
      return deletedCount === 1;
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

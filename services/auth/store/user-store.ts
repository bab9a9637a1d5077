import { type Connection, Schema } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { isDuplicateKey } from "../../shared/storage/mongo";
import { date, flag, listOf, number, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Home, User } from "../domain/user";

interface UserRecord {
  _id: string;
  home: string;
  /** `operators` or `tenants`: in each of the two a person is one user. */
  kind: string;
  sealedEmail?: string;
  subject?: string;
  roles: string[];
  isDisabled: boolean;
  createdAt: Date;
  tokensSince: Date;
  reducedAt: Date;
  version: number;
}

export interface UserStore {
  init(): Promise<void>;
  find(home: Home, id: string): Promise<User | undefined>;
  /** Returns the user for this person at the provider, at any home of that kind. */
  findBySubject(kind: "operators" | "tenants", subject: string): Promise<User | undefined>;
  /** Oldest first, at most `limit`. */
  list(home: Home, limit: number): Promise<User[]>;
  /** Adds it; returns false when the person is a user already. */
  add(user: User): Promise<boolean>;
  /** Saves the user's next version; returns false when another writer was first, or the person is a user already. */
  save(user: User): Promise<boolean>;
}

const userSchema = new Schema<UserRecord>(
  {
    _id: text,
    home: text,
    kind: oneOf(["operators", "tenants"]),
    sealedEmail: String,
    subject: String,
    roles: listOf(String),
    isDisabled: flag,
    createdAt: date,
    tokensSince: date,
    reducedAt: date,
    version: number,
  },
  strictDocument,
);
userSchema.index({ home: 1, createdAt: 1, _id: 1 });
userSchema.index({ kind: 1, subject: 1 }, { unique: true, partialFilterExpression: { subject: { $exists: true } } });

const placeOf = (home: string, id: string): string => `${home}|users|${id}|email`;

export const sealedEmails = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "users",
  reads: ["home"],
  fields: [sealedField("sealedEmail", sealer, ({ _id, home }) => placeOf(String(home), String(_id)))],
});

const kindOf = (home: Home): "operators" | "tenants" => (home === "operators" ? home : "tenants");

/** People, by id; their addresses are sealed. */
export function makeUserStore(connection: Connection, sealer: Sealer): UserStore {
  const model = connection.model("User", userSchema, "users");
  const toUser = ({ _id, home, kind: _kind, sealedEmail, subject, ...rest }: UserRecord): User => ({
    ...rest,
    id: _id,
    home: home as Home,
    subject,
    email: sealedEmail === undefined ? undefined : sealer.open(sealedEmail, placeOf(home, _id)).toString(),
  });
  const toRecord = ({ id, home, email, subject, roles, ...rest }: User): UserRecord => ({
    ...rest,
    _id: id,
    home,
    kind: kindOf(home),
    roles: [...roles],
    ...(email === undefined ? {} : { sealedEmail: sealer.seal(email, placeOf(home, id)) }),
    ...(subject === undefined ? {} : { subject }),
  });
  /** Returns false when the person is a user already. */
  const unlessTaken = async (write: () => Promise<boolean>): Promise<boolean> => {
    try {
      return await write();
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(home, id) {
      const record = await model.findOne({ _id: id, home }).lean<UserRecord>();
      return record === null ? undefined : toUser(record);
    },
    async findBySubject(kind, subject) {
      const record = await model.findOne({ kind, subject }).lean<UserRecord>();
      return record === null ? undefined : toUser(record);
    },
    async list(home, limit) {
      const records = await model.find({ home }).sort({ createdAt: 1, _id: 1 }).limit(limit).lean<UserRecord[]>();
      return records.map(toUser);
    },
    add: (user) =>
      unlessTaken(async () => {
        await model.create(toRecord(user));
        return true;
      }),
    save: ({ id, version, subject, roles, isDisabled, tokensSince, reducedAt }) =>
      unlessTaken(async () => {
        const next = { version, roles: [...roles], isDisabled, tokensSince, reducedAt };
        const $set = subject === undefined ? next : { ...next, subject };
        const { modifiedCount } = await model.updateOne({ _id: id, version: version - 1 }, { $set });
        return modifiedCount === 1;
      }),
  };
}

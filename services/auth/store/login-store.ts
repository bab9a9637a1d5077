import { type Connection, Schema } from "mongoose";
import { date, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Login } from "../domain/login";
import type { Home } from "../domain/user";

interface LoginRecord {
  _id: string;
  home: string;
  redirectUri: string;
  endsAt: Date;
}

export interface LoginStore {
  init(): Promise<void>;
  add(login: Login): Promise<void>;
  /** Removes and returns a login: one of two concurrent callers gets it. */
  take(id: string): Promise<Login | undefined>;
}

const loginSchema = new Schema<LoginRecord>(
  {
    _id: text,
    home: text,
    redirectUri: text,
    endsAt: date,
  },
  strictDocument,
);
loginSchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 });

/** Logins in progress, by the digests of their secrets. */
export function makeLoginStore(connection: Connection): LoginStore {
  const model = connection.model("Login", loginSchema, "logins");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id: _id, ...rest }) {
      await model.create({ _id, ...rest });
    },
    async take(id) {
      const record = await model.findOneAndDelete({ _id: id }).lean<LoginRecord>();
      if (record === null) return undefined;
      const { home, redirectUri, endsAt } = record;
      return { id, home: home as Home, redirectUri, endsAt };
    },
  };
}

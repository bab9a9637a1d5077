import { type Connection, Schema } from "mongoose";
import { date, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { DeviceLogin } from "../domain/login";
import type { Home } from "../domain/user";

interface DeviceLoginRecord {
  _id: string;
  home: string;
  sealedCode: string;
  intervalSeconds: number;
  askAt: Date;
  endsAt: Date;
}

export interface DeviceLoginStore {
  init(): Promise<void>;
  add(login: DeviceLogin): Promise<void>;
  find(id: string): Promise<DeviceLogin | undefined>;
  /** Saves when the provider may be asked next; returns false when another question came between. */
  save(before: DeviceLogin, next: DeviceLogin): Promise<boolean>;
  /** Removes a login: of concurrent callers, one gets true. */
  take(id: string): Promise<boolean>;
}

const deviceLoginSchema = new Schema<DeviceLoginRecord>(
  {
    _id: text,
    home: text,
    sealedCode: text,
    intervalSeconds: number,
    askAt: date,
    endsAt: date,
  },
  strictDocument,
);
deviceLoginSchema.index({ endsAt: 1 }, { expireAfterSeconds: 3_600 });

/** Logins by the device grant in progress, by the digests of their secrets. */
export function makeDeviceLoginStore(connection: Connection): DeviceLoginStore {
  const model = connection.model("DeviceLogin", deviceLoginSchema, "device_logins");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id: _id, ...rest }) {
      await model.create({ _id, ...rest });
    },
    async find(id) {
      const record = await model.findOne({ _id: id }).lean<DeviceLoginRecord>();
      if (record === null) return undefined;
      const { _id, home, ...rest } = record;
      return { id, home: home as Home, ...rest };
    },
    async save({ id: _id, askAt, intervalSeconds }, next) {
      const change = { $set: { askAt: next.askAt, intervalSeconds: next.intervalSeconds } };
      return (await model.updateOne({ _id, askAt, intervalSeconds }, change)).modifiedCount === 1;
    },
    async take(id) {
      return (await model.deleteOne({ _id: id })).deletedCount === 1;
    },
  };
}

import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/mongo";
import type { StoredSecret } from "../domain/secret";
import type { Subscription } from "../domain/subscription";

interface SubscriptionRecord {
  _id: string;
  tenant: string;
  url: string;
  events: string[];
  createdAt: Date;
  secret: StoredSecret | null;
  disabledAt: Date | null;
}

export interface SubscriptionStore {
  init(): Promise<void>;
  add(subscription: Subscription): Promise<void>;
  /** Oldest first. */
  list(tenant: string): Promise<Subscription[]>;
  /** The same, as the transaction sees it. */
  listIn(tx: Tx, tenant: string): Promise<Subscription[]>;
  find(tenant: string, id: string): Promise<Subscription | undefined>;
  /** False when the tenant has no such subscription. */
  remove(tenant: string, id: string): Promise<boolean>;
  /** Replaces the secret, or takes it away. False when the tenant has no such subscription. */
  setSecret(tenant: string, id: string, secret: StoredSecret | undefined): Promise<boolean>;
  disable(tenant: string, id: string, at: Date): Promise<void>;
}

const subscriptionSchema = new Schema<SubscriptionRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    url: { type: String, required: true },
    events: { type: [String], required: true },
    createdAt: { type: Date, required: true },
    secret: {
      type: new Schema<StoredSecret>({ sealed: String, fingerprint: String, rotatedAt: Date }, { _id: false }),
      default: null,
    },
    disabledAt: { type: Date, default: null },
  },
  { versionKey: false, strict: "throw" },
);
subscriptionSchema.index({ tenant: 1, createdAt: 1, _id: 1 });

const toSubscription = ({ _id, secret, disabledAt, ...facts }: SubscriptionRecord): Subscription => ({
  ...facts,
  id: _id,
  secret: secret ?? undefined,
  disabledAt: disabledAt ?? undefined,
});

/** Subscriptions of all tenants. */
export function makeSubscriptionStore(connection: Connection): SubscriptionStore {
  const model = connection.model("Subscription", subscriptionSchema, "subscriptions");
  const subscriptions = connection.collection<SubscriptionRecord>("subscriptions");
  const oldestFirst = { createdAt: 1, _id: 1 } as const;
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ id, secret, disabledAt, events, ...facts }) {
      await subscriptions.insertOne({
        ...facts,
        _id: id,
        events: [...events],
        secret: secret ?? null,
        disabledAt: disabledAt ?? null,
      });
    },
    async list(tenant) {
      const records = await subscriptions.find({ tenant }).sort(oldestFirst).toArray();
      return records.map(toSubscription);
    },
    async listIn({ session }, tenant) {
      const records = await subscriptions.find({ tenant }, { session }).sort(oldestFirst).toArray();
      return records.map(toSubscription);
    },
    async find(tenant, id) {
      const record = await subscriptions.findOne({ _id: id, tenant });
      return record === null ? undefined : toSubscription(record);
    },
    async remove(tenant, id) {
      const { deletedCount } = await subscriptions.deleteOne({ _id: id, tenant });
      return deletedCount === 1;
    },
    async setSecret(tenant, id, secret) {
      const { matchedCount } = await subscriptions.updateOne({ _id: id, tenant }, { $set: { secret: secret ?? null } });
      return matchedCount === 1;
    },
    async disable(tenant, id, at) {
      await subscriptions.updateOne({ _id: id, tenant, disabledAt: null }, { $set: { disabledAt: at } });
    },
  };
}

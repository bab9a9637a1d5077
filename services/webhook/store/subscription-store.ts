import { type Connection, type QueryFilter, Schema, type UpdateQuery } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { date, flag, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { type StoredSecret, secretContext, seedContext } from "../domain/secret";
import {
  type Disabled,
  disableReasons,
  type Health,
  healthy,
  maxSubscriptions,
  type Subscription,
} from "../domain/subscription";

interface SubscriptionRecord {
  _id: string;
  tenant: string;
  /** 0 to 15, each taken once per tenant, which has sixteen places. */
  slot: number;
  url: string;
  events: string[];
  isBatch: boolean;
  createdAt: Date;
  secret: StoredSecret | null;
  disabled: Disabled | null;
  failures: number;
  failingSince?: Date;
  pausedUntil?: Date;
  /** How often it was disabled and enabled; absent if it never was. */
  changes?: number;
}

/** A subscription that was disabled or enabled just now. */
export interface Switched {
  tenant: string;
  /** Number of this change: 1, 2, 3 and so on. */
  sequence: number;
}

/** Id of a subscription, and its tenant. */
type Named = Pick<Subscription, "id" | "tenant">;

/** Changes that attempts make. */
interface SubscriptionHealth {
  /** Returns undefined when it is already disabled. The caller notes the change after its commit. */
  disable(tx: Tx, id: string, disabled: Disabled): Promise<Switched | undefined>;
  /** Lets attempts resume, as if nothing had failed. Returns undefined when it is already enabled. The caller notes the change as above. */
  enable(tx: Tx, id: string): Promise<Switched | undefined>;
  /** Counts a failed attempt; returns the updated health. */
  failed(one: Named, at: Date): Promise<Health>;
  /** Forgets failures. */
  succeeded(one: Named): Promise<void>;
  /** Pauses an endpoint that still has failures. */
  pause(one: Named, until: Date): Promise<void>;
  /** Takes the single attempt that is allowed at the end of a pause. Returns false when another worker has it. */
  takeTrial(one: Named, pausedUntil: Date, nextTrialAt: Date): Promise<boolean>;
}

export interface SubscriptionStore extends SubscriptionHealth {
  init(): Promise<void>;
  /** Returns false when the tenant already has the most that it may have. */
  add(subscription: Subscription): Promise<boolean>;
  /** Oldest first. */
  list(tenant: string): Promise<Subscription[]>;
  /** Returns those of several tenants. */
  ofTenants(tenants: readonly string[]): Promise<Subscription[]>;
  find(tenant: string, id: string): Promise<Subscription | undefined>;
  /** Returns subscriptions of any tenants, by their ids. */
  findEach(ids: readonly string[]): Promise<Map<string, Subscription>>;
  /** False when the tenant has no such subscription. */
  remove(tenant: string, id: string): Promise<boolean>;
  /** Replaces the secret, or removes it. Returns false when the tenant has no such subscription. */
  setSecret(tenant: string, id: string, secret: StoredSecret | undefined): Promise<boolean>;
}

const subscriptionSchema = new Schema<SubscriptionRecord>(
  {
    _id: text,
    tenant: text,
    slot: number,
    url: text,
    events: listOf(String),
    isBatch: flag,
    createdAt: date,
    secret: {
      type: part({ sealed: text, sealedSeed: text, publicKey: text, fingerprint: text, rotatedAt: date }),
      default: null,
    },
    disabled: { type: part({ at: date, reason: oneOf(disableReasons) }), default: null },
    failures: number,
    failingSince: Date,
    pausedUntil: Date,
    changes: Number,
  },
  strictDocument,
);
subscriptionSchema.index({ tenant: 1, createdAt: 1, _id: 1 });
subscriptionSchema.index({ tenant: 1, slot: 1 }, { unique: true });

const toHealth = ({ failures, failingSince, pausedUntil }: SubscriptionRecord): Health => ({
  failures,
  failingSince,
  pausedUntil,
});

const toSubscription = (record: SubscriptionRecord): Subscription => ({
  id: record._id,
  tenant: record.tenant,
  url: record.url,
  events: record.events,
  isBatch: record.isBatch,
  createdAt: record.createdAt,
  secret: record.secret ?? undefined,
  disabled: record.disabled ?? undefined,
  health: toHealth(record),
});

const toRecord = (
  { id, health, secret, disabled, events, ...facts }: Subscription,
  slot: number,
): SubscriptionRecord => ({
  ...facts,
  _id: id,
  slot,
  events: [...events],
  secret: secret ?? null,
  disabled: disabled ?? null,
  failures: health.failures,
});

export const sealedSecrets = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "subscriptions",
  fields: [
    sealedField("secret.sealed", sealer, ({ _id, tenant = "" }) => secretContext(tenant, String(_id))),
    sealedField("secret.sealedSeed", sealer, ({ _id, tenant = "" }) => seedContext(tenant, String(_id))),
  ],
});

const modelOf = (connection: Connection) => connection.model("Subscription", subscriptionSchema, "subscriptions");

/** Subscriptions of all tenants. `noteChange` is called with the tenant after each change, so that cached state is dropped. */
export function makeSubscriptionStore(
  connection: Connection,
  noteChange: (tenant: string) => void = () => {},
): SubscriptionStore {
  const model = modelOf(connection);
  const oldestFirst = { createdAt: 1, _id: 1 } as const;
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(subscription) {
      for (let slot = 0; slot < maxSubscriptions; slot += 1) {
        try {
          await model.create(toRecord(subscription, slot));
          noteChange(subscription.tenant);
          return true;
        } catch (error) {
          // The place is taken, possibly by a concurrent call.
          if (!isDuplicateKey(error)) throw error;
        }
      }
      return false;
    },
    async list(tenant) {
      const records = await model.find({ tenant }).sort(oldestFirst).lean<SubscriptionRecord[]>();
      return records.map(toSubscription);
    },
    async ofTenants(tenants) {
      const records = await model.find({ tenant: { $in: [...tenants] } }).lean<SubscriptionRecord[]>();
      return records.map(toSubscription);
    },
    async findEach(ids) {
      const records = await model.find({ _id: { $in: [...ids] } }).lean<SubscriptionRecord[]>();
      return new Map(records.map((record) => [record._id, toSubscription(record)]));
    },
    async find(tenant, id) {
      const record = await model.findOne({ _id: id, tenant }).lean<SubscriptionRecord>();
      return record === null ? undefined : toSubscription(record);
    },
    async remove(tenant, id) {
      const { deletedCount } = await model.deleteOne({ _id: id, tenant });
      noteChange(tenant);
      return deletedCount === 1;
    },
    async setSecret(tenant, id, secret) {
      const { matchedCount } = await model.updateOne({ _id: id, tenant }, { $set: { secret: secret ?? null } });
      noteChange(tenant);
      return matchedCount === 1;
    },
    ...healthWork(model, noteChange),
  };
}

/** Changes that attempts make. */
function healthWork(
  subscriptions: ReturnType<typeof modelOf>,
  noteChange: (tenant: string) => void,
): SubscriptionHealth {
  const whole = { failures: 0 };
  const forgotten = { failingSince: "", pausedUntil: "" } as const;
  const change = async (
    { session }: Tx,
    filter: QueryFilter<SubscriptionRecord>,
    update: UpdateQuery<SubscriptionRecord>,
  ): Promise<Switched | undefined> => {
    const counted = { ...update, $inc: { changes: 1 } };
    const record = await subscriptions
      .findOneAndUpdate(filter, counted, { session, returnDocument: "after" })
      .lean<SubscriptionRecord>();
    return record === null ? undefined : { tenant: record.tenant, sequence: record.changes ?? 1 };
  };
  return {
    disable: (tx, id, disabled) => change(tx, { _id: id, disabled: null }, { $set: { disabled } }),
    enable: (tx, id) =>
      change(tx, { _id: id, disabled: { $ne: null } }, { $set: { ...whole, disabled: null }, $unset: forgotten }),
    async failed({ id, tenant }, at) {
      const count = { $inc: { failures: 1 }, $min: { failingSince: at } };
      const record = await subscriptions
        .findOneAndUpdate({ _id: id }, count, { returnDocument: "after" })
        .lean<SubscriptionRecord>();
      noteChange(tenant);
      return record === null ? healthy : toHealth(record);
    },
    async succeeded({ id, tenant }) {
      await subscriptions.updateOne({ _id: id }, { $set: whole, $unset: forgotten });
      noteChange(tenant);
    },
    async pause({ id, tenant }, until) {
      // Unless another attempt has succeeded meanwhile.
      await subscriptions.updateOne({ _id: id, failures: { $gt: 0 } }, { $max: { pausedUntil: until } });
      noteChange(tenant);
    },
    async takeTrial({ id, tenant }, pausedUntil, nextTrialAt) {
      const trial = { $set: { pausedUntil: nextTrialAt } };
      const { modifiedCount } = await subscriptions.updateOne({ _id: id, pausedUntil }, trial);
      // Also when another worker has it: the cached state is out of date.
      noteChange(tenant);
      return modifiedCount === 1;
    },
  };
}

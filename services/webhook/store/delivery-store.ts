import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/mongo";
import type { Delivery, DeliveryEnd } from "../domain/delivery";

const states = ["pending", "delivered", "abandoned"] as const;

interface DeliveryRecord {
  _id: string;
  tenant: string;
  subscriptionId: string;
  laneId: string;
  eventId: string;
  sequence: number;
  body: string;
  traceparent: string | null;
  occurredAt: Date;
  createdAt: Date;
  attempts: number;
  nextAttemptAt: Date;
  /** Status of the last answer; null when there was none. */
  lastStatus: number | null;
  state: "pending" | DeliveryEnd;
  endedAt: Date | null;
}

export interface DeliveryStore {
  init(): Promise<void>;
  add(tx: Tx, deliveries: readonly Delivery[], at: Date): Promise<void>;
  /** What of a lane is still to be sent, by ascending sequence. */
  undelivered(laneId: string): Promise<Delivery[]>;
  /** Remembers a failed attempt that another one follows. */
  retry(id: string, next: { attempts: number; nextAttemptAt: Date }, status: number | undefined): Promise<void>;
  /** Remembers the last attempt. */
  end(id: string, end: DeliveryEnd, status: number | undefined, at: Date): Promise<void>;
  /** Gives up all that is left in a lane. */
  abandonLane(laneId: string, at: Date): Promise<void>;
  /** When the oldest undelivered one was made. */
  oldestPending(): Promise<Date | undefined>;
}

const retentionSeconds = 30 * 24 * 60 * 60;

const deliverySchema = new Schema<DeliveryRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    subscriptionId: { type: String, required: true },
    laneId: { type: String, required: true },
    eventId: { type: String, required: true },
    sequence: { type: Number, required: true },
    body: { type: String, required: true },
    traceparent: { type: String, default: null },
    occurredAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    attempts: { type: Number, required: true },
    nextAttemptAt: { type: Date, required: true },
    lastStatus: { type: Number, default: null },
    state: { type: String, enum: states, required: true },
    endedAt: { type: Date, default: null },
  },
  { versionKey: false, strict: "throw" },
);
deliverySchema.index({ laneId: 1, state: 1, sequence: 1 });
deliverySchema.index({ state: 1, createdAt: 1 });
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: retentionSeconds });

const toRecord = ({ id, traceparent, ...facts }: Delivery, at: Date): DeliveryRecord => ({
  ...facts,
  _id: id,
  traceparent: traceparent ?? null,
  createdAt: at,
  lastStatus: null,
  state: "pending",
  endedAt: null,
});

const toDelivery = ({ _id, traceparent, ...record }: DeliveryRecord): Delivery => ({
  id: _id,
  tenant: record.tenant,
  subscriptionId: record.subscriptionId,
  laneId: record.laneId,
  eventId: record.eventId,
  sequence: record.sequence,
  body: record.body,
  traceparent: traceparent ?? undefined,
  occurredAt: record.occurredAt,
  attempts: record.attempts,
  nextAttemptAt: record.nextAttemptAt,
});

/** Deliveries of all tenants, kept for 30 days. */
export function makeDeliveryStore(connection: Connection): DeliveryStore {
  const model = connection.model("Delivery", deliverySchema, "deliveries");
  const deliveries = connection.collection<DeliveryRecord>("deliveries");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ session }, added, at) {
      await deliveries.insertMany(
        added.map((delivery) => toRecord(delivery, at)),
        { session },
      );
    },
    async undelivered(laneId) {
      const records = await deliveries.find({ laneId, state: "pending" }).sort({ sequence: 1 }).toArray();
      return records.map(toDelivery);
    },
    async retry(id, { attempts, nextAttemptAt }, status) {
      const change = { attempts, nextAttemptAt, lastStatus: status ?? null };
      await deliveries.updateOne({ _id: id, state: "pending" }, { $set: change });
    },
    async end(id, end, status, at) {
      const change = { state: end, endedAt: at, lastStatus: status ?? null };
      await deliveries.updateOne({ _id: id, state: "pending" }, { $set: change, $inc: { attempts: 1 } });
    },
    async abandonLane(laneId, at) {
      await deliveries.updateMany({ laneId, state: "pending" }, { $set: { state: "abandoned", endedAt: at } });
    },
    async oldestPending() {
      const oldest = await deliveries.findOne({ state: "pending" }, { sort: { createdAt: 1 } });
      return oldest?.createdAt;
    },
  };
}

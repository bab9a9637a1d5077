import type { Collection, Connection } from "mongoose";
import type { Tx } from "../../shared/mongo";
import type { Delivery, DeliveryEnd, DeliveryState, LoggedAttempt } from "../domain/delivery";
import { attemptsBeforePassing } from "../domain/lane";
import { type DeliveryRecord, deliverySchema, toAttemptRecord, toDelivery, toRecord } from "./delivery-record";

/** What one attempt sends: a delivery, or all of a batch. */
export interface Consignment {
  ids: readonly string[];
}

export interface DeliveryFilter {
  tenant: string;
  subscriptionId: string | undefined;
  subjectId: string | undefined;
  state: DeliveryState | undefined;
}

/** A place in a list of deliveries. */
export interface DeliveryPlace {
  createdAt: Date;
  id: string;
}

/** What workers do with deliveries. */
interface DeliveryWork {
  /** The first of what a lane still has to send, by ascending position. */
  undelivered(laneId: string, limit: number): Promise<Delivery[]>;
  /** The same without those that later ones may pass, while they are not due. */
  movable(laneId: string, at: Date, limit: number): Promise<Delivery[]>;
  /** When the earliest of those left out by `movable` is due. */
  nextPassed(laneId: string, at: Date): Promise<Date | undefined>;
  /** All deliveries of a batch, by ascending position. */
  inBatch(batchId: string): Promise<Delivery[]>;
  /** Puts deliveries that were never sent into a batch. */
  makeBatch(batchId: string, ids: readonly string[]): Promise<void>;
  /** Remembers a failed attempt that another one follows. */
  retry(of: Consignment, next: { failures: number; nextAttemptAt: Date }, attempt: LoggedAttempt): Promise<void>;
  /** Remembers the last attempt. */
  end(of: Consignment, end: DeliveryEnd, attempt: LoggedAttempt): Promise<void>;
  /** Gives up all that is left in a lane. */
  abandonLane(laneId: string, at: Date): Promise<void>;
}

export interface DeliveryStore extends DeliveryWork {
  init(): Promise<void>;
  add(tx: Tx, deliveries: readonly Delivery[]): Promise<void>;
  find(tenant: string, subscriptionId: string, id: string): Promise<Delivery | undefined>;
  findIn(tx: Tx, ids: readonly string[]): Promise<Delivery[]>;
  /** Newest first, behind a place, without bodies and logs. */
  list(filter: DeliveryFilter, behind: DeliveryPlace | undefined, limit: number): Promise<Delivery[]>;
  /** Begins the deliveries again, with the batches that they belong to. What was delivered is sent once more. */
  requeue(tx: Tx, deliveries: readonly Delivery[], at: Date): Promise<void>;
  /** When the oldest undelivered one was made. */
  oldestPending(): Promise<Date | undefined>;
}

const logLength = 20;

/** Deliveries of all tenants, kept for 30 days. */
export function makeDeliveryStore(connection: Connection): DeliveryStore {
  const model = connection.model("Delivery", deliverySchema, "deliveries");
  const deliveries = connection.collection<DeliveryRecord>("deliveries");
  return {
    ...deliveryWork(deliveries),
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ session }, added) {
      if (added.length > 0) await deliveries.insertMany(added.map(toRecord), { session });
    },
    async find(tenant, subscriptionId, id) {
      const record = await deliveries.findOne({ _id: id, tenant, subscriptionId });
      return record === null ? undefined : toDelivery(record);
    },
    async findIn({ session }, ids) {
      const records = await deliveries.find({ _id: { $in: [...ids] } }, { session }).toArray();
      return records.map(toDelivery);
    },
    async list(filter, behind, limit) {
      const found = deliveries.find(toFilter(filter, behind), { projection: { body: 0, log: 0 } });
      const records = await found.sort({ createdAt: -1, _id: -1 }).limit(limit).toArray();
      return records.map((record) => toDelivery({ ...record, body: "", log: [] }));
    },
    async requeue({ session }, again, at) {
      const batches = again.flatMap(({ batchId }) => batchId ?? []);
      const begun = { state: "pending", failures: 0, nextAttemptAt: at, endedAt: null } as const;
      const ids = again.map(({ id }) => id);
      await deliveries.updateMany({ _id: { $in: ids } }, { $set: begun }, { session });
      if (batches.length > 0) {
        await deliveries.updateMany({ batchId: { $in: [...new Set(batches)] } }, { $set: begun }, { session });
      }
    },
    async oldestPending() {
      const oldest = await deliveries.findOne({ state: "pending" }, { sort: { createdAt: 1 } });
      return oldest?.createdAt;
    },
  };
}

function deliveryWork(deliveries: Collection<DeliveryRecord>): DeliveryWork {
  const ofConsignment = ({ ids }: Consignment) => ({ _id: { $in: [...ids] }, state: "pending" as const });
  const logged = (attempt: LoggedAttempt) => ({
    $inc: { attempts: 1 },
    $push: { log: { $each: [toAttemptRecord(attempt)], $slice: -logLength } },
  });
  return {
    async undelivered(laneId, limit) {
      const found = deliveries.find({ laneId, state: "pending" });
      const records = await found.sort({ position: 1 }).limit(limit).toArray();
      return records.map(toDelivery);
    },
    async movable(laneId, at, limit) {
      const isMovable = { $or: [{ failures: { $lt: attemptsBeforePassing } }, { nextAttemptAt: { $lte: at } }] };
      const found = deliveries.find({ laneId, state: "pending", ...isMovable });
      const records = await found.sort({ position: 1 }).limit(limit).toArray();
      return records.map(toDelivery);
    },
    async nextPassed(laneId, at) {
      const isPassed = { failures: { $gte: attemptsBeforePassing }, nextAttemptAt: { $gt: at } };
      const next = await deliveries.findOne(
        { laneId, state: "pending", ...isPassed },
        { sort: { nextAttemptAt: 1 }, projection: { nextAttemptAt: 1 } },
      );
      return next?.nextAttemptAt;
    },
    async inBatch(batchId) {
      const records = await deliveries.find({ batchId }).sort({ position: 1 }).toArray();
      return records.map(toDelivery);
    },
    async makeBatch(batchId, ids) {
      await deliveries.updateMany({ _id: { $in: [...ids] }, batchId: null }, { $set: { batchId } });
    },
    async retry(of, next, attempt) {
      const change = { ...next, lastStatus: attempt.status ?? null };
      await deliveries.updateMany(ofConsignment(of), { $set: change, ...logged(attempt) });
    },
    async end(of, end, attempt) {
      const change = { state: end, endedAt: attempt.at, lastStatus: attempt.status ?? null };
      await deliveries.updateMany(ofConsignment(of), { $set: change, ...logged(attempt) });
    },
    async abandonLane(laneId, at) {
      await deliveries.updateMany({ laneId, state: "pending" }, { $set: { state: "failed", endedAt: at } });
    },
  };
}

/** The filter of a list. */
function toFilter({ tenant, subscriptionId, subjectId, state }: DeliveryFilter, behind: DeliveryPlace | undefined) {
  return {
    tenant,
    ...(subscriptionId === undefined ? {} : { subscriptionId }),
    ...(subjectId === undefined ? {} : { subjectId }),
    ...(state === undefined ? {} : { state }),
    ...(behind === undefined
      ? {}
      : {
          $or: [{ createdAt: { $lt: behind.createdAt } }, { createdAt: behind.createdAt, _id: { $lt: behind.id } }],
        }),
  };
}

import type { Collection, Connection } from "mongoose";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import type { Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import {
  type Delivery,
  type DeliveryEnd,
  type DeliveryFilter,
  type DeliveryPlace,
  endOf,
  type LoggedAttempt,
  newestFirst,
} from "../domain/delivery";
import { attemptsBeforePassing } from "../domain/lane";
import { makeDeliveryLog } from "./delivery-log";
import { deliveryLogSchema, isLogged } from "./delivery-log-record";
import { type DeliveryRecord, deliverySchema, toAttemptRecord, toDelivery, toRecord } from "./delivery-record";

/** Changes that one attempt makes to a delivery, or to all deliveries of a batch. */
export interface Settlement {
  ids: readonly string[];
  /** Final state, or the time of the next attempt. */
  next: { end: DeliveryEnd } | { failures: number; nextAttemptAt: Date };
  attempt: LoggedAttempt;
}

/** The store of deliveries as workers use it. */
interface DeliveryWork {
  /** Returns the first undelivered deliveries of a subscription, by ascending position. */
  undelivered(subscriptionId: string, limit: number): Promise<Delivery[]>;
  /** The same after a position, without deliveries that later ones may overtake and that are not due. */
  movable(subscriptionId: string, behind: number, at: Date, limit: number): Promise<Delivery[]>;
  /** Returns when the earliest delivery that `movable` left out is due. */
  nextPassed(subscriptionId: string, at: Date): Promise<Date | undefined>;
  /** Returns all deliveries of a batch, by ascending position. */
  inBatch(batchId: string): Promise<Delivery[]>;
  /** Puts deliveries that were never sent into a batch. Returns false when not all of them are in it because another process was first. */
  makeBatch(batchId: string, ids: readonly string[]): Promise<boolean>;
  /**
   * Stores the results of attempts. Deliveries that have ended meanwhile stay as they are, and so does the plan of those that another
   * process, which took over, has tried again meanwhile.
   */
  settle(settlements: readonly Settlement[]): Promise<void>;
  /** Gives up the undelivered deliveries of a subscription. */
  abandon(subscriptionId: string, at: Date, which: "all" | "all but tests"): Promise<void>;
}

export interface DeliveryStore extends DeliveryWork {
  init(): Promise<void>;
  add(tx: Tx, deliveries: readonly Delivery[]): Promise<void>;
  find(tenant: string, subscriptionId: string, id: string): Promise<Delivery | undefined>;
  /** Finds a delivery that was delivered at once. The others have documents, with their id as `_id`. */
  findLogged(scope: TenantScope, id: string): Promise<Delivery | undefined>;
  findIn(tx: Tx, ids: readonly string[]): Promise<Delivery[]>;
  /** Newest first, after a place, without bodies and logs. */
  list(filter: DeliveryFilter, behind: DeliveryPlace | undefined, limit: number): Promise<Delivery[]>;
  /** Restarts the deliveries, with the batches that they belong to. Delivered ones are sent once more. */
  requeue(tx: Tx, deliveries: readonly Delivery[], at: Date): Promise<void>;
  /** Returns the number of undelivered deliveries of a subscription, counted up to a limit, and when the first of them was created. */
  waiting(subscriptionId: string, most: number): Promise<{ count: number; oldestAt: Date | undefined }>;
  /** Returns when the oldest undelivered delivery was created. */
  oldestPending(): Promise<Date | undefined>;
}

const logLength = 20;

/** Documents of a list by id, without their bodies. A filter that needs several indexes is queried on each. */
async function findListed(
  deliveries: Collection<DeliveryRecord>,
  filter: DeliveryFilter,
  behind: DeliveryPlace | undefined,
  limit: number,
): Promise<Map<string, DeliveryRecord>> {
  const records = new Map<string, DeliveryRecord>();
  for (const one of askedOf(filter)) {
    const found = deliveries.find(toFilter(one, behind), { projection: { body: 0, log: 0 } });
    for (const record of await found.sort({ createdAt: -1, _id: -1 }).limit(limit).toArray()) {
      records.set(record._id, record);
    }
  }
  return records;
}

/**
 * Deliveries of all tenants, kept for 30 days. A delivery that succeeded at its first attempt is in a log with those stored together for
 * its subscription. Every other delivery has a document of its own, and so has one that is sent once more. A delivery is in one of the two
 * places, and only ever moves from the log to a document: a reader that looks into the log first misses none.
 */
export function makeDeliveryStore(connection: Connection): DeliveryStore {
  const model = connection.model("Delivery", deliverySchema, "deliveries");
  const logModel = connection.model("DeliveryLog", deliveryLogSchema, "delivery_logs");
  const deliveries = connection.collection<DeliveryRecord>("deliveries");
  const log = makeDeliveryLog(connection);
  return {
    ...deliveryWork(deliveries),
    async init() {
      for (const one of [model, logModel]) {
        await one.createCollection();
        await one.createIndexes();
      }
    },
    findLogged: log.findAny,
    async add(tx, added) {
      await log.add(tx, added.filter(isLogged));
      const others = added.filter((delivery) => !isLogged(delivery));
      await insertAll(tx, deliveries, others.map(toRecord));
    },
    async find(tenant, subscriptionId, id) {
      const logged = await log.find(tenant, subscriptionId, id);
      if (logged !== undefined) return logged;
      const record = await deliveries.findOne({ _id: id, tenant, subscriptionId });
      return record === null ? undefined : toDelivery(record);
    },
    async findIn(tx, ids) {
      const logged = await log.findIn(tx, ids);
      const records = await deliveries.find({ _id: { $in: [...ids] } }, { ...tx }).toArray();
      return [...logged, ...records.map(toDelivery)];
    },
    async list(filter, behind, limit) {
      const mayBeLogged = filter.state === undefined || filter.state === "delivered";
      const logged = mayBeLogged ? await log.list(filter, behind, limit) : [];
      const records = await findListed(deliveries, filter, behind, limit);
      const own = [...records.values()].map((record) => toDelivery({ ...record, body: "", log: [] }));
      const ownIds = new Set(records.keys());
      const others = logged.filter(({ id }) => !ownIds.has(id)).map((one) => ({ ...one, body: "", log: [] }));
      return [...own, ...others].toSorted(newestFirst).slice(0, limit);
    },
    async requeue(tx, again, at) {
      const { session } = tx;
      const batches = again.flatMap(({ batchId }) => batchId ?? []);
      const begun = { state: "pending", failures: 0, nextAttemptAt: at, endedAt: null } as const;
      const ids = again.map(({ id }) => id);
      const known = await deliveries.find({ _id: { $in: ids } }, { session, projection: { _id: 1 } }).toArray();
      const knownIds = new Set(known.map(({ _id }) => _id));
      const logged = again.filter(({ id }) => !knownIds.has(id));
      if (logged.length > 0) {
        const loggedIds = logged.map(({ id }) => id);
        await log.takeOut(tx, loggedIds);
        await deliveries.insertMany(logged.map(toRecord), { session });
      }
      await deliveries.updateMany({ _id: { $in: ids } }, { $set: begun }, { session });
      if (batches.length > 0) {
        await deliveries.updateMany({ batchId: { $in: [...new Set(batches)] } }, { $set: begun }, { session });
      }
    },
    async waiting(subscriptionId, most) {
      const pending = deliveries.find({ subscriptionId, state: "pending" }, { projection: { createdAt: 1 } });
      const found = await pending.sort({ position: 1 }).limit(most).toArray();
      return { count: found.length, oldestAt: found[0]?.createdAt };
    },
    async oldestPending() {
      const oldest = await deliveries.findOne({ state: "pending" }, { sort: { createdAt: 1 } });
      return oldest?.createdAt;
    },
  };
}

function deliveryWork(deliveries: Collection<DeliveryRecord>): DeliveryWork {
  return {
    async undelivered(subscriptionId, limit) {
      const found = deliveries.find({ subscriptionId, state: "pending" });
      const records = await found.sort({ position: 1 }).limit(limit).toArray();
      return records.map(toDelivery);
    },
    async movable(subscriptionId, behind, at, limit) {
      const isMovable = { $or: [{ failures: { $lt: attemptsBeforePassing } }, { nextAttemptAt: { $lte: at } }] };
      const found = deliveries.find({ subscriptionId, state: "pending", position: { $gt: behind }, ...isMovable });
      const records = await found.sort({ position: 1 }).limit(limit).toArray();
      return records.map(toDelivery);
    },
    async nextPassed(subscriptionId, at) {
      const isPassed = { failures: { $gte: attemptsBeforePassing }, nextAttemptAt: { $gt: at } };
      const next = await deliveries.findOne(
        { subscriptionId, state: "pending", ...isPassed },
        { sort: { nextAttemptAt: 1 }, projection: { nextAttemptAt: 1 } },
      );
      return next?.nextAttemptAt;
    },
    async inBatch(batchId) {
      const records = await deliveries.find({ batchId }).sort({ position: 1 }).toArray();
      return records.map(toDelivery);
    },
    async makeBatch(batchId, ids) {
      const { modifiedCount } = await deliveries.updateMany(
        { _id: { $in: [...ids] }, batchId: null },
        { $set: { batchId } },
      );
      return modifiedCount === ids.length;
    },
    async settle(settlements) {
      await deliveries.bulkWrite(settlements.map(toUpdate), { ordered: false });
    },
    async abandon(subscriptionId, at, which) {
      const left = { subscriptionId, state: "pending", ...(which === "all" ? {} : { isTest: false }) } as const;
      await deliveries.updateMany(left, { $set: { state: "failed", endedAt: at } });
    },
  };
}

function toUpdate({ ids, next, attempt }: Settlement) {
  const change = "end" in next ? { state: next.end, endedAt: endOf(attempt) } : next;
  const update = {
    $set: { ...change, lastStatus: attempt.status ?? null },
    $inc: { attempts: 1 },
    $push: { log: { $each: [toAttemptRecord(attempt)], $slice: -logLength } },
  };
  // An acknowledgement counts, whichever process received it. A failure counts only while the next attempt has not begun.
  const isDelivered = "end" in next && next.end === "delivered";
  const open = { state: "pending" as const, ...(isDelivered ? {} : { attempts: { $lt: attempt.number } }) };
  const [id] = ids;
  return ids.length === 1 && id !== undefined
    ? { updateOne: { filter: { _id: id, ...open }, update } }
    : { updateMany: { filter: { _id: { $in: [...ids] }, ...open }, update } };
}

/** The queries for a list: an index has the deliveries of one subscription and state in the order of the page. */
function askedOf(filter: DeliveryFilter): DeliveryFilter[] {
  if (filter.state !== undefined || filter.subjectId !== undefined) return [filter];
  // A delivery that fails meanwhile is found by the second query for failed ones, and one that is sent again was found by the first.
  return (["failed", "pending", "delivered", "failed"] as const).map((state) => ({ ...filter, state }));
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
          createdAt: { $lte: behind.createdAt },
          $or: [{ createdAt: { $lt: behind.createdAt } }, { _id: { $lt: behind.id } }],
        }),
  };
}

import { type Collection, type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { Tx } from "../../shared/storage/mongo";
import { changeAll } from "../../shared/storage/one-command";
import { anyText, date, number, strictDocument, text } from "../../shared/storage/stored-fields";

interface QueueRecord {
  /** Id of the subscription. */
  _id: string;
  /** Grows each time that the queue has new deliveries. */
  version: number;
  dueAt: Date;
  /** Empty while no process works on the queue. */
  leaseHolder: string;
  leaseUntil: Date;
}

/** A subscription's queue held by one worker, as of its last read. */
export interface Queue {
  /** Id of the subscription. */
  id: string;
  version: number;
  holder: string;
}

export interface QueueLease {
  holder: string;
  leaseUntil: Date;
}

export interface QueueClaim extends QueueLease {
  /** Business time, which decides what is due. */
  at: Date;
  /** Real time, which decides when leases end. */
  realAt: Date;
  /** Most queues to return. */
  limit: number;
}

/**
 * Subscriptions with undelivered events. One holder at a time works on a queue, under a lease that ends when the holder dies: so replicas
 * share the work by subscription.
 */
export interface QueueStore {
  init(): Promise<void>;
  /**
   * Opens the queues of subscriptions, each due at the given time, or signals to the holders of existing queues that they have new
   * deliveries. With a lease, the newly opened ones belong to the holder.
   */
  touch(tx: Tx, dueAt: ReadonlyMap<string, Date>, lease?: QueueLease): Promise<void>;
  /** Returns when the next queue is due, in business time, and when the first lease of any holder ends, in real time. */
  upcoming(at: Date): Promise<{ dueAt: Date | undefined; freeAt: Date | undefined }>;
  /** Returns queues with the times at which they are next examined, those due for longest first. */
  list(limit: number): Promise<{ id: string; dueAt: Date }[]>;
  /** Returns which of the queues exist. */
  opened(ids: readonly string[]): Promise<string[]>;
  /** Claims queues that are due and free, those due for longest first. */
  claim(claim: QueueClaim): Promise<Queue[]>;
  /** Returns the current state of the queue, or undefined when it is not the holder's. */
  reread(queue: Queue): Promise<Queue | undefined>;
  /** Renews the lease of a queue that is the holder's; otherwise returns undefined. */
  hold(queue: Pick<Queue, "id" | "holder">, leaseUntil: Date): Promise<Queue | undefined>;
  /** Renews the leases of the queues that are still the holder's, and returns them. */
  renew(holder: string, ids: readonly string[], leaseUntil: Date): Promise<string[]>;
  /** Ends an empty queue. Returns false when it has new deliveries, or is no longer the holder's. */
  close(queue: Queue): Promise<boolean>;
  /** Releases the queue until it is due again. Returns false as above. */
  postpone(queue: Queue, dueAt: Date): Promise<boolean>;
  /** Makes a queue due, because its endpoint works again. */
  hasten(id: string, at: Date): Promise<void>;
  /** Releases all queues of a holder that stops. */
  release(holder: string): Promise<void>;
}

const queueSchema = new Schema<QueueRecord>(
  {
    _id: text,
    version: number,
    dueAt: date,
    leaseHolder: anyText,
    leaseUntil: date,
  },
  strictDocument,
);
queueSchema.index({ dueAt: 1 });
queueSchema.index({ leaseHolder: 1 });
queueSchema.index({ leaseUntil: 1 });

const toQueue = ({ _id, version, leaseHolder }: QueueRecord): Queue => ({ id: _id, version, holder: leaseHolder });

const unchanged = ({ id, holder, version }: Queue) => ({ _id: id, leaseHolder: holder, version });
const free = { leaseHolder: "", leaseUntil: beginningOfTime };

/** Queues of all subscriptions. */
export function makeQueueStore(connection: Connection, noteDue: (at: Date) => void = () => {}): QueueStore {
  const model = connection.model("Queue", queueSchema, "queues");
  const queues = connection.collection<QueueRecord>("queues");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async touch(tx, dueAt, lease) {
      const holding = lease === undefined ? free : { leaseHolder: lease.holder, leaseUntil: lease.leaseUntil };
      const updates = [...dueAt].map(([_id, at]) => ({
        filter: { _id },
        update: { $set: { dueAt: at }, $inc: { version: 1 }, $setOnInsert: holding },
        upsert: true,
      }));
      await changeAll(tx, queues, updates);
      for (const at of dueAt.values()) noteDue(lease?.leaseUntil ?? at);
    },
    async list(limit) {
      const open = queues
        .find({ dueAt: { $gt: beginningOfTime } })
        .sort({ dueAt: 1 })
        .limit(limit);
      return (await open.toArray()).map(({ _id: id, dueAt }) => ({ id, dueAt }));
    },
    async opened(ids) {
      if (ids.length === 0) return [];
      const found = await queues.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    async claim({ holder, at, realAt, leaseUntil, limit }) {
      const due = { dueAt: { $lte: at }, leaseUntil: { $lte: realAt } };
      const found = await queues
        .find(due, { projection: { _id: 1 } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      if (found.length === 0) return [];
      // Queues that another process took meanwhile no longer match, one by one.
      const ids = { _id: { $in: found.map(({ _id }) => _id) } };
      await queues.updateMany({ ...ids, leaseUntil: { $lte: realAt } }, { $set: { leaseHolder: holder, leaseUntil } });
      const taken = await queues.find({ ...ids, leaseHolder: holder, leaseUntil }).toArray();
      return taken.map(toQueue);
    },
    async reread({ id, holder }) {
      const record = await queues.findOne({ _id: id, leaseHolder: holder });
      return record === null ? undefined : toQueue(record);
    },
    async hold({ id, holder }, leaseUntil) {
      const own = { _id: id, leaseHolder: holder };
      const record = await queues.findOneAndUpdate(own, { $set: { leaseUntil } }, { returnDocument: "after" });
      return record === null ? undefined : toQueue(record);
    },
    async renew(holder, ids, leaseUntil) {
      const own = { _id: { $in: [...ids] }, leaseHolder: holder };
      await queues.updateMany(own, { $set: { leaseUntil } });
      const kept = await queues.find(own, { projection: { _id: 1 } }).toArray();
      return kept.map(({ _id }) => _id);
    },
    async close(queue) {
      const { deletedCount } = await queues.deleteOne(unchanged(queue));
      return deletedCount === 1;
    },
    ...timesOf(queues, noteDue),
  };
}

/** Returns when queues are next examined. */
function timesOf(
  queues: Collection<QueueRecord>,
  noteDue: (at: Date) => void,
): Pick<QueueStore, "upcoming" | "postpone" | "hasten" | "release"> {
  return {
    async upcoming(at) {
      const dueAt = { projection: { dueAt: 1 }, sort: { dueAt: 1 } } as const;
      const freeAt = { projection: { leaseUntil: 1 }, sort: { leaseUntil: 1 } } as const;
      const [due, held] = await Promise.all([
        queues.findOne({ dueAt: { $gt: at } }, dueAt),
        queues.findOne({ leaseUntil: { $gt: beginningOfTime } }, freeAt),
      ]);
      return { dueAt: due?.dueAt, freeAt: held?.leaseUntil };
    },
    async postpone(queue, dueAt) {
      const { modifiedCount } = await queues.updateOne(unchanged(queue), { $set: { dueAt, ...free } });
      if (modifiedCount === 1) noteDue(dueAt);
      return modifiedCount === 1;
    },
    async hasten(id, at) {
      await queues.updateOne({ _id: id }, { $set: { dueAt: at }, $inc: { version: 1 } });
      noteDue(at);
    },
    async release(holder) {
      const { modifiedCount } = await queues.updateMany({ leaseHolder: holder }, { $set: free });
      if (modifiedCount > 0) noteDue(beginningOfTime);
    },
  };
}

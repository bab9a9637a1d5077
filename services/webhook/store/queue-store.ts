import { type Collection, type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { Tx } from "../../shared/storage/mongo";
import { changeAll } from "../../shared/storage/one-command";
import { anyText, date, number, strictDocument, text } from "../../shared/storage/stored-fields";

interface QueueRecord {
  /** Id of the subscription. */
  _id: string;
  /** Counts the times that there was something new to see. */
  version: number;
  dueAt: Date;
  /** Empty while nobody works on the queue. */
  leaseHolder: string;
  leaseUntil: Date;
}

/** A subscription's queue in the hands of one worker, as it was when it was read. */
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
  /** The time that decides what is due. */
  at: Date;
  /** The real time, which decides about leases. */
  realAt: Date;
  /** Most queues that are wanted. */
  limit: number;
}

/**
 * Subscriptions with undelivered events. A queue is worked on by one holder at a time, whose lease ends when it dies: so
 * replicas share the work by subscriptions.
 */
export interface QueueStore {
  init(): Promise<void>;
  /**
   * Opens the queues of subscriptions, each due at the time that it is given, or tells their holders that there is more
   * in them. With a lease, those that did not exist are the holder's.
   */
  touch(tx: Tx, dueAt: ReadonlyMap<string, Date>, lease?: QueueLease): Promise<void>;
  /** When the next queue is due, by the time that decides it, and when the first lease ends, whoever holds it, in real time. */
  upcoming(at: Date): Promise<{ dueAt: Date | undefined; freeAt: Date | undefined }>;
  /** Queues with the times when they are looked at next, those due for longest first. */
  list(limit: number): Promise<{ id: string; dueAt: Date }[]>;
  /** Which of the queues exist. */
  opened(ids: readonly string[]): Promise<string[]>;
  /** Takes queues that are due and free, those due for longest first. */
  claim(claim: QueueClaim): Promise<Queue[]>;
  /** The queue as it is now, or undefined when it is not the holder's. */
  reread(queue: Queue): Promise<Queue | undefined>;
  /** Keeps a queue that is the holder's, or else answers undefined. */
  hold(queue: Pick<Queue, "id" | "holder">, leaseUntil: Date): Promise<Queue | undefined>;
  /** Keeps those of the queues that are still the holder's, and returns which these are. */
  renew(holder: string, ids: readonly string[], leaseUntil: Date): Promise<string[]>;
  /** Ends an empty queue. False when there is something new in it, or when it is no longer the holder's. */
  close(queue: Queue): Promise<boolean>;
  /** Gives the queue back until it is due again. False as above. */
  postpone(queue: Queue, dueAt: Date): Promise<boolean>;
  /** Has a queue looked at, because its endpoint works again. */
  hasten(id: string, at: Date): Promise<void>;
  /** Gives back all queues of a holder that stops. */
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

/** When queues are to be looked at. */
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

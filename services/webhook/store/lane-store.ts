import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/mongo";

interface LaneRecord {
  _id: string;
  tenant: string;
  subscriptionId: string;
  /** Counts the times that deliveries were added. */
  version: number;
  dueAt: Date;
  /** Empty while nobody works on the lane. */
  leaseHolder: string;
  leaseUntil: Date;
}

/** A lane in the hands of one worker, as it was when it was read. */
export interface Lane {
  id: string;
  tenant: string;
  subscriptionId: string;
  version: number;
  holder: string;
}

/** What a delivery says of its lane. */
export interface LaneMember {
  laneId: string;
  tenant: string;
  subscriptionId: string;
}

export interface LaneClaim {
  holder: string;
  /** The time that decides what is due. */
  at: Date;
  /** The real time, which decides about leases. */
  realAt: Date;
  leaseUntil: Date;
  /** Subscriptions that have enough lanes in flight. */
  except: readonly string[];
  /** Chooses from lanes that are due, those due for longest first. */
  choose(due: readonly Pick<Lane, "id" | "subscriptionId">[]): readonly string[];
}

/** Lanes with undelivered events. A lane is worked on by one holder at a time, whose lease ends when it dies. */
export interface LaneStore {
  init(): Promise<void>;
  /** Opens the lanes of deliveries, or tells their holders that there is more in them. */
  touch(tx: Tx, deliveries: readonly LaneMember[], at: Date): Promise<void>;
  /** Takes those of the lanes that are due which are chosen and still free. */
  claim(claim: LaneClaim): Promise<Lane[]>;
  /** The lane as it is now, or undefined when it is no longer the holder's. */
  reread(lane: Lane): Promise<Lane | undefined>;
  /** Keeps those of the lanes that are still the holder's, and returns which these are. */
  renew(holder: string, ids: readonly string[], leaseUntil: Date): Promise<string[]>;
  /** Ends an empty lane. False when something was added to it, or when it is no longer the holder's. */
  close(lane: Lane): Promise<boolean>;
  /** Gives the lane back until it is due again. False as above. */
  postpone(lane: Lane, dueAt: Date): Promise<boolean>;
  /** Has no free lane of a subscription looked at before a time, because its endpoint is left alone until then. */
  delay(subscriptionId: string, until: Date): Promise<void>;
  /** Has all lanes of a subscription looked at, because its endpoint works again. */
  hasten(subscriptionId: string, at: Date): Promise<void>;
  /** Gives back all lanes of a holder that stops. */
  release(holder: string): Promise<void>;
}

/** Most lanes that are looked at for one claim. */
const claimSize = 64;

/** Before every real time, so that a free lane can be taken at once. */
const never = new Date(0);

const laneSchema = new Schema<LaneRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    subscriptionId: { type: String, required: true },
    version: { type: Number, required: true },
    dueAt: { type: Date, required: true },
    leaseHolder: { type: String, required: true },
    leaseUntil: { type: Date, required: true },
  },
  { versionKey: false, strict: "throw" },
);
laneSchema.index({ dueAt: 1 });
laneSchema.index({ leaseHolder: 1 });
laneSchema.index({ subscriptionId: 1, dueAt: 1 });

const toLane = ({ _id, tenant, subscriptionId, version, leaseHolder }: LaneRecord): Lane => ({
  id: _id,
  tenant,
  subscriptionId,
  version,
  holder: leaseHolder,
});

/** Lanes of all subscriptions. */
export function makeLaneStore(connection: Connection): LaneStore {
  const model = connection.model("Lane", laneSchema, "lanes");
  const lanes = connection.collection<LaneRecord>("lanes");
  const unchanged = ({ id, holder, version }: Lane) => ({ _id: id, leaseHolder: holder, version });
  const free = { leaseHolder: "", leaseUntil: never };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async touch({ session }, deliveries, at) {
      const touched = new Map(deliveries.map((delivery) => [delivery.laneId, delivery]));
      const updates = [...touched.values()].map(({ laneId, tenant, subscriptionId }) => ({
        updateOne: {
          filter: { _id: laneId },
          update: { $set: { dueAt: at }, $inc: { version: 1 }, $setOnInsert: { tenant, subscriptionId, ...free } },
          upsert: true,
        },
      }));
      await lanes.bulkWrite(updates, { session, ordered: true });
    },
    async claim({ holder, at, realAt, leaseUntil, except, choose }) {
      const due = { dueAt: { $lte: at }, leaseUntil: { $lte: realAt }, subscriptionId: { $nin: [...except] } };
      const projection = { subscriptionId: 1 } as const;
      const found = await lanes.find(due, { projection }).sort({ dueAt: 1 }).limit(claimSize).toArray();
      const chosen = choose(found.map(({ _id, subscriptionId }) => ({ id: _id, subscriptionId })));
      if (chosen.length === 0) return [];
      // Lanes that another process took meanwhile no longer match, one by one.
      const ids = { _id: { $in: [...chosen] } };
      await lanes.updateMany({ ...ids, leaseUntil: { $lte: realAt } }, { $set: { leaseHolder: holder, leaseUntil } });
      const taken = await lanes.find({ ...ids, leaseHolder: holder, leaseUntil }).toArray();
      return taken.map(toLane);
    },
    async reread({ id, holder }) {
      const record = await lanes.findOne({ _id: id, leaseHolder: holder });
      return record === null ? undefined : toLane(record);
    },
    async renew(holder, ids, leaseUntil) {
      const own = { _id: { $in: [...ids] }, leaseHolder: holder };
      await lanes.updateMany(own, { $set: { leaseUntil } });
      const kept = await lanes.find(own, { projection: { _id: 1 } }).toArray();
      return kept.map(({ _id }) => _id);
    },
    async close(lane) {
      const { deletedCount } = await lanes.deleteOne(unchanged(lane));
      return deletedCount === 1;
    },
    async postpone(lane, dueAt) {
      const { modifiedCount } = await lanes.updateOne(unchanged(lane), { $set: { dueAt, ...free } });
      return modifiedCount === 1;
    },
    async delay(subscriptionId, until) {
      await lanes.updateMany({ subscriptionId, dueAt: { $lt: until }, leaseHolder: "" }, { $set: { dueAt: until } });
    },
    async hasten(subscriptionId, at) {
      await lanes.updateMany({ subscriptionId, dueAt: { $gt: at } }, { $set: { dueAt: at } });
    },
    async release(holder) {
      await lanes.updateMany({ leaseHolder: holder }, { $set: free });
    },
  };
}

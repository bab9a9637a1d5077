import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Connection } from "mongoose";
import { monotonicMs, plusMs, systemClock } from "../kernel/clock";
import { isDuplicateKey } from "./mongo";

/** The exclusive right to work that several replicas could do. It expires by itself when its holder dies. */
export interface Lease {
  /** Takes the lease or keeps it. Asks the store only when a third of the time has passed. Returns false when another process has it. */
  hold(): Promise<boolean>;
  /** Returns the lease, so that another process need not wait for its end. */
  release(): Promise<void>;
}

/**
 * Returns a name that is unique among all replicas. The random part distinguishes processes with the same host name and process id, such
 * as containers that share their host's network and have process ids of their own.
 */
export const makeHolder = (): string => `${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`;

/** The name of this process among all replicas. */
export const processHolder = makeHolder();

/** A lease, as operators see it. */
export interface ListedLease {
  name: string;
  holder: string;
  expiresAt: Date;
}

/** The most leases that are listed; a service has a few. */
const mostListed = 200;

/** Lists every lease of a service that is held or was left behind, by name. */
export async function listLeases(connection: Connection): Promise<ListedLease[]> {
  const leases = connection.collection<LeaseRecord>("leases");
  const found = leases
    .find({ _id: { $gt: "" } })
    .sort({ _id: 1 })
    .limit(mostListed);
  return (await found.toArray()).map(({ _id: name, holder, expiresAt }) => ({ name, holder, expiresAt }));
}

export interface LeaseOptions {
  connection: Connection;
  /** Name of the lease. */
  name: string;
  /** Name of the holder; unique per process. */
  holder: string;
  ttlMs?: number;
}

interface LeaseRecord {
  _id: string;
  holder: string;
  expiresAt: Date;
}

/**
 * Makes a lease in collection `leases`, by compare-and-set on real time. When the clocks of two machines differ by more than the lease's
 * duration, both may hold it for a moment, so the work under it must tolerate being done twice.
 */
export function makeLease({ connection, name, holder, ttlMs = 3_000 }: LeaseOptions): Lease {
  const leases = connection.collection<LeaseRecord>("leases");
  let heldUntilMs = 0;
  return {
    async hold() {
      const askedMs = monotonicMs();
      if (heldUntilMs - askedMs > (ttlMs * 2) / 3) return true;
      const now = systemClock.now();
      const free = { _id: name, $or: [{ holder }, { expiresAt: { $lte: now } }] };
      const taken = { $set: { holder, expiresAt: plusMs(now, ttlMs) } };
      try {
        await leases.updateOne(free, taken, { upsert: true });
        heldUntilMs = askedMs + ttlMs;
        return true;
      } catch (error) {
        heldUntilMs = 0;
        // The filter did not match a live lease, and the upsert then met its id.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async release() {
      heldUntilMs = 0;
      await leases.deleteOne({ _id: name, holder });
    },
  };
}

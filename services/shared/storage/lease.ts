import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Connection } from "mongoose";
import { monotonicMs, plusMs, systemClock } from "../kernel/clock";
import { isDuplicateKey } from "./mongo";

/** The right to do alone what several replicas could do. It ends by itself when its holder dies. */
export interface Lease {
  /** Takes the lease or keeps it. Asks the store only when a third of the time has passed. False: another one has it. */
  hold(): Promise<boolean>;
  /** Gives the lease back, so that another one need not wait for its end. */
  release(): Promise<void>;
}

/**
 * A name among all replicas. The random part tells apart what shares a host's name and, each in a space of its own, a process
 * id, such as containers on the network of their host.
 */
export const makeHolder = (): string => `${hostname()}-${process.pid}-${randomBytes(6).toString("hex")}`;

/** Who this process is among all replicas. */
export const processHolder = makeHolder();

/** A lease as operators see it. */
export interface ListedLease {
  name: string;
  holder: string;
  expiresAt: Date;
}

/** A service has a few. */
const mostListed = 200;

/** Every lease of a service that somebody holds, or has left behind, by name. */
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
  /** What is leased. */
  name: string;
  /** Who asks; unique per process. */
  holder: string;
  ttlMs?: number;
}

interface LeaseRecord {
  _id: string;
  holder: string;
  expiresAt: Date;
}

/**
 * A lease in collection `leases`, by compare-and-set on real time. Machines whose clocks differ by more than the lease's
 * time may both hold it for a moment, so what is done under it must bear being done twice.
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

import { type ClientSession, type Connection, type ConnectOptions, createConnection, type mongo } from "mongoose";
import { monotonicMs } from "./clock";
import type { Profile } from "./config";
import type { Running } from "./lifecycle";
import { traceCollections } from "./mongo-tracing";
import { refusalOfStore, weaknessesOfStore } from "./production-ground";
import type { Tracing } from "./tracing";

/** A running transaction. Opaque outside the stores. */
export type Tx = { readonly session: ClientSession };

/** Runs `work` in one transaction: all of its writes or none. `work` may run several times, so it calls nobody outside. */
export type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

export interface Mongo extends Running {
  connection: Connection;
  transact: Transact;
}

export interface MongoOptions {
  uri: string;
  database: string;
  profile: Profile;
  tracing: Tracing;
  /** How long a store that does not answer is waited for, milliseconds. */
  patienceMs?: number;
}

/** A store that starts beside its services, or that is busy for a moment, is waited for. */
const startPatienceMs = 60_000;

/**
 * The only place that opens a store. Writes are acknowledged by a majority and journaled; reads come from the primary
 * and see majority-committed data; int64 is bigint in both directions (BSON writes 2^63 and above wrongly, `money` keeps
 * amounts below).
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { uri, database, profile, tracing, patienceMs = startPatienceMs } = options;
  const connection = await connectPatiently(uri, patienceMs, {
    dbName: database,
    // One by one: an address could change single words of a concern that is given as a whole.
    w: "majority",
    journal: true,
    wtimeoutMS: 5_000,
    readConcernLevel: "majority",
    readPreference: "primary",
    retryWrites: true,
    retryReads: true,
    useBigInt64: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: 2_000,
    socketTimeoutMS: 10_000,
    maxPoolSize: 64,
    autoIndex: false,
    autoCreate: false,
    // While no primary is known, mongoose would hold calls back for longer than a caller waits.
    bufferCommands: false,
  });
  await refuseUnfitStore(connection, profile);
  if (tracing.isOn) traceCollections(driverDb(connection), tracing);
  return {
    connection,
    transact: (work) => runTransaction(connection, work),
    stop: () => connection.close(),
  };
}

async function connectPatiently(uri: string, patienceMs: number, options: ConnectOptions): Promise<Connection> {
  const untilMs = monotonicMs() + patienceMs;
  for (;;) {
    try {
      return await createConnection(uri, options).asPromise();
    } catch (error) {
      const isAway = error instanceof Error && error.name === "MongooseServerSelectionError";
      if (!isAway || monotonicMs() > untilMs) throw error;
    }
  }
}

/** The driver's own database of a connection, for hot paths that need nothing of mongoose. */
export function driverDb(connection: Connection): mongo.Db {
  if (connection.db === undefined) throw new Error("the store is not open");
  return connection.db;
}

async function runTransaction<T>(connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  const session = await connection.startSession();
  try {
    return await session.withTransaction(() => work({ session }), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority", journal: true },
    });
  } finally {
    await session.endSession();
  }
}

/**
 * No profile starts on a version that is too old. Production money is kept on a replica set of MongoDB that is strong enough,
 * never on the embedded store.
 */
async function refuseUnfitStore(connection: Connection, profile: Profile): Promise<void> {
  const admin = connection.getClient().db("admin");
  const buildInfo = await admin.command({ buildInfo: 1 });
  const weaknesses = profile === "production" ? weaknessesOfStore(await admin.command({ hello: 1 }), buildInfo) : [];
  const refusal =
    weaknesses.length > 0
      ? `the store is not fit for the production profile: ${weaknesses.join("; ")}`
      : refusalOfStore(buildInfo);
  if (refusal === undefined) return;
  await connection.close();
  throw new Error(refusal);
}

/** True for the refusal of a second document with the same unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 11_000;
}

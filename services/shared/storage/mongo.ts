import { type Connection, type ConnectOptions, createConnection, type mongo } from "mongoose";
import { monotonicMs } from "../kernel/clock";
import type { Profile } from "../kernel/profile";
import type { Health } from "../process/health";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { refusalOfStore, weaknessesOfStore } from "../process/production-checks";
import { conflict } from "../process/retry-on-conflict";
import type { Tracing } from "../process/tracing";
import { failWithConnections } from "./closed-connections";
import type { TransactionSession } from "./gathered-writes";
import { traceBulkWrites, traceCollections } from "./mongo-tracing";
import { allowOneCommand, NoSharedCommand } from "./one-command";
import { checkPoolsRarely } from "./rare-pool-checks";

/** A running transaction. Opaque outside the stores. */
export type Tx = TransactionSession;

/**
 * Runs `work` in one transaction: either all of its writes take effect or none. `work` may run several times, so it must not call
 * anything outside the store.
 */
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
  /** Receives a message at intervals while the store is waited for. */
  logger?: Logger;
  /** Is informed that this process cannot work without the store. */
  health?: Pick<Health, "need">;
  /** How long to wait for a store that does not answer, milliseconds. */
  patienceMs?: number;
}

/** Allows for a store that starts beside its services, or that is choosing its primary. */
const startPatienceMs = 240_000;
const sayEveryMs = 15_000;

/**
 * The only place that opens a store. Writes are acknowledged by a majority and journaled; reads come from the primary and see
 * majority-committed data; int64 is bigint in both directions (BSON writes 2^63 and above wrongly, and `money` keeps amounts below).
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { database, profile, tracing } = options;
  failWithConnections();
  checkPoolsRarely();
  const connection = await connectPatiently(options, {
    dbName: database,
    // Given one by one: an address could otherwise change individual fields of a concern that is given as a whole.
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
    // Otherwise, while no primary is known, mongoose would hold calls back for longer than a caller waits.
    bufferCommands: false,
  });
  await refuseUnfitStore(connection, profile);
  waitForIndexes(driverDb(connection));
  options.health?.need("store", () => driverDb(connection).command({ ping: 1 }));
  if (tracing.isOn) {
    traceCollections(driverDb(connection), tracing);
    traceBulkWrites(connection.getClient(), tracing);
  }
  return {
    connection,
    transact: (work) => runWhole(connection, work),
    stop: () => connection.close(),
  };
}

/** Lets the building of an index take as long as necessary: the time limit for calls does not apply to it. */
function waitForIndexes(db: mongo.Db): void {
  const open = db.collection.bind(db);
  const opened = (name: string, options?: mongo.CollectionOptions): mongo.Collection => {
    const collection = open(name, options);
    const create = collection.createIndex.bind(collection);
    const createIndex: typeof create = (spec, given) => create(spec, withoutLimit(given));
    return Object.assign(collection, { createIndex });
  };
  Object.assign(db, { collection: opened });
}

/** Sets an option that the driver accepts for any command, although its types do not list it for this one. */
const withoutLimit = (given: mongo.CreateIndexesOptions | undefined): mongo.CreateIndexesOptions =>
  Object.assign({ ...given }, { socketTimeoutMS: 0 });

async function connectPatiently(
  { uri, logger, patienceMs = startPatienceMs }: MongoOptions,
  options: ConnectOptions,
): Promise<Connection> {
  const untilMs = monotonicMs() + patienceMs;
  let sayAtMs = monotonicMs();
  for (;;) {
    try {
      return await createConnection(uri, options).asPromise();
    } catch (error) {
      const isAway = error instanceof Error && error.name === "MongooseServerSelectionError";
      if (!isAway || monotonicMs() > untilMs) throw error;
      if (monotonicMs() < sayAtMs) continue;
      sayAtMs = monotonicMs() + sayEveryMs;
      logger?.warn(errorFields(error), "waiting for the store");
    }
  }
}

/** Returns the driver's own database of a connection, for hot paths that need nothing of mongoose. */
export function driverDb(connection: Connection): mongo.Db {
  if (connection.db === undefined) throw new Error("the store is not open");
  return connection.db;
}

async function runWhole<T>(connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await runTransaction(connection, work);
  } catch (error) {
    // From now on the transaction's writes to each collection are commands of their own.
    if (error instanceof NoSharedCommand) return runTransaction(connection, work);
    throw error;
  }
}

async function runTransaction<T>(connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  const session = await connection.startSession();
  allowOneCommand(session, connection.getClient(), driverDb(connection).databaseName);
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
 * Refuses an unfit store. No profile starts on a version that is too old. Production money is kept on a sufficiently strong MongoDB
 * replica set, never on the embedded store.
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

/** Returns `conflict` when another writer has stored the same unique key; throws any other error. */
export function conflictOfDuplicate(error: unknown): typeof conflict {
  if (isDuplicateKey(error)) return conflict;
  throw error;
}

/** True when a document was refused because of a duplicate unique key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === 11_000;
}

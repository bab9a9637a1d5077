import { imitatedVersion } from "./commands/admin";
import type { Server } from "./commands/context";
import { makeCursors } from "./cursors";
import { makeDispatch } from "./dispatch";
import { makeFailPoints } from "./failpoints";
import { listen, loopback } from "./server";
import { makeSessions } from "./sessions";
import { openCatalog } from "./storage/catalog";
import { openDatabase } from "./storage/database";
import { makeTransactions } from "./storage/transactions";
import { makeTally } from "./tally";
import { sweepExpired } from "./ttl";
import { messageOf } from "./values/bson";

export interface EmbeddedStoreOptions {
  /** Data folder; created when missing, and used by one process at a time. */
  dir: string;
  /** 0 for any free port. */
  port: number;
  /** Refuses every query without an index, instead of logging it once it reads more than 1,000 documents. */
  failOnScan?: boolean;
  /** Accepts configureFailPoint, as a mongod with test commands does. */
  failpoints?: boolean;
  /** Time limit of a transaction; 60 seconds by default, as in MongoDB. */
  transactionSeconds?: number;
  /** The reported version, for tests of clients that refuse old ones. */
  version?: string;
  log?: Server["log"];
}

export interface EmbeddedStore {
  uri: string;
  port: number;
  stop(): Promise<void>;
}

const sweepEveryMs = 1_000;
const reapEveryMs = 1_000;

/**
 * Starts a one-node replica set that speaks MongoDB's wire protocol, for development, demos and tests on one machine.
 * A write is acknowledged once it is on disk. It listens on the loopback address only and has no authentication.
 */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const log = options.log ?? logToStderr;
  const database = openDatabase(options.dir);
  const catalog = openCatalog(database);
  const transactions = makeTransactions(database, catalog);
  let host = "";
  const server: Server = {
    database,
    catalog,
    transactions,
    sessions: makeSessions(database, transactions, (options.transactionSeconds ?? 60) * 1_000),
    cursors: makeCursors(),
    failPoints: options.failpoints === true ? makeFailPoints() : undefined,
    tally: makeTally(),
    host: () => host,
    failOnScan: options.failOnScan === true,
    version: options.version ?? imitatedVersion,
    log,
  };
  const listener = await listen(options.port, makeDispatch(server), (message) => log("info", message));
  host = `${loopback}:${listener.port}`;
  log("warn", `embedded store on ${host}: not MongoDB, for one machine only`);
  const timers = [every(sweepEveryMs, () => sweepExpired(server), log), every(reapEveryMs, () => reap(server), log)];
  return {
    uri: `mongodb://${host}/?replicaSet=rs0`,
    port: listener.port,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await listener.stop();
      server.sessions.endAll();
      await database.close();
    },
  };
}

function every(ms: number, work: () => void, log: Server["log"]): NodeJS.Timeout {
  return setInterval(() => {
    try {
      work();
    } catch (error) {
      log("error", `background work failed: ${messageOf(error)}`);
    }
  }, ms).unref();
}

function reap(server: Server): void {
  const now = Date.now();
  server.sessions.reap(now);
  server.cursors.reap(now);
}

function logToStderr(level: string, message: string, details: Record<string, unknown> = {}): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...details })}\n`);
}

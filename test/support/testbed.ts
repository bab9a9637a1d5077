import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { chooseStore } from "../../local/local-store";
import { startNats } from "../../local/nats";
import type { BusUserName } from "../../services/shared/bus/bus-users";

/**
 * A store for one test file: MONGODB_URI, a mongod on PATH or the embedded one, which refuses every query without an index.
 * A test that reads a whole collection says so, by `hint: { $natural: 1 }`.
 */
export interface TestStore {
  mongoUri: string;
  /** Name of a database that no other run uses; the same for the same word. */
  database(word: string): string;
  /** Ends the store and removes its data. */
  stop(): Promise<void>;
}

export interface TestTestbed extends TestStore {
  /** The bus, with the administrator's rights. */
  natsUrl: string;
  /** The bus, with the rights of a service's own user. */
  busOf(user: BusUserName): { NATS_URL: string; NATS_PASSWORD_FILE: string };
}

export async function startTestStore({ refusesScans = true } = {}): Promise<TestStore> {
  const dir = await mkdtemp(join(tmpdir(), "corridor-store-"));
  const log = (line: string): boolean => process.stderr.write(`${line}\n`);
  const store = await chooseStore({ dir, log, refusesScans, failpoints: true });
  const run = `test-${randomBytes(4).toString("hex")}`;
  const databases = new Set<string>();
  return {
    mongoUri: store.uri,
    database(word) {
      databases.add(`${run}-${word}`);
      return `${run}-${word}`;
    },
    async stop() {
      if (store.kind === "configured") await dropAll(store.uri, databases);
      await store.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A store of its own, and a nats-server with JetStream of its own. */
export async function startTestTestbed(): Promise<TestTestbed> {
  const dir = await mkdtemp(join(tmpdir(), "corridor-nats-"));
  const [store, nats] = await Promise.all([startTestStore(), startNats({ dir })]);
  return {
    ...store,
    natsUrl: nats.url,
    busOf: (user) => ({ NATS_URL: nats.address, NATS_PASSWORD_FILE: nats.passwordFile(user) }),
    async stop() {
      await Promise.all([store.stop(), nats.stop()]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function dropAll(uri: string, databases: Iterable<string>): Promise<void> {
  const client = new mongo.MongoClient(uri);
  for (const database of databases) await client.db(database).dropDatabase();
  await client.close();
}

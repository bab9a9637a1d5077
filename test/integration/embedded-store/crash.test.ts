import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mongo } from "mongoose";
import { compiled } from "../../../local/compiled";
import { freePorts } from "../../../local/free-port";
import { until } from "../../support/platform-client";

const workers = 12;
const accountCount = 20;
const startBalance = 1_000;
const kills = 20;

/** What the workers know for certain: these were acknowledged. */
interface Acknowledged {
  transfers: string[];
  inserts: string[];
  counted: number;
  uncertain: number;
}

describe("the embedded store killed in the middle of work", () => {
  let dir: string;
  let port: number;
  let program: ChildProcess;
  const clients: mongo.MongoClient[] = [];

  const start = async () => {
    program = spawn(process.execPath, [compiled("local/embedded-store/main"), "--data", dir, "--port", String(port)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    program.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const ended = once(program, "exit").then(() => {
      throw new Error(`the store ended: ${errors}`);
    });
    ended.catch(() => {});
    if (program.stdout !== null) await Promise.race([once(program.stdout, "data"), ended]);
  };
  const kill = async (signal: NodeJS.Signals) => {
    if (program.exitCode !== null || program.signalCode !== null) return [program.exitCode, program.signalCode];
    const exited = once(program, "exit");
    program.kill(signal);
    return await exited;
  };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-crash-"));
    port = (await freePorts(1))[0] ?? 0;
    await start();
  });

  // Also after a failure: a client that stays open would keep jest from ending.
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  });

  it(`keeps every acknowledged write and no half transaction through ${kills} kills`, async () => {
    const client = await mongo.MongoClient.connect(`mongodb://127.0.0.1:${port}/?replicaSet=rs0`, {
      serverSelectionTimeoutMS: 10_000,
    });
    const db = client.db("crash");
    clients.push(client);
    await prepare(db);
    const known: Acknowledged = { transfers: [], inserts: [], counted: 0, uncertain: 0 };
    const running = { on: true };
    const work = Promise.all(
      Array.from({ length: workers }, (_, worker) => runWorker(client, db, worker, known, running)),
    );

    try {
      for (let round = 0; round < kills; round += 1) {
        await Promise.race([moreTransfers(known), work]);
        await sleep((round * 37) % 100);
        await kill("SIGKILL");
        await start();
      }
      await Promise.race([moreTransfers(known), work]);
    } finally {
      running.on = false;
    }
    await work;

    await check(db, known);
  }, 300_000);

  it("stops on SIGTERM with status 0", async () => {
    expect(await kill("SIGTERM")).toEqual([0, null]);
    await start();
  });
});

/** Every store has acknowledged work of its own before it is killed, and so has the last one. */
async function moreTransfers({ transfers }: Acknowledged): Promise<void> {
  const enough = transfers.length + workers;
  await until(async () => transfers.length >= enough, Boolean, 60_000);
}

async function prepare(db: mongo.Db): Promise<void> {
  await db.collection("ledger").createIndex({ transfer: 1, side: 1 }, { unique: true });
  await db.collection("inserts").createIndex({ key: 1 }, { unique: true });
  const accounts = Array.from({ length: accountCount }, (_, n) => ({
    _id: n as never,
    balance: mongo.Long.fromNumber(startBalance),
  }));
  await db.collection("accounts").insertMany(accounts);
  await db.collection("counters").insertOne({ _id: "c" as never, n: 0 });
}

async function runWorker(
  client: mongo.MongoClient,
  db: mongo.Db,
  worker: number,
  known: Acknowledged,
  running: { on: boolean },
) {
  for (let turn = 0; running.on; turn += 1) {
    const id = `${worker}-${turn}`;
    try {
      await transfer(client, db, id, (worker + turn) % accountCount, (worker * 3 + turn * 7 + 1) % accountCount);
      known.transfers.push(id);
      await db.collection("inserts").insertOne({ key: id });
      known.inserts.push(id);
      known.uncertain += 1;
      await db.collection("counters").updateOne({ _id: "c" as never }, { $inc: { n: 1 } });
      known.uncertain -= 1;
      known.counted += 1;
    } catch (error) {
      // A dead store is expected; anything else, above all a duplicate of our own key, is a defect.
      if (!(error instanceof mongo.MongoNetworkError) && !(error instanceof mongo.MongoServerSelectionError))
        throw error;
    }
  }
}

async function transfer(client: mongo.MongoClient, db: mongo.Db, id: string, from: number, to: number): Promise<void> {
  const ledger = db.collection("ledger");
  await client.withSession((session) =>
    session.withTransaction(async () => {
      // The callback runs again when the outcome of a commit is not known, so an earlier run counts.
      if ((await ledger.findOne({ transfer: id, side: "from" }, { session })) !== null) return;
      for (const [side, account, amount] of [
        ["from", from, -1],
        ["to", to, 1],
      ] as const) {
        await db
          .collection("accounts")
          .updateOne({ _id: account as never }, { $inc: { balance: amount } }, { session });
        await ledger.insertOne({ transfer: id, side, account, amount }, { session });
      }
    }),
  );
}

async function check(db: mongo.Db, known: Acknowledged): Promise<void> {
  const entries = await db.collection("ledger").find().toArray();
  const sides = new Map<string, number>();
  const balances = new Map<number, number>();
  for (const { transfer: id, account, amount } of entries) {
    sides.set(id, (sides.get(id) ?? 0) + 1);
    balances.set(account, (balances.get(account) ?? startBalance) + amount);
  }
  expect([...sides.values()].filter((count) => count !== 2)).toEqual([]);
  expect(known.transfers.filter((id) => !sides.has(id))).toEqual([]);
  expect(known.transfers.length).toBeGreaterThanOrEqual(kills * workers);
  for (const { _id, balance } of await db.collection("accounts").find().toArray()) {
    expect([_id, balance]).toEqual([_id, balances.get(Number(_id)) ?? startBalance]);
  }
  const inserted = new Set((await db.collection("inserts").find().toArray()).map(({ key }) => key));
  expect(known.inserts.filter((id) => !inserted.has(id))).toEqual([]);
  const counter = await db.collection("counters").findOne({});
  expect(counter?.["n"]).toBeGreaterThanOrEqual(known.counted);
  expect(counter?.["n"]).toBeLessThanOrEqual(known.counted + known.uncertain);
}

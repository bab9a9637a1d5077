import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { chooseStore } from "../../local/local-store";
import { format, type Goal } from "./goal";
import { peakRssMb } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";

const clients = 32;
const rounds = 5;
const roundSeconds = 1.5;
const accounts = 10_000;
const startBalance = 1_000_000;
const many = 100_000;

interface Account {
  _id: number;
  balance: number;
}

interface OpenStore {
  client: mongo.MongoClient;
  pid: number;
  stop(): Promise<void>;
}

/** The store that a platform on this machine runs on, in a process and a folder of its own. */
async function openStore(): Promise<OpenStore> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-bench-store-"));
  const store = await chooseStore({ dir, spawned: true, log: () => {} });
  const options = { maxPoolSize: clients, writeConcern: { w: "majority", journal: true } } as const;
  const client = await mongo.MongoClient.connect(store.uri, options);
  return {
    client,
    pid: store.process?.pid() ?? 0,
    async stop() {
      await client.close();
      await store.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What the store itself can do with 32 clients: durable writes and transactions against plain reads. */
export async function measureStoreRates(): Promise<Goal[]> {
  const { client, stop } = await openStore();
  const book = client.db("bench").collection<Account>("accounts");
  await book.insertMany(Array.from({ length: accounts }, (_, at) => ({ _id: at, balance: startBalance })));
  const sessions = Array.from({ length: clients }, () => client.startSession());
  const { find, update, transfer } = await interleave(
    {
      find: () => rate(async () => (await book.findOne({ _id: anyAccount() })) !== null),
      update: () => rate(() => add(book, anyAccount(), 0)),
      transfer: () =>
        rate(async (worker) => {
          const session = sessions[worker];
          const from = anyAccount();
          const to = (from + 1 + Math.floor(Math.random() * (accounts - 1))) % accounts;
          const move = async () => (await add(book, from, -1, session)) && (await add(book, to, 1, session));
          return (await session?.withTransaction(move)) === true;
        }),
    },
    rounds,
  );
  const [total] = await book.aggregate([{ $group: { _id: null, sum: { $sum: "$balance" } } }]).toArray();
  for (const session of sessions) await session.endSession();
  await stop();
  if (total?.["sum"] !== accounts * startBalance) throw new Error(`the sum of balances became ${total?.["sum"]}`);
  const goal = (what: string, rates: number[], atLeast: number): Goal => ({
    id: "",
    what: `store, ${clients} clients: ${what} / findOne by _id`,
    value: pairRatio(rates, find, (perSecond) => perSecond),
    unit: "x",
    bar: { atLeast },
    isDue: true,
    seen: `${format(median(rates))} against ${format(median(find))}/s`,
  });
  return [goal("durable conditional updates", update, 0.5), goal("two-document transactions", transfer, 0.2)];
}

const anyAccount = (): number => Math.floor(Math.random() * accounts);

/** Only while the account holds something, as every booking asks; false when it did not. */
async function add(
  book: mongo.Collection<Account>,
  _id: number,
  amount: number,
  session?: mongo.ClientSession,
): Promise<boolean> {
  const result = await book.updateOne(
    { _id, balance: { $gt: 0 } },
    { $inc: { balance: amount }, $set: { at: performance.now() } },
    session === undefined ? {} : { session },
  );
  return result.modifiedCount === 1;
}

/** Repeats `work` with all clients at once; each call must come true. Calls per second. */
async function rate(work: (worker: number) => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  const endAt = startedAt + roundSeconds * 1_000;
  let count = 0;
  const repeat = async (_: unknown, worker: number): Promise<void> => {
    while (performance.now() < endAt) {
      if (!(await work(worker))) throw new Error("the store gave a wrong answer");
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, repeat));
  return (count / (performance.now() - startedAt)) * 1_000;
}

/** The most that the store ever held while 100,000 documents were inserted, indexed, read, and all rewritten at once. */
export async function measureStoreMemory(): Promise<Goal[]> {
  const { client, pid, stop } = await openStore();
  const items = client.db("bench").collection("items");
  await items.createIndexes([{ key: { owner: 1, n: -1 } }, { key: { code: 1 }, unique: true }]);
  const padding = "x".repeat(100);
  const seen: string[] = [];
  const after = (what: string): void => void seen.push(`${what} ${format(peakRssMb(pid))}`);
  await items.insertMany(
    Array.from({ length: many }, (_, n) => ({ n, owner: `owner ${n % 997}`, code: `c${n}`, padding })),
  );
  after("insertMany");
  await items.createIndex({ n: 1 });
  after("createIndex");
  const found = await items.find().toArray();
  after("find all");
  const { modifiedCount } = await items.updateMany({}, { $inc: { n: 1 } });
  after("updateMany all");
  const [group] = await items.aggregate([{ $group: { _id: null, sum: { $sum: "$n" } } }]).toArray();
  after("group all");
  await stop();
  if (found.length !== many || modifiedCount !== many || group?.["sum"] !== (many * (many + 1)) / 2)
    throw new Error("the store lost documents");
  const value = Number(seen.at(-1)?.split(" ").at(-1));
  const what = "store, most RSS with 100,000 documents";
  return [{ id: "", what, value, unit: "MB", bar: { atMost: 200 }, isDue: true, seen: `until ${seen.join(", ")}` }];
}

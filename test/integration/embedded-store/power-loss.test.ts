import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { mongo } from "mongoose";
import { type EmbeddedStore, startEmbeddedStore } from "../../../local/embedded-store/start";

const accounts = 8;
const writers = 6;
const startBalance = 1_000;
/** More than the log takes before it goes into the file. */
const largeDocuments = 72;

interface Image {
  dir: string;
  /** Transfers that were acknowledged before the image was taken. */
  acknowledged: string[];
}

/**
 * The files as a power loss would leave them: this process holds the store, so that nothing moves while they are copied. What
 * was acknowledged by then has been synced.
 */
describe("what a power loss leaves of the embedded store", () => {
  let dir: string;
  let store: EmbeddedStore;
  let client: mongo.MongoClient;

  const open = (data: string) => startEmbeddedStore({ dir: data, port: 0, log: () => {} });
  const connect = ({ uri }: EmbeddedStore) => mongo.MongoClient.connect(uri);

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "corridor-power-"));
    store = await open(join(dir, "live"));
    client = await connect(store);
    await prepare(client.db("bank"));
  });
  afterEach(async () => {
    await client.close();
    await store.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const imageOf = (name: string, acknowledged: readonly string[]): Image => {
    const image = { dir: join(dir, name), acknowledged: [...acknowledged] };
    cpSync(join(dir, "live"), image.dir, { recursive: true });
    return image;
  };

  /** Work of several clients, whose commits share groups, with an image after every so many transfers. */
  async function work(transfers: number, every: number): Promise<Image[]> {
    const acknowledged: string[] = [];
    const images: Image[] = [];
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let turn = 0; turn < transfers; turn += 1) {
          await transfer(client, `${writer}-${turn}`, writer + turn);
          acknowledged.push(`${writer}-${turn}`);
          if (acknowledged.length % every === 0) images.push(imageOf(`image-${images.length}`, acknowledged));
        }
      }),
    );
    return images;
  }

  async function requireWhole({ dir: data, acknowledged }: Image): Promise<number> {
    const restarted = await open(data);
    const other = await connect(restarted);
    try {
      return await requireBalance(other.db("bank"), acknowledged);
    } finally {
      await other.close();
      await restarted.stop();
    }
  }

  it("has every acknowledged transfer and no half one, at any moment", async () => {
    const images = await work(20, 10);

    expect(images).toHaveLength(12);
    for (const image of images) await requireWhole(image);
  }, 120_000);

  it("keeps whole groups when the last one came to disk in part", async () => {
    const [image] = await work(8, writers * 8);
    const log = join(image?.dir ?? "", "store.redo");
    const size = statSync(log).size;
    const counts: number[] = [];
    for (let left = size; left > 0; left -= Math.ceil(size / 25)) {
      const torn = { dir: join(dir, `torn-${left}`), acknowledged: [] };
      cpSync(image?.dir ?? "", torn.dir, { recursive: true });
      truncateSync(join(torn.dir, "store.redo"), left);
      counts.push(await requireWhole(torn));
    }

    expect(counts[0]).toBe(writers * 8);
    expect(counts.at(-1)).toBeLessThan(writers * 8);
    expect(counts).toEqual(counts.toSorted((left, right) => right - left));
  }, 120_000);

  it("goes on from its file when the log has gone into it, and from the log behind that", async () => {
    const [before] = await work(4, writers * 4);
    const large = client.db("bank").collection("large");
    for (let count = 0; count < largeDocuments; count += 1)
      await large.insertOne({ bytes: new mongo.Binary(Buffer.alloc(1024 * 1024, count)) });
    const sizeOf = (data: string) => statSync(join(data, "store.sqlite")).size;
    expect(sizeOf(join(dir, "live"))).toBeGreaterThan(sizeOf(before?.dir ?? "") + 60 * 1024 * 1024);
    await transfer(client, "last", 1);
    const after = imageOf("after", [...(before?.acknowledged ?? []), "last"]);

    expect(await requireWhole(after)).toBe(writers * 4 + 1);
    expect(await requireWhole(before ?? after)).toBe(writers * 4);
  }, 120_000);

  it("does not bring back what a refused command had done", async () => {
    const book = client.db("bank");
    const updates = [
      { q: { _id: 1 }, u: { $set: { note: "undone" } } },
      { q: { _id: 2 }, u: { $bit: { balance: { and: 0 } } } },
    ];
    await expect(book.command({ update: "accounts", updates })).rejects.toThrow("$bit");
    await transfer(client, "later", 1);

    expect(await requireWhole(imageOf("refused", ["later"]))).toBe(1);
  });

  it("leaves one file, whole, after a clean stop", async () => {
    await work(2, 100);
    await client.close();
    await store.stop();
    const files = readdirSync(join(dir, "live")).toSorted();
    expect(files).toEqual(["store.redo", "store.sqlite"]);
    expect(files.map((name) => statSync(join(dir, "live", name)).size > 0)).toEqual([false, true]);
    rmSync(join(dir, "live", "store.redo"));
    store = await open(join(dir, "live"));
    client = await connect(store);

    expect(await client.db("bank").collection("entries").countDocuments({})).toBe(writers * 4);
  });

  it("does not take a log for its own that belongs to another round", async () => {
    const [image] = await work(2, writers * 2);
    await client.close();
    await store.stop();
    // A file that is put back beside a log that went on without it.
    cpSync(join(image?.dir ?? "", "store.redo"), join(dir, "live", "store.redo"));
    store = await open(join(dir, "live"));
    client = await connect(store);

    expect(await client.db("bank").collection("entries").countDocuments({})).toBe(writers * 4);
  });

  it("refuses a file of another format, and a folder that a process has", async () => {
    await expect(open(join(dir, "live"))).rejects.toThrow("database is locked");
    const old = mkdtempSync(join(dir, "old-"));
    const file = new DatabaseSync(join(old, "store.sqlite"));
    file.exec("CREATE TABLE documents (key BLOB)");
    file.close();

    await expect(open(old)).rejects.toThrow("is of format 0, and this store reads 2: make clean-data");
  });
});

/** How many transfers are in the book, all of them whole. */
async function requireBalance(book: mongo.Db, acknowledged: string[]): Promise<number> {
  const entries = await book.collection("entries").find().toArray();
  const balances = await book.collection("accounts").find().toArray();
  const found = new Set(entries.map(({ transfer: id }) => String(id)));
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  expect(entries).toHaveLength(found.size * 2);
  for (const { _id, balance, note } of balances) {
    const own = entries.filter(({ account }) => account === _id);
    expect([_id, Number(balance)]).toEqual([_id, own.reduce((sum, { amount }) => sum + amount, startBalance)]);
    expect(note).toBe(`${"x".repeat(own.length)} of ${_id}`);
    // The index has come back with the documents: each entry is found by it, and nothing else.
    const byIndex = await book.collection("entries").find({ account: _id }).toArray();
    expect(byIndex.map(({ _id: id }) => String(id)).sort()).toEqual(own.map(({ _id: id }) => String(id)).sort());
  }
  return found.size;
}

async function prepare(book: mongo.Db): Promise<void> {
  await book.collection("entries").createIndex({ account: 1 });
  await book.collection("entries").createIndex({ transfer: 1, account: 1 }, { unique: true });
  const list = Array.from({ length: accounts }, (_, at) => ({
    _id: at as never,
    balance: mongo.Long.fromNumber(startBalance),
    note: ` of ${at}`,
  }));
  await book.collection("accounts").insertMany(list);
}

/** Takes from one account and gives to the next; the notes grow in the middle of their documents. */
async function transfer(client: mongo.MongoClient, id: string, turn: number): Promise<void> {
  const book = client.db("bank");
  await client.withSession((session) =>
    session.withTransaction(async () => {
      for (const [account, amount] of [
        [turn % accounts, -1],
        [(turn + 1) % accounts, 1],
      ] as const) {
        const change = { balance: { $add: ["$balance", amount] }, note: { $concat: ["x", "$note"] } };
        await book.collection("accounts").updateOne({ _id: account as never }, [{ $set: change }], { session });
        await book.collection("entries").insertOne({ transfer: id, account, amount }, { session });
      }
    }),
  );
}

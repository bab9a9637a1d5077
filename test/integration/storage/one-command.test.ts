import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { type EmbeddedStore, startEmbeddedStore } from "../../../local/embedded-store/start";
import { noTracing } from "../../../services/shared/process/tracing";
import { driverDb, isDuplicateKey, type Mongo, openMongo, type Tx } from "../../../services/shared/storage/mongo";
import { changeAll, inOneCommand, insertAll, removeAll } from "../../../services/shared/storage/one-command";

interface Row {
  _id: string;
  version: number;
  note?: string | undefined;
}

/** MongoDB 7 has no command for several collections; the services write to each with its own there. */
describe.each(["8.0.4", "7.0.14"])("writes to several collections of a MongoDB %s", (version) => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-one-"));
  let store: EmbeddedStore;
  let one: Mongo;
  let admin: mongo.MongoClient;

  beforeAll(async () => {
    store = await startEmbeddedStore({ dir, port: 0, version, failpoints: true, failOnScan: true, log: () => {} });
    one = await openMongo({ uri: store.uri, database: "one", profile: "local", tracing: noTracing });
    admin = await mongo.MongoClient.connect(store.uri);
  });
  afterAll(async () => {
    await one.stop();
    await admin.close();
    await store.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  const rows = (name: string, of = one) => driverDb(of.connection).collection<Row>(name);
  beforeEach(async () => {
    for (const name of ["left", "right"]) {
      await rows(name).deleteMany({ _id: { $gte: "" } });
      await rows(name).insertMany([
        { _id: "a", version: 1 },
        { _id: "b", version: 1 },
      ]);
    }
  });
  const stored = async (name: string) => rows(name).find().sort({ _id: 1 }).toArray();
  const commandsOf = async (name: string): Promise<number> => {
    const { metrics } = await admin.db("admin").command({ serverStatus: 1 });
    return Number(Object(metrics)["commands"][name]?.total ?? 0);
  };
  const moved = (): Error => new Error("has moved on");
  const change = (id: string, before: number) => ({
    filter: { _id: id, version: before },
    update: { $set: { version: before + 1 } },
  });
  /** Changes a row, adds one elsewhere, makes or changes a third, and removes a fourth. */
  const writeAll = (tx: Tx, before = 1, of = one): Promise<void> =>
    inOneCommand(tx, async (all) => {
      const [left, right] = [rows("left", of), rows("right", of)];
      await changeAll(all, left, [change("a", before)], moved);
      await insertAll(all, right, [{ _id: "c", version: 1, note: undefined }]);
      const count = { update: { $inc: { version: 5 } }, upsert: true };
      await changeAll(all, left, [
        { filter: { _id: "b" }, ...count },
        { filter: { _id: "new" }, ...count },
      ]);
      await removeAll(all, right, { _id: { $in: ["a"] } });
    });
  const untouched = [
    { _id: "a", version: 1 },
    { _id: "b", version: 1 },
  ];
  const unchanged = async (): Promise<void> =>
    expect([await stored("left"), await stored("right")]).toEqual([untouched, untouched]);

  it("are one command where the store has it", async () => {
    // Whoever has no such command is asked for it once.
    await one.transact((tx) => writeAll(tx));
    await one.transact(async ({ session }) => {
      await rows("right").deleteMany({ _id: "c" }, { session });
      await rows("left").updateOne({ _id: "a" }, { $set: { version: 1 } }, { session });
    });
    const before = await Promise.all(["bulkWrite", "insert", "update", "delete"].map(commandsOf));

    await one.transact((tx) => writeAll(tx));

    const after = await Promise.all(["bulkWrite", "insert", "update", "delete"].map(commandsOf));
    const added = after.map((count, at) => count - (before[at] ?? 0));
    expect(added).toEqual(version.startsWith("8") ? [1, 0, 0, 0] : [0, 1, 2, 1]);
    expect(await stored("left")).toEqual([
      { _id: "a", version: 2 },
      { _id: "b", version: 11 },
      { _id: "new", version: 10 },
    ]);
    expect(await stored("right")).toEqual([
      { _id: "b", version: 1 },
      { _id: "c", version: 1 },
    ]);
  });

  it("are nothing when a document to be changed is another by now", async () => {
    await expect(one.transact((tx) => writeAll(tx, 7))).rejects.toThrow("has moved on");
    await unchanged();
  });

  it("are nothing when one is refused, with the store's own error", async () => {
    await rows("right").updateOne({ _id: "b" }, { $set: { version: 1 } });
    const twice = one.transact((tx) =>
      inOneCommand(tx, async (all) => {
        await changeAll(all, rows("left"), [change("a", 1)], moved);
        await insertAll(all, rows("right"), [{ _id: "b", version: 9 }]);
      }),
    );

    expect(isDuplicateKey(await twice.catch((error: unknown) => error))).toBe(true);
    await unchanged();
  });

  it("are nothing when the work fails behind them", async () => {
    const failed = one.transact(async (tx) => {
      await writeAll(tx);
      throw new Error("and then");
    });

    await expect(failed).rejects.toThrow("and then");
    await unchanged();
  });

  it("run again when another transaction was first", async () => {
    let runs = 0;
    await one.transact(async (tx) => {
      runs += 1;
      // Seen by nobody before it has ended, so that the first run's snapshot lacks it.
      await rows("left").findOne({ _id: "a" }, { session: tx.session });
      if (runs === 1) await rows("left").updateOne({ _id: "a" }, { $set: { note: "other" } });
      await writeAll(tx);
    });

    expect(runs).toBe(2);
    expect((await stored("left"))[0]).toEqual({ _id: "a", version: 2, note: "other" });
  });

  it("are done once when the connection breaks under them", async () => {
    const failCommands = ["bulkWrite", "insert"];
    const data = { failCommands, closeConnection: true };
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: { times: 1 }, data });

    await one.transact((tx) => writeAll(tx));

    expect((await stored("left")).map((row) => row.version)).toEqual([2, 6, 5]);
    expect((await stored("right")).map(({ _id }) => _id)).toEqual(["b", "c"]);
  });

  it("are several commands for a client whom the store does not let use the one", async () => {
    const other = await openMongo({ uri: store.uri, database: "one", profile: "local", tracing: noTracing });
    const data = { failCommands: ["bulkWrite"], errorCode: 13 };
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "alwaysOn", data });
    await other.transact((tx) => writeAll(tx, 1, other)).finally(() => other.stop());
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "off", data: {} });

    expect((await stored("left")).map((row) => row.version)).toEqual([2, 6, 5]);
  });
});

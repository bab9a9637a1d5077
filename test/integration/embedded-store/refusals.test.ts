import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";
import { type EmbeddedStore, startEmbeddedStore } from "../../../local/embedded-store/start";
import { refusal } from "./store";

const notImplemented = 238;
const unknownField = 40_415;
const commandNotFound = 59;
const notInTransaction = 263;

/** What this store does not have, it refuses; a real replica set has most of it, so these tests are of the embedded store only. */
describe("refusals of the embedded store", () => {
  let dir: string;
  let store: EmbeddedStore;
  let client: mongo.MongoClient;
  let db: mongo.Db;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "corridor-refusals-"));
    store = await startEmbeddedStore({ dir, port: 0, failOnScan: true, log: () => {} });
    client = await mongo.MongoClient.connect(store.uri);
    db = client.db("refusals");
    await db.collection("c").insertMany(Array.from({ length: 1_200 }, (_, n) => ({ n, indexed: n })));
    await db.collection("c").createIndex({ indexed: 1 });
  });

  afterAll(async () => {
    await client.close();
    await store.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const list = { cursor: {} };
  it.each<[string, mongo.Document, number]>([
    ["an unknown command", { mapReduce: "c" }, commandNotFound],
    ["failpoints unless they are switched on", { configureFailPoint: "failCommand", mode: "off" }, commandNotFound],
    ["an unknown field", { find: "c", filtre: {} }, unknownField],
    [
      "an unknown field of a statement",
      { update: "c", updates: [{ q: {}, u: { $set: { a: 1 } }, srt: { a: 1 } }] },
      unknownField,
    ],
    ["a collation", { find: "c", collation: { locale: "de" } }, notImplemented],
    ["$where", { find: "c", filter: { $where: "1" } }, notImplemented],
    ["$where on a collection that is missing", { find: "missing", filter: { $where: "1" } }, notImplemented],
    ["$text", { find: "c", filter: { $text: { $search: "x" } } }, notImplemented],
    ["$jsonSchema", { find: "c", filter: { $jsonSchema: {} } }, notImplemented],
    ["a geometry", { find: "c", filter: { a: { $near: [1, 2] } } }, notImplemented],
    ["an unknown operator", { find: "c", filter: { a: { $foo: 1 } } }, 2],
    ["$bit", { findAndModify: "c", query: { indexed: 1 }, update: { $bit: { a: { and: 1 } } } }, notImplemented],
    ["$bit in updates", { update: "c", updates: [{ q: {}, u: { $bit: { a: { and: 1 } } } }] }, notImplemented],
    ["bit tests", { find: "c", filter: { a: { $bitsAllSet: 1 } } }, notImplemented],
    ["an expression", { aggregate: "c", pipeline: [{ $project: { a: { $dateTrunc: {} } } }], ...list }, notImplemented],
    ["$merge", { aggregate: "c", pipeline: [{ $merge: { into: "d" } }], ...list }, notImplemented],
    ["$facet", { aggregate: "c", pipeline: [{ $facet: {} }], ...list }, notImplemented],
    ["a capped collection's size", { create: "d", size: 100 }, notImplemented],
    ["a time-series collection", { create: "d", timeseries: { timeField: "t" } }, notImplemented],
    ["a clustered collection", { create: "d", clusteredIndex: { key: { _id: 1 }, unique: true } }, notImplemented],
    ["$out", { aggregate: "c", pipeline: [{ $out: "d" }], ...list }, notImplemented],
    ["$graphLookup", { aggregate: "c", pipeline: [{ $graphLookup: {} }], ...list }, notImplemented],
    ["an unknown stage", { aggregate: "c", pipeline: [{ $foo: {} }], ...list }, 40_324],
    ["an unknown expression", { aggregate: "c", pipeline: [{ $project: { a: { $foo: 1 } } }], ...list }, 168],
    ["a change stream", { aggregate: "c", pipeline: [{ $changeStream: {} }], ...list }, notImplemented],
    ["a capped collection", { create: "d", capped: true, size: 100 }, notImplemented],
    ["a validator", { create: "d", validator: { a: 1 } }, notImplemented],
    ["a view", { create: "d", viewOn: "c", pipeline: [] }, notImplemented],
    ["a text index", { createIndexes: "c", indexes: [{ key: { a: "text" }, name: "t" }] }, notImplemented],
    [
      "an unknown index option",
      { createIndexes: "c", indexes: [{ key: { a: 1 }, name: "t", bits: 3 }] },
      notImplemented,
    ],
    ["a tailable cursor", { find: "c", tailable: true }, notImplemented],
    ["a snapshot read outside a transaction", { find: "c", readConcern: { level: "snapshot" } }, notImplemented],
    [
      "a time zone",
      {
        aggregate: "c",
        pipeline: [{ $project: { y: { $year: { date: new Date(0), timezone: "Asia/Tokyo" } } } }],
        ...list,
      },
      notImplemented,
    ],
  ])("refuses %s by name", async (_name, command, code) => {
    expect((await refusal(db.command(command))).code).toBe(code);
  });

  it("refuses schema changes inside a transaction", async () => {
    const session = client.startSession();
    session.startTransaction();

    expect((await refusal(db.createIndex("c", { x: 1 }, { session }))).code).toBe(notInTransaction);

    await session.endSession();
  });

  it("refuses what no index serves when told to, however little there is, naming the query", async () => {
    const items = db.collection("little");
    await items.createIndex({ indexed: 1 });
    const named = (field: string) => ({ code: 291, message: expect.stringContaining(`"${field}"`) });

    await expect(items.find({ n: 1 }).toArray()).rejects.toMatchObject(named("n"));
    await expect(items.deleteMany({ n: 1 })).rejects.toMatchObject(named("n"));
    await expect(items.find({ indexed: 1 }).sort({ n: 1 }).limit(5).toArray()).rejects.toMatchObject(named("n"));
    expect(await items.find({ indexed: 1 }).toArray()).toEqual([]);
    expect(await items.find({ indexed: 1 }).sort({ n: 1 }).toArray()).toEqual([]);
    expect(await items.find({ n: 1 }, { hint: { $natural: 1 } }).toArray()).toEqual([]);
    expect(await items.find().sort({ indexed: -1 }).limit(5).toArray()).toEqual([]);
  });

  it("says what one node cannot promise", async () => {
    const write = db.collection("c").insertOne({ indexed: -1 }, { writeConcern: { w: 2 } });

    expect((await refusal(write)).code).toBe(100);
  });

  it("names itself", async () => {
    expect(await client.db("admin").command({ buildInfo: 1 })).toMatchObject({ modules: ["corridor-embedded-store"] });
  });
});

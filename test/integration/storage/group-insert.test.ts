import { mongo } from "mongoose";
import { noTracing } from "../../../services/shared/process/tracing";
import { asRefusal } from "../../../services/shared/rpc/rpc-errors";
import { makeGroupInsert } from "../../../services/shared/storage/group-insert";
import { driverDb, isDuplicateKey, type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

interface Row {
  _id: string;
  quote: string;
  more?: unknown;
}

describe("inserts that come together", () => {
  let store: TestStore;
  let mine: Mongo;
  let admin: mongo.MongoClient;
  /** How many documents each command carried. */
  let sent: number[];
  let rows: mongo.Collection<Row>;
  let insert: (row: Row) => Promise<void>;

  beforeAll(async () => {
    store = await startTestStore();
    const uri = store.mongoUri;
    mine = await openMongo({ uri, database: store.database("groups"), profile: "local", tracing: noTracing });
    admin = await mongo.MongoClient.connect(uri);
    rows = driverDb(mine.connection).collection<Row>("rows");
    await rows.createIndex({ quote: 1 }, { unique: true });
  });
  afterAll(async () => {
    await mine.stop();
    await admin.close();
    await store.stop();
  });
  beforeEach(async () => {
    await rows.deleteMany({ _id: { $gte: "" } });
    sent = [];
    const counted: typeof rows = Object.assign(Object.create(rows) as typeof rows, {
      insertOne: (row: never, options: never) => {
        sent.push(1);
        return rows.insertOne(row, options);
      },
      insertMany: (many: never[], options: never) => {
        sent.push(many.length);
        return rows.insertMany(many, options);
      },
    });
    insert = makeGroupInsert(counted, {});
  });

  const failCommand = (mode: unknown, data: mongo.Document = {}) =>
    admin.db("admin").command({ configureFailPoint: "failCommand", mode, data });
  const stored = async () => (await rows.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  const all = (given: readonly Row[]) => Promise.allSettled(given.map((row) => insert(row)));
  const row = (id: string, quote = id): Row => ({ _id: id, quote });
  const statuses = (results: readonly PromiseSettledResult<void>[]) => results.map(({ status }) => status);
  const reasons = (results: readonly PromiseSettledResult<void>[]) =>
    results.map((result) => (result.status === "rejected" ? asRefusal(result.reason).reason : "none"));

  it("are one command", async () => {
    expect(statuses(await all(["a", "b", "c", "d"].map((id) => row(id))))).toEqual(Array(4).fill("fulfilled"));
    expect(sent).toEqual([4]);
    expect(await stored()).toEqual(["a", "b", "c", "d"]);
  });

  it("fail alone where a unique index refuses one, which says of which index", async () => {
    const results = await all([row("a"), row("b"), row("c", "b"), row("d"), row("b", "other")]);

    expect(statuses(results)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled", "rejected"]);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
    expect(refusals.map(isDuplicateKey)).toEqual([true, true]);
    expect(refusals.map((error) => Reflect.get(error, "keyPattern") as unknown)).toEqual([{ quote: 1 }, { _id: 1 }]);
    expect(await stored()).toEqual(["a", "b", "d"]);
  });

  it("fail alone where the driver cannot send one", async () => {
    const circle: Row = row("b");
    circle.more = circle;

    expect(statuses(await all([row("a"), circle, row("c")]))).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await stored()).toEqual(["a", "c"]);
  });

  it("all fail, and are sent no more, when the store does not say what it has written", async () => {
    await failCommand("alwaysOn", { failCommands: ["insert"], closeConnection: true });
    const results = await all([row("a"), row("b"), row("c")]);
    await failCommand("off");

    expect(reasons(results)).toEqual(Array(3).fill("UNAVAILABLE"));
    expect(sent).toEqual([3]);
  });

  it("all fail when a majority did not take them in time", async () => {
    await failCommand("alwaysOn", { failCommands: ["insert"], writeConcernError: { code: 64, errmsg: "too slow" } });
    const results = await all([row("a"), row("b"), row("c", "b")]);
    await failCommand("off");

    expect(reasons(results)).toEqual(Array(3).fill("UNAVAILABLE"));
    expect(sent).toEqual([3]);
  });
});

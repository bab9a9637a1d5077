import { mongo } from "mongoose";
import { noTracing } from "../../../services/shared/process/tracing";
import { asRefusal } from "../../../services/shared/rpc/rpc-errors";
import { makeGroupUpdate } from "../../../services/shared/storage/group-update";
import { driverDb, isDuplicateKey, type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

interface Row {
  _id: string;
  version: number;
  savedBy?: string;
  by?: string;
  key?: string;
}

const names = ["a", "b", "c", "d"];

describe("changes that come together", () => {
  let store: TestStore;
  let mine: Mongo;
  let other: Mongo;
  let admin: mongo.MongoClient;
  const rowsOf = ({ connection }: Mongo) => driverDb(connection).collection<Row>("rows");

  beforeAll(async () => {
    store = await startTestStore();
    const options = { uri: store.mongoUri, database: store.database("changes"), profile: "local" } as const;
    mine = await openMongo({ ...options, tracing: noTracing });
    other = await openMongo({ ...options, tracing: noTracing });
    admin = await mongo.MongoClient.connect(store.mongoUri);
    const key = { unique: true, partialFilterExpression: { key: { $exists: true } } };
    await rowsOf(mine).createIndex({ key: 1 }, key);
  });
  afterAll(async () => {
    await mine.stop();
    await other.stop();
    await admin.close();
    await store.stop();
  });
  beforeEach(async () => {
    await rowsOf(mine).deleteMany({ _id: { $gte: "" } });
    await rowsOf(mine).insertMany(names.map((_id) => ({ _id, version: 1 })));
  });

  const changeOf = (id: string, by: string, more: object = {}) => ({
    id,
    version: 1,
    update: { $set: { version: 2, by, ...more } },
  });
  const stored = async () =>
    Object.fromEntries((await rowsOf(mine).find().sort({ _id: 1 }).toArray()).map(({ _id, by }) => [_id, by]));

  it("are one command, and each is told that it was stored", async () => {
    const update = makeGroupUpdate(rowsOf(mine));

    const before = await commandsOf("update");
    const results = await Promise.all(names.map((id) => update(changeOf(id, "me"))));

    expect(results).toEqual([true, true, true, true]);
    expect((await commandsOf("update")) - before).toBe(1);
    expect(await stored()).toEqual({ a: "me", b: "me", c: "me", d: "me" });
  });

  const commandsOf = async (name: string): Promise<number> => {
    const { metrics } = await admin.db("admin").command({ serverStatus: 1 });
    return Number(Object(metrics)["commands"][name]?.total ?? 0);
  };

  it("are each told whether it was theirs, when others have changed some of the documents", async () => {
    const update = makeGroupUpdate(rowsOf(mine));
    await rowsOf(other).updateOne({ _id: "b" }, { $set: { version: 2, by: "other" } });
    await rowsOf(other).updateOne({ _id: "c" }, { $set: { version: 3, by: "others" } });
    await rowsOf(other).deleteMany({ _id: "d" });

    const results = await Promise.allSettled(names.map((id) => update(changeOf(id, "me"))));

    expect(results[0]).toEqual({ status: "fulfilled", value: true });
    expect(results[1]).toEqual({ status: "fulfilled", value: false });
    // Two changes have passed: whether the first was ours cannot be seen.
    expect(results[2]).toMatchObject({ status: "rejected", reason: { reason: "UNAVAILABLE" } });
    expect(results[3]).toEqual({ status: "fulfilled", value: false });
    expect(await stored()).toEqual({ a: "me", b: "other", c: "others" });
  });

  it("of one document let one win, in one group and between two processes", async () => {
    const updates = [mine, mine, other, other].map((one) => makeGroupUpdate(rowsOf(one)));
    for (let round = 0; round < 20; round += 1) {
      const racers = names.flatMap((id) => updates.map((update, by) => ({ id, by: `${by}`, update })));
      const twice = [...racers, ...racers.map((one) => ({ ...one, by: `${one.by}'` }))];

      const results = await Promise.all(
        twice.map(async (one) => ({ ...one, won: await one.update(changeOf(one.id, one.by)) })),
      );

      const winners = Object.fromEntries(results.flatMap(({ id, by, won }) => (won ? [[id, by]] : [])));
      expect(results.filter(({ won }) => won)).toHaveLength(names.length);
      expect(winners).toEqual(await stored());
      await rowsOf(mine).updateMany({ _id: { $gte: "" } }, { $set: { version: 1 } });
    }
  });

  it("fail alone where a unique index refuses one, with the store's own error", async () => {
    const update = makeGroupUpdate(rowsOf(mine));
    const keyed = names.map((id) => changeOf(id, "me", id === "d" ? {} : { key: id === "b" ? "a" : id }));

    const results = await Promise.allSettled(keyed.map(update));

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(isDuplicateKey((results[1] as PromiseRejectedResult).reason)).toBe(true);
    expect(await stored()).toEqual({ a: "me", b: undefined, c: "me", d: "me" });
  });

  it.each([
    ["closes the connection", { closeConnection: true }],
    ["has no majority", { writeConcernError: { code: 64, errmsg: "too slow" } }],
  ])("all fail when the store %s", async (_how, data) => {
    const update = makeGroupUpdate(rowsOf(mine));
    const failing = { failCommands: ["update"], ...data };
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "alwaysOn", data: failing });
    const results = await Promise.allSettled(names.map((id) => update(changeOf(id, "me"))));
    await admin.db("admin").command({ configureFailPoint: "failCommand", mode: "off", data: {} });

    const reasons = results.map((result) => (result.status === "rejected" ? asRefusal(result.reason).reason : "none"));
    expect(reasons).toEqual(Array(4).fill("UNAVAILABLE"));
  });
});

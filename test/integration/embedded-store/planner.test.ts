import type { mongo } from "mongoose";
import { openStoreUnderTest, refusal, type StoreUnderTest } from "./store";

type Filter = mongo.Filter<mongo.Document>;
type Row = [partial: Filter, query: Filter, isUsed: boolean];

/** MongoDB compares the expressions of query and index; what a person could conclude beyond that does not count. */
const partialIndexes: Row[] = [
  [{ a: { $exists: true } }, { a: 1 }, true],
  [{ a: { $exists: true } }, { a: null }, false],
  [{ a: { $exists: true } }, { a: { $gte: 1 } }, true],
  [{ a: { $exists: true } }, { a: { $exists: true } }, true],
  [{ a: { $exists: true } }, { a: { $in: [1, 2] } }, true],
  [{ a: { $exists: true } }, { a: { $in: [1, null] } }, false],
  [{ a: { $exists: true } }, { $or: [{ a: 1 }, { a: 2, b: 1 }] }, true],
  [{ a: { $exists: true } }, { $and: [{ b: 1 }, { a: 1 }] }, true],
  [{ a: { $type: "string" } }, { a: "x" }, false],
  [{ a: { $type: "string" } }, { a: { $type: "string", $eq: "x" } }, true],
  [{ a: { $gt: 5 } }, { a: 6 }, true],
  [{ a: { $gt: 5 } }, { a: 5 }, false],
  [{ a: { $gt: 5 } }, { a: { $gt: 5 } }, true],
  [{ a: { $gt: 5 } }, { a: { $gte: 5 } }, false],
  [{ a: { $gte: 5 } }, { a: { $gt: 5 } }, true],
  [{ a: { $gt: 5 } }, { a: { $lt: 9 } }, false],
  [{ a: { $gt: 5 } }, { a: { $gt: 6, $lt: 9 } }, true],
  [{ a: { $gt: 5 } }, { a: { $in: [6, 7] } }, true],
  [{ a: { $gt: 5 } }, { a: { $in: [5, 7] } }, false],
  [{ a: { $gt: 5 } }, { a: "x" }, false],
  [{ a: { $lte: 5 } }, { a: { $lt: 5 } }, true],
  [{ b: "open" }, { a: 1 }, false],
  [{ b: "open" }, { a: 1, b: "open" }, true],
  [{ b: "open" }, { a: 1, b: { $in: ["open"] } }, true],
  [{ b: "open" }, { a: 1, b: { $in: ["open", "shut"] } }, false],
  [{ b: "open" }, { b: "open" }, false],
  [{ b: "open", c: { $gt: 0 } }, { a: 1, b: "open" }, false],
  [{ b: "open", c: { $gt: 0 } }, { a: 1, b: "open", c: 1 }, true],
];

describe("the planner", () => {
  let store: StoreUnderTest;
  let number = 0;

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });
  afterAll(() => store.stop());

  async function isScan(
    options: mongo.CreateIndexesOptions,
    find: mongo.Document,
    key: mongo.IndexSpecification = { a: 1 },
  ) {
    number += 1;
    const items = store.collection(`planner-${number}`);
    await items.createIndex(key, options);
    await items.insertMany([{ a: 1 }, { a: "x", b: "open" }, { b: 2 }]);
    const command = { find: items.collectionName, ...find };
    const { queryPlanner } = await store.database.command({ explain: command, verbosity: "queryPlanner" });
    const words = JSON.stringify(queryPlanner.winningPlan);
    return { isScan: words.includes("COLLSCAN"), isSorted: words.includes('"SORT"') };
  }

  it.each(partialIndexes)("judges an index with %j for %j: %s", async (partialFilterExpression, filter, isUsed) => {
    expect((await isScan({ partialFilterExpression }, { filter })).isScan).toBe(!isUsed);
  });

  it.each<[Filter, boolean]>([
    [{ a: 1 }, true],
    [{ a: { $gt: 0 } }, true],
    [{ a: { $exists: true } }, true],
    [{ a: { $ne: null } }, true],
    [{ a: null }, false],
    [{ a: { $exists: false } }, false],
    [{ b: 1 }, false],
  ])("judges a sparse index for %j: %s", async (filter, isUsed) => {
    expect((await isScan({ sparse: true }, { filter })).isScan).toBe(!isUsed);
  });

  it("reads a partial index for its order alone, and a sparse one never", async () => {
    const filter = { b: "open" };
    const partial = await isScan({ partialFilterExpression: filter }, { filter, sort: { a: 1 } });
    const sparse = await isScan({ sparse: true }, { filter: {}, sort: { a: 1 } });

    expect(partial).toEqual({ isScan: false, isSorted: false });
    expect(sparse).toEqual({ isScan: true, isSorted: true });
  });

  it.each<[mongo.IndexSpecification, mongo.Sort, boolean]>([
    [{ a: 1, b: 1 }, { a: 1, b: 1 }, true],
    [{ a: 1, b: 1 }, { a: -1, b: -1 }, true],
    [{ a: 1, b: 1 }, { a: 1, b: -1 }, false],
    [{ a: 1, b: -1 }, { a: 1, b: -1 }, true],
    [{ a: 1, b: -1 }, { a: 1, b: 1 }, false],
    [{ a: 1, b: 1 }, { b: 1 }, false],
  ])("takes the order of index %j for the sort %j: %s", async (key, sort, isTaken) => {
    expect((await isScan({}, { filter: {}, sort }, key)).isSorted).toBe(!isTaken);
  });

  it.each<[Filter, mongo.CreateIndexesOptions]>([
    [{ a: { $in: [] } }, {}],
    [{ a: { $in: [] }, b: "open" }, { sparse: true }],
    [{ $and: [{ a: 1 }, { a: { $in: [] } }] }, {}],
    [{ b: { $in: [] } }, {}],
  ])("reads nothing for %j, with an index on the field and without", async (filter, options) => {
    expect((await isScan(options, { filter })).isScan).toBe(false);
    expect(await store.collection(`planner-${number}`).find(filter).toArray()).toEqual([]);
  });

  it("reads one branch of an $or when the other is a list without members", async () => {
    const filter = { $or: [{ a: { $in: [] } }, { a: 1 }] };

    expect((await isScan({}, { filter })).isScan).toBe(false);
    expect(await store.collection(`planner-${number}`).find(filter).toArray()).toHaveLength(1);
  });

  it("refuses a partial index whose filter it could not compare", async () => {
    const items = store.collection("uncomparable");
    for (const partialFilterExpression of [{ a: { $exists: false } }, { a: { $ne: 1 } }, { a: /x/ }]) {
      expect((await refusal(items.createIndex({ a: 1 }, { partialFilterExpression }))).code).toBe(67);
    }
  });
});

import { openStoreUnderTest, refusal, type StoreUnderTest } from "./store";

const duplicateKey = 11_000;

describe("indexes", () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });

  afterAll(() => store.stop());

  it("accepts one of many writers of the same unique key", async () => {
    const items = store.collection("race");
    await items.createIndex({ tenant: 1, key: 1 }, { unique: true });

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => items.insertOne({ tenant: "t", key: "k", n })),
    );

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await items.countDocuments()).toBe(1);
  });

  it("names the index, its keys and the values of a duplicate", async () => {
    const items = store.collection("named");
    await items.createIndex({ a: 1, b: -1 }, { unique: true, name: "pair" });
    await items.insertOne({ a: 1, b: "x" });

    await expect(items.insertOne({ a: 1, b: "x" })).rejects.toMatchObject({
      code: duplicateKey,
      message: expect.stringContaining("index: pair"),
      keyPattern: { a: 1, b: -1 },
      keyValue: { a: 1, b: "x" },
    });
  });

  it("compares unique keys by value across numeric types, and missing with null", async () => {
    const items = store.collection("values");
    await items.createIndex({ k: 1 }, { unique: true });
    await items.insertMany([{ k: 5 }, {}]);

    expect((await refusal(items.insertOne({ k: 5n }))).code).toBe(duplicateKey);
    expect((await refusal(items.insertOne({ k: null }))).code).toBe(duplicateKey);
  });

  it("lets a transaction give a unique key up and take it again, and refuses a rival", async () => {
    const items = store.collection("moved");
    await items.createIndex({ k: 1 }, { unique: true });
    await items.insertOne({ name: "old", k: 1 });
    const [session, rival] = [store.begin(), store.begin()];
    await items.findOne({}, { session: rival });

    await items.deleteOne({ name: "old" }, { session });
    await items.insertOne({ name: "new", k: 1 }, { session });
    const refused = await refusal(items.insertOne({ name: "rival", k: 1 }, { session: rival }));
    await session.commitTransaction();

    expect([112, duplicateKey]).toContain(refused.code);
    expect(await items.find({}, { projection: { _id: 0, name: 1 } }).toArray()).toEqual([{ name: "new" }]);
  });

  it("lets one of two transactions insert the same new key", async () => {
    const items = store.collection("both-new");
    await items.createIndex({ k: 1 }, { unique: true });
    const insert = (n: number) =>
      store.client.withSession((session) =>
        session.withTransaction(async () => {
          await items.insertOne({ k: 1, n }, { session });
        }),
      );

    const results = await Promise.allSettled([insert(1), insert(2), insert(3)]);

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await items.countDocuments()).toBe(1);
  });

  it("keeps a partial unique index to the documents of its filter", async () => {
    const items = store.collection("partial");
    await items.createIndex({ account: 1 }, { unique: true, partialFilterExpression: { state: "open" } });
    await items.insertMany([
      { account: "a", state: "closed" },
      { account: "a", state: "closed" },
      { account: "a", state: "open" },
    ]);

    expect((await refusal(items.insertOne({ account: "a", state: "open" }))).code).toBe(duplicateKey);
    expect((await refusal(items.updateOne({ state: "closed" }, { $set: { state: "open" } }))).code).toBe(duplicateKey);
    expect(await items.countDocuments({ account: "a" })).toBe(3);
    expect(await items.countDocuments({ account: "a", state: "open" })).toBe(1);
  });

  it("leaves documents without the field out of a sparse unique index", async () => {
    const items = store.collection("sparse");
    await items.createIndex({ email: 1 }, { unique: true, sparse: true });
    await items.insertMany([{ n: 1 }, { n: 2 }, { email: "x", n: 3 }]);

    expect((await refusal(items.insertOne({ email: "x" }))).code).toBe(duplicateKey);
    expect(await items.countDocuments({ email: null })).toBe(2);
  });

  it("finds array elements, pairs fields of one element, and refuses parallel arrays", async () => {
    const items = store.collection("arrays");
    await items.createIndex({ "lines.sku": 1, "lines.n": 1 });
    await items.createIndex({ tags: 1, marks: 1 });
    await items.insertOne({
      lines: [
        { sku: "a", n: 1 },
        { sku: "b", n: 2 },
      ],
      tags: ["x", "y"],
    });

    expect(await items.countDocuments({ "lines.sku": "a", "lines.n": 2 })).toBe(1);
    expect(await items.countDocuments({ lines: { $elemMatch: { sku: "a", n: 2 } } })).toBe(0);
    expect(await items.countDocuments({ tags: "y" })).toBe(1);
    expect((await refusal(items.insertOne({ tags: [1], marks: [2] }))).code).toBe(171);
  });

  it("refuses a unique index over documents that already repeat a key, and then has none", async () => {
    const items = store.collection("late");
    await items.insertMany([{ k: 1 }, { k: 1 }]);

    expect((await refusal(items.createIndex({ k: 1 }, { unique: true }))).code).toBe(duplicateKey);

    expect(await items.listIndexes().toArray()).toHaveLength(1);
    await items.insertOne({ k: 1 });
  });

  it("removes what a TTL index says is over, and nothing else", async () => {
    const items = store.collection("ttl");
    await items.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
    await items.insertMany([
      { name: "over", at: new Date(Date.now() - 60_000) },
      { name: "later", at: new Date(Date.now() + 3_600_000) },
      { name: "no date", at: 5 },
      { name: "no field" },
    ]);

    const until = Date.now() + 90_000;
    while ((await items.countDocuments({ name: "over" })) > 0 && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }

    const left = await items.find().sort({ name: 1 }).toArray();
    expect(left.map((item) => item["name"])).toEqual(["later", "no date", "no field"]);
  });
});

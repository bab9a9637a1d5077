import fc from "fast-check";
import { mongo } from "mongoose";
import { openStoreUnderTest, type StoreUnderTest } from "./store";

const { Decimal128, Long } = mongo.BSON;

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 6 }),
  fc.constantFrom(null, "a", "b", "ab", true, 2.5),
  fc.constantFrom(Long.fromNumber(3), Decimal128.fromString("2.5"), Decimal128.fromString("3.00")),
  fc.constantFrom(new Date(0), new Date(1_000)),
);
const value = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) });
const part = fc.record({ x: value, y: scalar }, { requiredKeys: [] });
/** One part, or several, whose fields share an index then. */
const parts = fc.oneof(part, fc.array(part, { maxLength: 3 }));
const document = fc.record({ a: value, b: value, s: scalar, o: parts }, { requiredKeys: [] });

const condition = fc.oneof(
  scalar,
  fc.record({ $eq: scalar }),
  fc
    .tuple(fc.constantFrom("$gt", "$gte", "$lt", "$lte", "$ne"), scalar)
    .map(([operator, operand]) => ({ [operator]: operand })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.array(scalar, { maxLength: 3 }).map((list) => ({ $in: list })),
  fc.constantFrom({ $exists: true }, { $exists: false }),
);
const field = fc.constantFrom("a", "b", "s", "o.x", "o.y");
const clause = fc.tuple(field, condition).map(([name, operand]) => ({ [name]: operand }));
const filter = fc.oneof(
  fc.array(clause, { maxLength: 3 }).map((clauses) => Object.assign({}, ...clauses)),
  fc.array(clause, { minLength: 1, maxLength: 3 }).map((clauses) => ({ $or: clauses })),
  fc.tuple(clause, fc.array(clause, { minLength: 1, maxLength: 2 })).map(([one, two]) => ({ ...one, $or: two })),
  fc.array(clause, { minLength: 1, maxLength: 3 }).map((clauses) => ({ $and: clauses })),
);
const direction = fc.constantFrom(1 as const, -1 as const);
/** Values that are equal come in any order. */
const bySize = (one: unknown): unknown => (one instanceof Decimal128 || one instanceof Long ? Number(one) : one);
/** Of the fields only `s` never holds an array, and the order of two arrays is refused. */
const sort = fc.oneof(
  fc.array(fc.tuple(field, direction), { maxLength: 1 }),
  fc.tuple(field, direction, direction).map(([name, one, two]) => [[name, one] as const, ["s", two] as const]),
);

describe("plans", () => {
  let store: StoreUnderTest;

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });

  afterAll(() => store.stop());

  it("finds through indexes exactly what a full scan finds, in the same order", async () => {
    const indexed = store.collection("indexed");
    const plain = store.collection("plain");
    await indexed.createIndexes([
      { key: { a: 1 } },
      { key: { b: -1, s: 1 } },
      { key: { s: 1, a: 1 } },
      { key: { "o.x": 1, "o.y": 1 }, sparse: true },
      { key: { "o.y": 1 }, partialFilterExpression: { s: { $gt: 0 } } },
    ]);
    const docs = fc.sample(document, { numRuns: 300, seed: 20_261 }).map((doc, at) => ({ ...doc, _id: at as never }));
    await indexed.insertMany(docs);
    await plain.insertMany(docs);

    await fc.assert(
      fc.asyncProperty(filter, sort, fc.nat({ max: 20 }), async (query, order, limit) => {
        const sorted = Object.fromEntries([...order, ["_id", 1]]) as mongo.Sort;
        const read = async (collection: typeof plain, options: mongo.FindOptions) =>
          (await collection.find(query, { ...options, sort: sorted, limit }).toArray()).map(({ _id }) => _id);
        const expected = await read(plain, { hint: { $natural: 1 } });
        expect(await read(indexed, {})).toEqual(expected);
      }),
    );
  });

  it("sorts up and down, with an index and without, numbers of every kind by their value", async () => {
    const items = store.collection("sorted");
    await items.insertMany(
      [3, 1, 2, Long.fromNumber(5), Decimal128.fromString("4.5")].map((n, at) => ({ n, m: n, _id: at as never })),
    );
    await items.createIndex({ n: 1 });
    const order = async (by: mongo.Sort) => (await items.find().sort(by).toArray()).map(({ _id }) => _id);

    for (const field of ["n", "m"]) {
      expect(await order({ [field]: 1 })).toEqual([1, 2, 0, 4, 3]);
      expect(await order({ [field]: -1 })).toEqual([3, 4, 0, 2, 1]);
    }
  });

  it("refuses to sort by two arrays of one document, also by a page of them", async () => {
    const items = store.collection("parallel");
    await items.insertMany([
      { a: [1, 2], b: 3, o: [{ x: 1, y: 2 }] },
      { a: [1, 2], b: [4] },
    ]);
    const parallel = { code: 2, message: expect.stringContaining("parallel arrays") };

    await expect(items.find().sort({ a: 1, b: 1 }).toArray()).rejects.toMatchObject(parallel);
    await expect(items.find().sort({ b: 1, a: -1 }).limit(1).toArray()).rejects.toMatchObject(parallel);
    expect(await items.find({ b: 3 }).sort({ a: 1, b: 1 }).toArray()).toHaveLength(1);
    expect(await items.find().sort({ "o.x": 1, "o.y": -1 }).toArray()).toHaveLength(2);
  });

  it("finds an array of which one element meets one condition and another element the other", async () => {
    const items = store.collection("shared-array");
    await items.createIndex({ "o.x": 1, "o.y": 1 });
    await items.insertMany([
      {
        _id: 1 as never,
        o: [
          { x: 1, y: 2 },
          { x: 2, y: 1 },
        ],
      },
      { _id: 2 as never, o: [{ x: 1, y: 1 }] },
      {
        _id: 3 as never,
        o: [
          { x: 3, y: 9 },
          { x: 8, y: 4 },
        ],
      },
    ]);
    const ids = async (query: mongo.Filter<mongo.Document>) =>
      (await items.find(query, { hint: "o.x_1_o.y_1" }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

    expect(await ids({ "o.x": 1, "o.y": 1 })).toEqual([1, 2]);
    expect(await ids({ "o.x": 3, "o.y": { $lt: 5 } })).toEqual([3]);
    expect(await ids({ "o.x": { $gt: 5, $lt: 7 } })).toEqual([3]);
    expect(await ids({ o: { $elemMatch: { x: 3, y: { $lt: 5 } } } })).toEqual([]);
  });

  it("keeps entries and documents together through random updates and deletes", async () => {
    const items = store.collection("updated");
    await items.createIndexes([{ key: { a: 1 } }, { key: { "o.x": 1, s: -1 } }, { key: { s: 1 } }]);
    await items.insertMany(
      fc.sample(document, { numRuns: 100, seed: 7 }).map((doc, at) => ({ ...doc, _id: at as never })),
    );

    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 99 }), document, fc.boolean(), clause, async (id, next, isDelete, query) => {
        if (isDelete) await items.deleteOne({ _id: id as never });
        else await items.replaceOne({ _id: id as never }, next, { upsert: true });
        const ids = async (options: mongo.FindOptions) =>
          (await items.find(query, { ...options, sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
        expect(await ids({})).toEqual(await ids({ hint: { $natural: 1 } }));
        // Read through an index of single values, each document comes once and in the place of its present value.
        const inOrder = async (hint: mongo.Hint) =>
          (
            await items
              .find({}, { hint, projection: { s: 1 } })
              .sort({ s: 1 })
              .toArray()
          ).map((item) => bySize(item["s"] ?? null));
        expect(await inOrder("s_1")).toEqual(await inOrder({ $natural: 1 }));
      }),
    );
  });

  it("keeps entries through updates that touch some indexes, in one command and in transactions", async () => {
    const items = store.collection("touched");
    await items.createIndexes([
      { key: { a: 1 } },
      { key: { "o.x": 1, s: 1 } },
      { key: { s: 1 }, partialFilterExpression: { $or: [{ b: { $gt: 2 } }, { "o.y": { $exists: true } }] } },
      { key: { b: 1 }, unique: true, sparse: true },
    ]);
    await items.insertMany(
      Array.from({ length: 20 }, (_, at) => ({ _id: at as never, a: at % 3, s: at % 4, b: at, o: { x: at % 2 } })),
    );
    const path = fc.constantFrom("a", "s", "o.x", "o.y", "free", "o.free");
    const change = fc.oneof(
      fc.tuple(path, scalar).map(([name, to]) => ({ $set: { [name]: to } })),
      path.map((name) => ({ $unset: { [name]: "" } })),
      fc.constantFrom<mongo.UpdateFilter<mongo.Document>>(
        { $rename: { free: "s" } },
        { $rename: { a: "o.y" } },
        { $inc: { b: 100 } },
        { $set: { o: { x: 9, y: 1 } } },
        { $set: { list: [1] } },
      ),
    );
    const step = fc.record({ id: fc.nat({ max: 19 }), changes: fc.array(change, { minLength: 1, maxLength: 4 }) });
    const agrees = async () => {
      for (const name of ["a_1", "o.x_1_s_1", "s_1", "b_1"]) {
        const viaIndex = await items.find({}, { hint: name }).sort({ _id: 1 }).toArray();
        const isIn = (doc: mongo.Document) =>
          name === "s_1" ? doc["b"] > 2 || doc["o"]?.y !== undefined : name !== "b_1" || doc["b"] !== undefined;
        const all = await items.find({}, { hint: { $natural: 1 } }).toArray();
        expect(viaIndex.map(({ _id }) => _id)).toEqual(all.filter(isIn).map(({ _id }) => _id));
      }
      for (const query of [{ a: 1 }, { "o.x": 1 }, { "o.x": 9, s: 2 }, { b: { $gt: 2 }, s: 2 }]) {
        const ids = async (options: mongo.FindOptions) =>
          (await items.find(query, { ...options, sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
        expect(await ids({})).toEqual(await ids({ hint: { $natural: 1 } }));
      }
    };

    await fc.assert(
      fc.asyncProperty(step, fc.constantFrom("bulk", "transaction", "replaced"), async ({ id, changes }, way) => {
        const filter = { _id: id as never };
        if (way === "bulk") {
          await items.bulkWrite(changes.map((update) => ({ updateOne: { filter, update } })));
        } else {
          const session = store.begin();
          if (way === "replaced") {
            const doc = (await items.findOne(filter, { session })) ?? {};
            await items.deleteOne(filter, { session });
            await items.insertOne({ ...doc, _id: id as never }, { session });
          }
          for (const update of changes) await items.updateOne(filter, update, { session });
          await session.commitTransaction();
          await session.endSession();
        }
        await agrees();
      }),
      { numRuns: 60 },
    );
  });
});

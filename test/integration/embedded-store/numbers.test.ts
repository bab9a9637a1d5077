import { mongo } from "mongoose";
import { openStoreUnderTest, refusal, type StoreUnderTest } from "./store";

const { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } = mongo.BSON;
const decimal = (text: string) => Decimal128.fromString(text);
const long = (text: string) => Long.fromString(text);

/** Values in MongoDB's order; those on one line are equal to each other. */
const zoo: unknown[][] = [
  [new MinKey()],
  [null],
  [new Double(Number.NaN), decimal("NaN")],
  [new Double(Number.NEGATIVE_INFINITY), decimal("-Infinity")],
  [decimal("-1E+400")],
  [new Double(-1.5), decimal("-1.50")],
  [new Int32(-1), long("-1")],
  [decimal("-1E-400")],
  [new Int32(0), new Double(-0), decimal("0.00"), decimal("-0")],
  [decimal("1E-400")],
  [decimal("0.1")],
  [new Double(0.1)],
  [decimal("0.3")],
  [new Double(0.1 + 0.2)],
  [new Int32(1), new Double(1), decimal("1.0")],
  [new Double(2 ** 53), long("9007199254740992"), decimal("9007199254740992")],
  [long("9007199254740993"), decimal("9007199254740993.0")],
  [decimal("9007199254740993.5")],
  [long("9007199254740994"), new Double(2 ** 53 + 2)],
  [long("9223372036854775807")],
  [new Double(2 ** 63), decimal("9223372036854775808")],
  [decimal("1E+400")],
  [new Double(Number.POSITIVE_INFINITY), decimal("Infinity")],
  [""],
  ["A"],
  ["a"],
  ["a\u0000b"],
  ["ab"],
  ["\uffff"],
  ["\u{1f600}"],
  [{}],
  [{ a: new Int32(1) }, { a: long("1") }],
  [{ a: new Int32(1), b: new Int32(1) }],
  [{ b: new Int32(0) }],
  [{ a: "x" }],
  [new Binary(Buffer.from([9]), 0)],
  [new Binary(Buffer.from([1, 2]), 0)],
  [new ObjectId("000000000000000000000001")],
  [new ObjectId("ff0000000000000000000000")],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1e12)],
  [new Timestamp({ t: 1, i: 2 })],
  [new Timestamp({ t: 2, i: 1 })],
  [/a/],
  [new MaxKey()],
];

describe("exact values", () => {
  let store: StoreUnderTest;
  const raw = { promoteValues: false, bsonRegExp: true };

  beforeAll(async () => {
    store = await openStoreUnderTest();
  });

  afterAll(() => store.stop());

  it.each([
    ["with an index", true],
    ["by sorting", false],
  ])("orders a zoo of values %s", async (_name, hasIndex) => {
    const items = store.collection(`zoo-${hasIndex}`);
    if (hasIndex) await items.createIndex({ v: 1, at: 1 });
    const docs = zoo.flatMap((values, at) => values.map((v) => ({ v, at })));
    await items.insertMany([...docs].reverse());

    const up = await items.find().sort({ v: 1, at: 1 }).toArray();
    const down = await items.find().sort({ v: -1, at: -1 }).toArray();

    const expected = docs.map(({ at }) => at);
    expect(up.map((item) => item["at"])).toEqual(expected);
    expect(down.map((item) => item["at"])).toEqual([...expected].reverse());
  });

  it.each([
    ["with an index", true],
    ["by reading all", false],
  ])("finds equal values of all numeric types %s", async (_name, hasIndex) => {
    const items = store.collection(`equal-${hasIndex}`);
    if (hasIndex) await items.createIndex({ v: 1 });
    await items.insertMany(zoo.flatMap((values, at) => values.map((v) => ({ v, at }))));

    for (const [at, values] of zoo.entries()) {
      for (const v of values) {
        const found = await items.find({ v: { $eq: v } }).toArray();
        expect(found.map((item) => item["at"])).toEqual(values.map(() => at));
      }
    }
  });

  it("adds decimals and longs exactly and keeps their types", async () => {
    const items = store.collection("arithmetic");
    await items.insertOne({
      d: decimal("0.1"),
      l: long("9007199254740993"),
      i: new Int32(2_147_483_647),
      m: decimal("1.10"),
    });

    await items.updateOne(
      {},
      { $inc: { d: decimal("0.2"), l: new Int32(1), i: new Int32(1) }, $mul: { m: decimal("3") } },
    );

    const found = await items.findOne({}, { ...raw, projection: { _id: 0 } });
    expect(found).toEqual({
      d: decimal("0.3"),
      l: long("9007199254740994"),
      i: long("2147483648"),
      m: decimal("3.30"),
    });
  });

  it("refuses to overflow a long or to add to a string", async () => {
    const items = store.collection("overflow");
    await items.insertOne({ l: long("9223372036854775807"), s: "1" });

    await refusal(items.updateOne({}, { $inc: { l: 1 } }));
    expect((await refusal(items.updateOne({}, { $inc: { s: 1 } }))).code).toBe(14);

    expect(await items.findOne({}, raw)).toMatchObject({ l: long("9223372036854775807"), s: "1" });
  });

  it("totals longs and decimals without rounding", async () => {
    const items = store.collection("totals");
    await items.insertMany([
      { v: long("9007199254740993") },
      { v: new Int32(2) },
      { v: decimal("0.10") },
      { v: "no number" },
    ]);

    const [total] = await items
      .aggregate([{ $group: { _id: null, sum: { $sum: "$v" }, most: { $max: "$v" }, n: { $sum: 1 } } }], raw)
      .toArray();

    expect(total).toMatchObject({ sum: decimal("9007199254740995.10"), most: "no number", n: new Int32(4) });
  });

  it("groups numbers by value", async () => {
    const items = store.collection("groups");
    await items.insertMany([{ v: new Int32(5) }, { v: long("5") }, { v: decimal("5.0") }, { v: new Double(5.5) }]);

    const groups = await items.aggregate([{ $group: { _id: "$v", n: { $sum: 1 } } }, { $sort: { n: 1 } }]).toArray();

    expect(groups.map((group) => group["n"])).toEqual([1, 3]);
  });
});

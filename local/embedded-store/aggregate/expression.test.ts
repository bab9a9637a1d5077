import * as BSON from "bson";
import { type Doc, decode, encode } from "../values/bson";
import { runPipeline } from "./pipeline";

const { Decimal128, Double, Int32, Long } = BSON;
const decimal = (text: string) => Decimal128.fromString(text);
const long = (text: string) => Long.fromString(text);
const day = new Date("2024-02-29T13:14:15.016Z");

const bson = (value: Doc): Doc => decode(BSON.serialize(value));
const context = { read: () => [], variables: { NOW: day } };

/** Returns the documents after stages, with their types. */
function piped(stages: Doc[], ...docs: Doc[]): Doc[] {
  const { stages: parsed } = bson({ stages });
  return [...runPipeline(parsed, docs.map(bson), context)].map((doc) => decode(encode(doc)));
}
const evaluate = (expression: unknown, doc: Doc = {}): unknown =>
  piped([{ $project: { v: expression } }], doc)[0]?.["v"];

const doc = {
  n: new Int32(7),
  neg: new Double(-2.5),
  d: decimal("2.50"),
  s: "Ab",
  a: [1, 2, 3],
  o: { x: 1 },
  day,
  z: null,
};

describe("expressions", () => {
  it.each<[unknown, unknown]>([
    [{ $add: ["$n", 1] }, new Int32(8)],
    [{ $add: [new Int32(2_147_483_647), 1] }, long("2147483648")],
    [{ $add: ["$d", "$n"] }, decimal("9.50")],
    [{ $add: ["$day", 1_000] }, new Date(day.getTime() + 1_000)],
    [{ $add: ["$n", null] }, null],
    [{ $subtract: ["$day", new Date(day.getTime() - 5)] }, new Int32(5)],
    [{ $subtract: ["$n", new Double(0.5)] }, new Double(6.5)],
    [{ $multiply: ["$d", 3] }, decimal("7.50")],
    [{ $divide: ["$n", 2] }, new Double(3.5)],
    [{ $divide: [decimal("1"), 3] }, decimal("0.3333333333333333333333333333333333")],
    [{ $mod: ["$n", 4] }, new Int32(3)],
    [{ $mod: ["$d", 2] }, decimal("0.50")],
    [{ $abs: "$neg" }, new Double(2.5)],
    [{ $floor: "$neg" }, new Double(-3)],
    [{ $ceil: "$d" }, decimal("3")],
    [{ $round: [decimal("2.345"), 2] }, decimal("2.34")],
    [{ $round: [new Double(2.5)] }, new Double(2)],
    [{ $round: [new Int32(1_250), -2] }, new Int32(1_200)],
    [{ $trunc: ["$neg"] }, new Double(-2)],
    [{ $sum: ["$n", "x", "$d"] }, decimal("9.50")],
    [{ $sum: "$a" }, new Int32(6)],
    [{ $avg: "$a" }, new Double(2)],
    [{ $avg: ["$none"] }, null],
    [{ $min: "$a" }, new Int32(1)],
    [{ $max: ["$n", "$s"] }, "Ab"],
    [{ $cmp: ["$s", "$n"] }, new Int32(1)],
    [{ $eq: ["$d", 2.5] }, true],
    [{ $lt: ["$none", null] }, true],
    [{ $gte: ["$n", 7] }, true],
    [{ $and: ["$n", { $not: ["$z"] }] }, true],
    [{ $or: ["$z", 0] }, false],
    [{ $cond: [{ $gt: ["$n", 5] }, "big", "small"] }, "big"],
    // biome-ignore lint/suspicious/noThenProperty: MongoDB names it so.
    [{ $cond: { if: "$z", then: 1, else: "$o.x" } }, new Int32(1)],
    // biome-ignore lint/suspicious/noThenProperty: MongoDB names it so.
    [{ $switch: { branches: [{ case: "$z", then: 1 }], default: 2 } }, new Int32(2)],
    [{ $ifNull: ["$none", "$z", "fallback"] }, "fallback"],
    [{ $let: { vars: { t: { $add: ["$n", 1] } }, in: { $multiply: ["$$t", 2] } } }, new Int32(16)],
    [{ $literal: "$n" }, "$n"],
    [{ $concat: ["$s", "c"] }, "Abc"],
    [{ $concat: ["$s", "$z"] }, null],
    [{ $toUpper: "$s" }, "AB"],
    [{ $toLower: "$none" }, ""],
    [{ $size: "$a" }, new Int32(3)],
    [{ $isArray: ["$a"] }, true],
    [{ $arrayElemAt: ["$a", -1] }, new Int32(3)],
    [{ $first: "$a" }, new Int32(1)],
    [{ $last: "$a" }, new Int32(3)],
    [{ $in: [2, "$a"] }, true],
    [{ $concatArrays: ["$a", [4]] }, [1, 2, 3, 4].map((n) => new Int32(n))],
    [{ $map: { input: "$a", as: "i", in: { $add: ["$$i", 1] } } }, [2, 3, 4].map((n) => new Int32(n))],
    [{ $filter: { input: "$a", cond: { $gt: ["$$this", 1] } } }, [2, 3].map((n) => new Int32(n))],
    [{ $mergeObjects: ["$o", { y: 2 }, null] }, { x: new Int32(1), y: new Int32(2) }],
    [{ $setField: { field: "a.b", input: "$o", value: 2 } }, { x: new Int32(1), "a.b": new Int32(2) }],
    [{ $type: "$d" }, "decimal"],
    [{ $toString: "$d" }, "2.50"],
    [{ $toInt: "12" }, new Int32(12)],
    [{ $toInt: "$neg" }, new Int32(-2)],
    [{ $toLong: decimal("9223372036854775807") }, long("9223372036854775807")],
    [{ $toDouble: "$d" }, new Double(2.5)],
    [{ $toDecimal: new Double(0.1) }, decimal("0.100000000000000")],
    [{ $toDecimal: "1.10" }, decimal("1.10")],
    [{ $toBool: "$z" }, null],
    [{ $toDate: long("0") }, new Date(0)],
    [{ $toObjectId: "000000000000000000000001" }, new BSON.ObjectId("000000000000000000000001")],
    ["$a.x", []],
    ["$$ROOT.o.x", new Int32(1)],
    [
      [1, "$none"],
      [new Int32(1), null],
    ],
  ])("%j gives %j", (expression, expected) => {
    expect(evaluate(expression, doc)).toEqual(expected);
  });

  it.each<[unknown, number]>([
    [{ $add: ["$s", 1] }, 14],
    [{ $divide: ["$n", 0] }, 2],
    [{ $toInt: "x" }, 241],
    [{ $toInt: new Double(3e9) }, 241],
    [{ $size: "$n" }, 17_124],
    [{ $subtract: [1] }, 16_020],
    ["$$nobody", 17_276],
    [{ $foo: 1 }, 168],
    [{ $year: "$day" }, 238],
  ])("%j is refused with %i", (expression, code) => {
    expect(() => evaluate(expression, doc)).toThrow(expect.objectContaining({ code }));
  });
});

describe("stages", () => {
  const sales = [
    { _id: 1, who: "a", n: 3, tags: ["x", "y"] },
    { _id: 2, who: "b", n: 5, tags: [] },
    { _id: 3, who: "a", n: 4 },
  ];
  const ints = (docs: Doc[]) => docs.map((one) => BSON.deserialize(encode(one)));

  it.each<[string, Doc[], Doc[]]>([
    [
      "groups",
      [
        {
          $group: {
            _id: "$who",
            n: { $sum: "$n" },
            mean: { $avg: "$n" },
            all: { $push: "$n" },
            one: { $first: "$_id" },
            c: { $count: {} },
          },
        },
        { $sort: { _id: 1 } },
      ],
      [
        { _id: "a", n: 7, mean: 3.5, all: [3, 4], one: 1, c: 2 },
        { _id: "b", n: 5, mean: 5, all: [5], one: 2, c: 1 },
      ],
    ],
    [
      "groups into sets and extremes",
      [
        {
          $group: {
            _id: null,
            who: { $addToSet: "$who" },
            low: { $min: "$n" },
            high: { $max: "$n" },
            end: { $last: "$n" },
          },
        },
      ],
      [{ _id: null, who: ["a", "b"], low: 3, high: 5, end: 4 }],
    ],
    [
      "sorts, skips and limits",
      [{ $sort: { n: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { n: 1 } }],
      [{ _id: 3, n: 4 }],
    ],
    ["counts", [{ $match: { who: "a" } }, { $count: "c" }], [{ c: 2 }]],
    [
      "unwinds",
      [
        { $unwind: { path: "$tags", includeArrayIndex: "at", preserveNullAndEmptyArrays: true } },
        { $unset: ["who", "n"] },
      ],
      [
        { _id: 1, tags: "x", at: 0 },
        { _id: 1, tags: "y", at: 1 },
        { _id: 2, at: null },
        { _id: 3, at: null },
      ],
    ],
    [
      "adds fields",
      [{ $limit: 1 }, { $set: { "o.twice": { $multiply: ["$n", 2] }, tags: "$$REMOVE" } }],
      [{ _id: 1, who: "a", n: 3, o: { twice: 6 } }],
    ],
    ["replaces the root", [{ $limit: 1 }, { $replaceWith: { v: "$n" } }], [{ v: 3 }]],
    [
      "joins with nothing",
      [{ $limit: 1 }, { $lookup: { from: "x", localField: "n", foreignField: "n", as: "j" } }, { $project: { j: 1 } }],
      [{ _id: 1, j: [] }],
    ],
    ["projects out", [{ $limit: 1 }, { $project: { _id: 0, tags: 0, who: 0 } }], [{ n: 3 }]],
  ])("%s", (_name, stages, expected) => {
    expect(ints(piped(stages, ...sales))).toEqual(expected);
  });
});

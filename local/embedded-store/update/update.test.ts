import * as BSON from "bson";
import { type Doc, decode, encode } from "../values/bson";
import { compileUpdate, upsertDocument } from "./update";

const bson = (value: Doc): Doc => decode(BSON.serialize(value));
const plain = (value: Doc): Doc => BSON.deserialize(encode(value));

interface Options {
  filter?: Doc;
  arrayFilters?: Doc[];
}

function compiled(update: Doc | Doc[], { filter = {}, arrayFilters }: Options) {
  const { u, f } = bson({ u: update, f: arrayFilters });
  return compileUpdate(u, { filter: bson(filter), arrayFilters: f ?? undefined, variables: {}, now: new Date(0) });
}

const updated = (doc: Doc, update: Doc | Doc[], options: Options = {}) =>
  plain(compiled(update, options).apply(bson(doc), false));

describe("compileUpdate", () => {
  it.each<[string, Doc, Doc | Doc[], Doc]>([
    ["sets nested fields", { a: { b: 1 } }, { $set: { "a.c": 2, "d.e": 3 } }, { a: { b: 1, c: 2 }, d: { e: 3 } }],
    ["sets array elements and pads", { a: [1] }, { $set: { "a.2": 3 } }, { a: [1, null, 3] }],
    ["unsets fields and blanks elements", { a: 1, b: [1, 2] }, { $unset: { a: "", "b.0": "" } }, { b: [null, 2] }],
    ["adds and multiplies", { a: 1, b: 2 }, { $inc: { a: 2, n: 5 }, $mul: { b: 3, z: 4 } }, { a: 3, b: 6, n: 5, z: 0 }],
    [
      "keeps the lowest and the highest",
      { a: 5, b: 5 },
      { $min: { a: 3 }, $max: { b: 4, c: 1 } },
      { a: 3, b: 5, c: 1 },
    ],
    ["renames", { a: 1, b: 2 }, { $rename: { a: "c" } }, { b: 2, c: 1 }],
    [
      "pushes sorted and cut",
      { a: [3, 1] },
      { $push: { a: { $each: [2, 5], $sort: 1, $slice: -3 } } },
      { a: [2, 3, 5] },
    ],
    ["pushes at a place", { a: [1, 2] }, { $push: { a: { $each: [9], $position: 1 } } }, { a: [1, 9, 2] }],
    [
      "sorts pushed documents",
      { a: [{ n: 2 }] },
      { $push: { a: { $each: [{ n: 1 }], $sort: { n: 1 } } } },
      { a: [{ n: 1 }, { n: 2 }] },
    ],
    ["adds to a set once", { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2] } } }, { a: [1, 2] }],
    [
      "pulls by condition",
      { a: [1, 5, 9], d: [{ x: 1, y: 1 }, { x: 2 }] },
      { $pull: { a: { $gt: 4 }, d: { x: 1 } } },
      { a: [1], d: [{ x: 2 }] },
    ],
    ["pulls values", { a: [1, 2, 1] }, { $pullAll: { a: [1] } }, { a: [2] }],
    ["pops either end", { a: [1, 2], b: [1, 2] }, { $pop: { a: 1, b: -1 } }, { a: [1], b: [2] }],
    ["writes the date", {}, { $currentDate: { at: true } }, { at: new Date(0) }],
    ["ignores what is for inserts", { a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
    ["replaces and keeps the id", { _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
    ["runs a pipeline", { a: 1, b: 2 }, [{ $set: { c: { $add: ["$a", "$b"] } } }, { $unset: "a" }], { b: 2, c: 3 }],
    ["updates all elements", { a: [{ n: 1 }, { n: 2 }] }, { $inc: { "a.$[].n": 10 } }, { a: [{ n: 11 }, { n: 12 }] }],
  ])("%s", (_name, doc, update, expected) => {
    expect(updated(doc, update)).toEqual(expected);
  });

  it("updates the element that the filter matched", () => {
    const doc = {
      lines: [
        { id: 1, n: 0 },
        { id: 2, n: 0 },
      ],
    };

    expect(updated(doc, { $set: { "lines.$.n": 5 } }, { filter: { "lines.id": 2 } })).toEqual({
      lines: [
        { id: 1, n: 0 },
        { id: 2, n: 5 },
      ],
    });
  });

  it("updates the elements that array filters choose", () => {
    const options = { arrayFilters: [{ "low.n": { $lt: 2 } }] };

    expect(updated({ a: [{ n: 1 }, { n: 2 }] }, { $set: { "a.$[low].n": 9 } }, options)).toEqual({
      a: [{ n: 9 }, { n: 2 }],
    });
  });

  it.each<[string, Doc, Doc, Options, number]>([
    ["two changes of one path", {}, { $set: { a: 1 }, $inc: { "a.b": 1 } }, {}, 40],
    ["another id", { _id: 1 }, { $set: { _id: 2 } }, {}, 66],
    ["adding to a string", { a: "x" }, { $inc: { a: 1 } }, {}, 14],
    ["a path through a scalar", { a: 5 }, { $set: { "a.b": 1 } }, {}, 28],
    ["pushing to a number", { a: 5 }, { $push: { a: 1 } }, {}, 2],
    ["an unknown operator", {}, { $foo: { a: 1 } }, {}, 9],
    ["$bit", {}, { $bit: { a: { and: 1 } } }, {}, 238],
    ["an array filter that is missing", { a: [] }, { $set: { "a.$[x]": 1 } }, {}, 2],
    ["an array filter that nothing uses", { a: [] }, { $set: { a: 1 } }, { arrayFilters: [{ x: 1 }] }, 9],
  ])("refuses %s", (_name, doc, update, options, code) => {
    expect(() => updated(doc, update, options)).toThrow(expect.objectContaining({ code }));
  });

  it("starts an upsert from the equalities of the filter, the id first", () => {
    const filter = bson({ a: 1, b: { $gt: 5 }, "c.d": { $eq: 2 }, $and: [{ e: 3 }], _id: "x" });
    const update = compiled({ $set: { f: 4 }, $setOnInsert: { g: 5 } }, { filter });

    const doc = plain(upsertDocument(filter, update));

    expect(doc).toEqual({ _id: "x", a: 1, c: { d: 2 }, e: 3, f: 4, g: 5 });
    expect(Object.keys(doc)[0]).toBe("_id");
  });
});

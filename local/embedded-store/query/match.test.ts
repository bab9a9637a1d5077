import * as BSON from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { type Doc, decode } from "../values/bson";
import { compileMatch } from "./match";

/** Converts literals like a driver: they become BSON and come back with their types. */
const bson = (value: Doc): Doc => decode(BSON.serialize(value));
const matches = (filter: Doc, doc: Doc) => compileMatch(bson(filter), expressionContext({}))(bson(doc));

describe("compileMatch", () => {
  it.each<[Doc, Doc, boolean]>([
    [{ a: null }, {}, true],
    [{ a: null }, { a: null }, true],
    [{ a: null }, { a: 0 }, false],
    [{ "a.b": null }, { a: 5 }, true],
    [{ "a.b": null }, { a: [] }, false],
    [{ "a.b": null }, { a: [{ b: 1 }, { c: 1 }] }, true],
    [{ "a.b": null }, { a: [1, 2] }, false],
    [{ a: { $gte: null } }, {}, true],
    [{ a: { $ne: 1 } }, {}, true],
    [{ a: { $ne: 1 } }, { a: [1, 2] }, false],
    [{ a: { $nin: [1, null] } }, {}, false],
    [{ a: { $gt: 5 } }, { a: "6" }, false],
    [{ a: { $gt: 5, $lt: 3 } }, { a: [1, 9] }, true],
    [{ a: { $elemMatch: { $gt: 5, $lt: 3 } } }, { a: [1, 9] }, false],
    [{ a: [1, 2] }, { a: [1, 2] }, true],
    [{ a: [1, 2] }, { a: [[1, 2], 3] }, true],
    [{ a: [2, 1] }, { a: [1, 2] }, false],
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, false],
    [{ "a.1": 7 }, { a: [6, 7] }, true],
    [{ "a.b.c": 1 }, { a: [{ b: [{ c: 1 }] }] }, true],
    [{ a: { $exists: false } }, { b: 1 }, true],
    [{ a: { $size: 0 } }, { a: [] }, true],
    [{ a: { $all: [1, 2] } }, { a: [2, 3, 1] }, true],
    [{ a: { $all: [] } }, { a: [] }, false],
    [{ a: { $in: [/^x/, 5] } }, { a: "xy" }, true],
    [{ a: { $regex: "^X", $options: "i" } }, { a: "xy" }, true],
    [{ a: { $not: { $gt: 5 } } }, {}, true],
    [{ a: { $type: "number" } }, { a: BSON.Decimal128.fromString("1") }, true],
    [{ a: { $mod: [4, 1] } }, { a: 9 }, true],
    [{ a: BSON.Decimal128.fromString("5.00") }, { a: BSON.Long.fromNumber(5) }, true],
    [{ $nor: [{ a: 1 }, { b: 1 }] }, { a: 2 }, true],
    [{ $expr: { $gt: ["$a", "$b"] } }, { a: 2, b: 1 }, true],
    [{ $expr: { $lt: ["$missing", 1] } }, {}, true],
  ])("%j on %j is %s", (filter, doc, expected) => {
    expect(matches(filter, doc)).toBe(expected);
  });

  it.each<[Doc]>([[{ a: { $foo: 1 } }], [{ $foo: 1 }], [{ $where: "1" }], [{ $or: [] }], [{ a: { $in: 5 } }]])(
    "refuses %j",
    (filter) => {
      expect(() => matches(filter, {})).toThrow();
    },
  );
});

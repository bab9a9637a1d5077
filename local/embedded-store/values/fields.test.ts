import { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from "bson";
import fc from "fast-check";
import { type Doc, decode, encode } from "./bson";
import { decodeFields, firstField } from "./fields";

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map((value) => new Int32(value)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc.uint8Array({ maxLength: 20 }).map((value) => new Binary(value)),
  fc.constantFrom(new ObjectId(), Decimal128.fromString("1.50"), new Timestamp(7n), new MinKey(), new MaxKey()),
  fc.constantFrom(new BSONRegExp("^a", "i"), new Code("f()"), new Code("f()", { x: 1 })),
);
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { weight: 4, arbitrary: leaf },
    { weight: 1, arbitrary: fc.array(tie("any"), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom("x", "y", "a long name"), tie("any")) },
  ),
})).any;
const names = ["_id", "a", "b", "c", "ab", "é"];
const document = fc.dictionary(fc.constantFrom(...names), value);

describe("some fields of a document", () => {
  it("are decoded as with all the others, in their order", () => {
    fc.assert(
      fc.property(document, fc.subarray(names), (doc: Doc, wanted) => {
        const bytes = encode(doc);
        const whole = Object.entries(decode(bytes)).filter(([name]) => wanted.includes(name));

        expect(Object.entries(decodeFields(bytes, new Set(wanted)))).toEqual(whole);
        expect(firstField(bytes)).toBe(Object.keys(decode(bytes))[0]);
      }),
      { numRuns: 300 },
    );
  });

  it("are refused when any part of the document is not whole", () => {
    const bytes = Buffer.from(encode({ _id: new Int32(1), a: "text", o: { list: [new Int32(1), { deep: "x" }] } }));
    for (let at = 0; at < bytes.length; at += 1)
      expect(() => decodeFields(bytes.subarray(0, at), new Set(["_id"]))).toThrow("invalid BSON");
    const deep = Buffer.from(bytes);
    deep.writeInt32LE(1_000, bytes.indexOf("deep") + 5);
    expect(() => decodeFields(deep, new Set(["_id"]))).toThrow("invalid BSON: a value is cut off");
    const unknown = Buffer.from(bytes);
    unknown.writeUInt8(0x55, bytes.indexOf("deep") - 1);
    expect(() => decodeFields(unknown, new Set(["_id"]))).toThrow("invalid BSON: unknown type 85");
  });
});

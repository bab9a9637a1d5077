import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from "bson";
import fc from "fast-check";
import { keyAfter, keyOf } from "./keys";
import { compare } from "./order";

const decimal = (text: string) => Decimal128.fromString(text);

const zoo: unknown[] = [
  new MinKey(),
  null,
  ...[
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    -1e308,
    -1.5,
    -1,
    -5e-324,
    0,
    -0,
    5e-324,
    0.1,
    1,
    1.5,
    2 ** 53,
    2 ** 63,
    1e308,
  ].map((value) => new Double(value)),
  ...[-1, 0, 1, 7].map((value) => new Int32(value)),
  ...["-9223372036854775808", "-9007199254740993", "9007199254740992", "9007199254740993", "9223372036854775807"].map(
    (text) => Long.fromString(text),
  ),
  ...[
    "NaN",
    "-Infinity",
    "-1E+400",
    "-1.5",
    "-1E-6176",
    "-0",
    "0E+3",
    "1E-6176",
    "0.1",
    "0.10",
    "1.000",
    "1E+400",
    "Infinity",
  ].map(decimal),
  ...["9007199254740992.5", "9007199254740993", "-9007199254740992.5", "9.999999999999999999999999999999999E+6144"].map(
    decimal,
  ),
  ...["", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "b", "é", "\uffff", "\u{1f600}"],
  {},
  { a: new Int32(1) },
  { a: new Int32(1), b: null },
  { a: "x" },
  { b: new Int32(0) },
  [],
  [new Int32(1)],
  [new Int32(1), new Int32(1)],
  [[]],
  new Binary(Buffer.from([]), 0),
  new Binary(Buffer.from([9]), 0),
  new Binary(Buffer.from([9]), 4),
  new Binary(Buffer.from([1, 1]), 0),
  new ObjectId("000000000000000000000001"),
  new ObjectId("ff0000000000000000000001"),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Date(8.64e15),
  new Timestamp({ t: 1, i: 2 }),
  new Timestamp({ t: 4_294_967_295, i: 1 }),
  new MaxKey(),
];

const number = fc.oneof(
  fc.double().map((value) => new Double(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }), fc.integer({ min: -60, max: 60 }))
    .map(([mantissa, exponent]) => decimal(`${mantissa}E${exponent}`)),
  // Close neighbours: a double and decimals just beside it.
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .map((value) => decimal(value.toPrecision(17).toUpperCase())),
);

describe("keys of values", () => {
  it("compare as bytes exactly as the values compare, over all pairs of a zoo", () => {
    for (const left of zoo) {
      for (const right of zoo) {
        expect([left, right, keyOf(left).compare(keyOf(right))]).toEqual([left, right, compare(left, right)]);
      }
    }
  });

  it("compare as the values compare, for any numbers", () => {
    fc.assert(
      fc.property(number, number, (left, right) => {
        expect(keyOf(left).compare(keyOf(right))).toBe(compare(left, right));
      }),
    );
  });

  it("are followed by a bound that is above everything that starts with them", () => {
    for (const value of zoo) {
      const key = keyOf(value);

      expect(keyAfter(key).compare(Buffer.concat([key, Buffer.alloc(3, 0xff)]))).toBe(1);
      expect(keyAfter(key).compare(key)).toBe(1);
    }
  });
});

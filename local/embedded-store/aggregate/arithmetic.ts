import { Decimal128, Double, Int32 } from "bson";
import { CommandError } from "../errors";
import {
  type BsonNumber,
  isArray,
  isDate,
  isDecimal,
  isDouble,
  isInt,
  isNumber,
  typeOf,
  wrapInteger,
} from "../values/bson";
import {
  arithmetic,
  asDecimal,
  divide,
  divideHalfEven,
  exactParts,
  toDecimal,
  toInteger,
  toNumber,
  toSafeInteger,
} from "../values/numbers";
import type { Operator } from "./scope";
import { averageOf, highest, lowest, sumOf } from "./totals";

const isNothing = (value: unknown): boolean => value === undefined || value === null;

function requireNumber(name: string, value: unknown): BsonNumber {
  if (!isNumber(value))
    throw new CommandError("TypeMismatch", `${name} only supports numeric types, not ${typeOf(value)}`);
  return value;
}

/** null as soon as one operand is null or missing. */
const numeric = (name: string, least: number, most: number, apply: (args: BsonNumber[]) => unknown): Operator => ({
  least,
  most,
  apply: (args) => (args.some(isNothing) ? null : apply(args.map((value) => requireNumber(name, value)))),
});

const first = (args: BsonNumber[]): BsonNumber => args[0] ?? new Int32(0);
const second = (args: BsonNumber[]): BsonNumber => args[1] ?? new Int32(0);

/** A date plus milliseconds is a date. */
function add(args: unknown[]): unknown {
  if (args.some(isNothing)) return null;
  const date = args.find(isDate);
  const numbers = args.filter((value) => value !== date).map((value) => requireNumber("$add", value));
  const sum = numbers.reduce((total, value) => arithmetic("add", total, value), new Int32(0));
  return date === undefined ? sum : new Date(date.getTime() + toNumber(sum));
}

function subtract(args: unknown[]): unknown {
  const [left, right] = args;
  if (isNothing(left) || isNothing(right)) return null;
  if (isDate(left) && isDate(right)) return wrapLong(left.getTime() - right.getTime());
  if (isDate(left)) return new Date(left.getTime() - toNumber(requireNumber("$subtract", right)));
  return arithmetic("subtract", requireNumber("$subtract", left), requireNumber("$subtract", right));
}

const wrapLong = (value: number): BsonNumber => wrapInteger(value);

function mod(args: BsonNumber[]): BsonNumber {
  const [left, right] = [first(args), second(args)];
  if (toNumber(right) === 0) throw new CommandError(16_610, "can't $mod by zero");
  if (isDecimal(left) || isDecimal(right)) return decimalMod(left, right);
  if (isDouble(left) || isDouble(right)) return new Double(toNumber(left) % toNumber(right));
  const zero = isInt(left) && isInt(right) ? new Int32(0) : arithmetic("subtract", left, left);
  return arithmetic("add", zero, wrapInteger(Number(toInteger(left) % toInteger(right))));
}

function decimalMod(left: BsonNumber, right: BsonNumber): BsonNumber {
  const [x, y] = [exactParts(asDecimal(left)), exactParts(asDecimal(right))];
  if (typeof x === "string" || typeof y === "string") return Decimal128.fromString("NaN");
  const exponent = Math.min(x.exponent, y.exponent);
  const scaled = (part: typeof x) => part.mantissa * 10n ** BigInt(part.exponent - exponent);
  return toDecimal({ mantissa: scaled(x) % scaled(y), exponent });
}

type Rounding = "even" | "down" | "floor" | "ceil";

/** Rounds at a decimal place; ints and longs stay what they are, doubles round by their exact value. */
function round(value: BsonNumber, place: number, rounding: Rounding): BsonNumber {
  const parts = exactParts(value);
  if (typeof parts === "string" || parts.exponent >= -place) return value;
  const unit = 10n ** BigInt(-place - parts.exponent);
  const mantissa = roundTo(parts.mantissa, unit, rounding);
  if (isDecimal(value)) return toDecimal({ mantissa, exponent: -place });
  if (isDouble(value)) return new Double(Number(`${mantissa}e${-place}`));
  return arithmetic(
    "subtract",
    value,
    arithmetic("subtract", value, wrapInteger(Number(mantissa * 10n ** BigInt(-place)))),
  );
}

function roundTo(mantissa: bigint, unit: bigint, rounding: Rounding): bigint {
  if (rounding === "even") return divideHalfEven(mantissa, unit);
  const towardsZero = mantissa / unit;
  const isExact = mantissa % unit === 0n;
  if (isExact || rounding === "down") return towardsZero;
  if (rounding === "floor") return mantissa < 0n ? towardsZero - 1n : towardsZero;
  return mantissa > 0n ? towardsZero + 1n : towardsZero;
}

const placed = (name: string, rounding: Rounding): Operator =>
  numeric(name, 1, 2, (args) =>
    round(first(args), args.length === 1 ? 0 : (toSafeInteger(second(args)) ?? 0), rounding),
  );

const spread = (args: unknown[]): unknown[] => (args.length === 1 && isArray(args[0]) ? args[0] : args);

const total = (apply: (values: unknown[]) => unknown): Operator => ({
  least: 0,
  most: Number.POSITIVE_INFINITY,
  apply: (args) => apply(spread(args)),
});

export const arithmeticOperators: Record<string, Operator> = {
  $add: { least: 0, most: Number.POSITIVE_INFINITY, apply: add },
  $subtract: { least: 2, most: 2, apply: subtract },
  $multiply: numeric("$multiply", 0, Number.POSITIVE_INFINITY, (args) =>
    args.reduce((product, value) => arithmetic("multiply", product, value), new Int32(1)),
  ),
  $divide: numeric("$divide", 2, 2, (args) => divide(first(args), second(args))),
  $mod: numeric("$mod", 2, 2, mod),
  $abs: numeric("$abs", 1, 1, (args) => {
    const value = first(args);
    return toNumber(value) < 0 ? arithmetic("multiply", value, new Int32(-1)) : value;
  }),
  $ceil: numeric("$ceil", 1, 1, (args) => round(first(args), 0, "ceil")),
  $floor: numeric("$floor", 1, 1, (args) => round(first(args), 0, "floor")),
  $round: placed("$round", "even"),
  $trunc: placed("$trunc", "down"),
  $sum: total(sumOf),
  $avg: total(averageOf),
  $min: total(lowest),
  $max: total(highest),
};

import { Decimal128, Double, Int32 } from "bson";
import { demand } from "../errors";
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
import { anyNumber, exactly, isNothing, type Operator, type Operators } from "./scope";
import { averageOf, extremeOf, sumOf } from "./totals";

function numberIn(name: string, value: unknown): BsonNumber {
  demand(isNumber(value), "TypeMismatch", `${name} only supports numeric types, not ${typeOf(value)}`);
  return value;
}

type OnNumbers = (first: BsonNumber, second: BsonNumber) => unknown;

/** An operator on one or two numbers; null as soon as one operand is null or missing. A second one that is not given is zero. */
const numeric = (name: string, least: number, most: number, apply: OnNumbers): Operator => ({
  least,
  most,
  apply: (args) => {
    if (args.some(isNothing)) return null;
    const [first = new Int32(0), second = new Int32(0)] = args.map((value) => numberIn(name, value));
    return apply(first, second);
  },
});

/** Adding milliseconds to a date gives a date. */
function add(args: unknown[]): unknown {
  if (args.some(isNothing)) return null;
  const date = args.find(isDate);
  const numbers = args.filter((value) => value !== date).map((value) => numberIn("$add", value));
  const sum = numbers.reduce((total, value) => arithmetic("add", total, value), new Int32(0));
  return date === undefined ? sum : new Date(date.getTime() + toNumber(sum));
}

function subtract([left, right]: unknown[]): unknown {
  if (isNothing(left) || isNothing(right)) return null;
  if (isDate(left) && isDate(right)) return wrapInteger(left.getTime() - right.getTime());
  if (isDate(left)) return new Date(left.getTime() - toNumber(numberIn("$subtract", right)));
  return arithmetic("subtract", numberIn("$subtract", left), numberIn("$subtract", right));
}

function multiply(args: unknown[]): unknown {
  if (args.some(isNothing)) return null;
  const numbers = args.map((value) => numberIn("$multiply", value));
  return numbers.reduce((product, value) => arithmetic("multiply", product, value), new Int32(1));
}

function mod(left: BsonNumber, right: BsonNumber): BsonNumber {
  demand(toNumber(right) !== 0, 16_610, "can't $mod by zero");
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

type Divide = (mantissa: bigint, unit: bigint) => bigint;

const down: Divide = (mantissa, unit) => mantissa / unit;
const floor: Divide = (mantissa, unit) => mantissa / unit - (mantissa < 0n && mantissa % unit !== 0n ? 1n : 0n);
const ceil: Divide = (mantissa, unit) => mantissa / unit + (mantissa > 0n && mantissa % unit !== 0n ? 1n : 0n);

/** Rounds at a decimal place; ints and longs stay what they are, doubles round by their exact value. */
function round(value: BsonNumber, place: number, to: Divide): BsonNumber {
  const parts = exactParts(value);
  if (typeof parts === "string" || parts.exponent >= -place) return value;
  const mantissa = to(parts.mantissa, 10n ** BigInt(-place - parts.exponent));
  if (isDecimal(value)) return toDecimal({ mantissa, exponent: -place });
  if (isDouble(value)) return new Double(Number(`${mantissa}e${-place}`));
  const change = wrapInteger(Number(mantissa * 10n ** BigInt(-place) - toInteger(value)));
  return arithmetic("add", value, change);
}

const spread = (args: unknown[]): unknown[] => (args.length === 1 && isArray(args[0]) ? args[0] : args);
const total = (apply: (values: unknown[]) => unknown): Operator => anyNumber((args) => apply(spread(args)));

export const arithmeticOperators: Operators = {
  $add: anyNumber(add),
  $subtract: exactly(2, subtract),
  $multiply: anyNumber(multiply),
  $divide: numeric("$divide", 2, 2, divide),
  $mod: numeric("$mod", 2, 2, mod),
  $abs: numeric("$abs", 1, 1, (value) => (toNumber(value) < 0 ? arithmetic("multiply", value, new Int32(-1)) : value)),
  $ceil: numeric("$ceil", 1, 1, (value) => round(value, 0, ceil)),
  $floor: numeric("$floor", 1, 1, (value) => round(value, 0, floor)),
  $round: numeric("$round", 1, 2, (value, place) => round(value, toSafeInteger(place) ?? 0, divideHalfEven)),
  $trunc: numeric("$trunc", 1, 2, (value, place) => round(value, toSafeInteger(place) ?? 0, down)),
  $sum: total(sumOf),
  $avg: total(averageOf),
  $min: total((values) => extremeOf(values, -1)),
  $max: total((values) => extremeOf(values, 1)),
};

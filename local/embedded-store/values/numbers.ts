import { Decimal128, Double, Int32, Long } from "bson";
import { CommandError } from "../errors";
import { type BsonNumber, isDecimal, isDouble, isInt, isLong } from "./bson";

/**
 * Exact numbers. MongoDB compares int, long, double and decimal by mathematical value; JavaScript numbers lose that
 * from 2^53 on, so everything beyond goes through integers with a decimal exponent.
 */

/** mantissa * 10^exponent, exactly. */
export interface Exact {
  mantissa: bigint;
  exponent: number;
}

type Parts = Exact | "NaN" | "Infinity" | "-Infinity";

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
const decimalDigits = 34;

/** The value as a double when that is exact, else undefined. */
export function safeDouble(value: BsonNumber): number | undefined {
  if (isInt(value) || isDouble(value)) return value.value;
  if (isLong(value)) {
    const high = value.high;
    // Beyond 21 high bits the value passes 2^53, where toNumber rounds.
    return high >= -0x20_0000 && high < 0x20_0000 ? value.toNumber() : undefined;
  }
  return undefined;
}

const decimalPattern = /^(-?)(\d*)\.?(\d*)(?:E([+-]?\d+))?$/;

export function exactParts(value: BsonNumber): Parts {
  if (isDecimal(value)) return decimalParts(value.toString());
  if (isLong(value)) return { mantissa: value.toBigInt(), exponent: 0 };
  return doubleParts(value.value);
}

function decimalParts(text: string): Parts {
  if (text === "NaN" || text === "Infinity" || text === "-Infinity") return text;
  const match = decimalPattern.exec(text);
  if (match === null) throw new CommandError("InternalError", `unreadable decimal ${text}`);
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${whole}${fraction}` || "0");
  return { mantissa: sign === "-" ? -digits : digits, exponent: Number(exponent) - fraction.length };
}

const doubleView = new DataView(new ArrayBuffer(8));

/** A finite double is an integer times a power of two, and so has a finite decimal expansion. */
export function doubleParts(value: number): Parts {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (Number.isInteger(value)) return { mantissa: BigInt(value), exponent: 0 };
  doubleView.setFloat64(0, value);
  const bits = doubleView.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const shift = (biased === 0 ? 1 : biased) - 1075;
  const signed = value < 0 ? -mantissa : mantissa;
  if (shift >= 0) return { mantissa: signed << BigInt(shift), exponent: 0 };
  return { mantissa: signed * 5n ** BigInt(-shift), exponent: shift };
}

function align(left: Exact, right: Exact): [bigint, bigint, number] {
  const exponent = Math.min(left.exponent, right.exponent);
  const scale = (part: Exact) => part.mantissa * 10n ** BigInt(part.exponent - exponent);
  return [scale(left), scale(right), exponent];
}

export function subtractExact(left: Exact, right: Exact): Exact {
  const [a, b, exponent] = align(left, right);
  return { mantissa: a - b, exponent };
}

const rank = (parts: Parts): number => (parts === "NaN" ? 0 : parts === "-Infinity" ? 1 : parts === "Infinity" ? 3 : 2);

/** MongoDB's order of numbers: by exact value; NaN equals NaN and is below everything. */
export function compareNumbers(left: BsonNumber, right: BsonNumber): number {
  const a = safeDouble(left);
  const b = safeDouble(right);
  if (a !== undefined && b !== undefined) {
    if (a < b) return -1;
    if (a > b) return 1;
    return a === b ? 0 : Number(Number.isNaN(b)) - Number(Number.isNaN(a));
  }
  const x = exactParts(left);
  const y = exactParts(right);
  if (typeof x === "string" || typeof y === "string") return Math.sign(rank(x) - rank(y));
  const [m, n] = align(x, y);
  return m < n ? -1 : m > n ? 1 : 0;
}

export function isNaNValue(value: BsonNumber): boolean {
  return isDecimal(value) ? value.toString() === "NaN" : isDouble(value) && Number.isNaN(value.value);
}

/** Rounds to 34 digits, half to even, as IEEE 754-2008 decimal128 does. */
export function toDecimal(exact: Exact): Decimal128 {
  let { mantissa, exponent } = exact;
  const digits = (mantissa < 0n ? -mantissa : mantissa).toString().length;
  const surplus = Math.max(digits - decimalDigits, -6176 - exponent, 0);
  if (surplus > 0) {
    mantissa = divideHalfEven(mantissa, 10n ** BigInt(surplus));
    exponent += surplus;
  }
  if (mantissa !== 0n && exponent > 6111) return largeDecimal(mantissa, exponent);
  return Decimal128.fromString(`${mantissa}E${Math.max(Math.min(exponent, 6111), -6176)}`);
}

/** Pads the mantissa with zeros to bring a large exponent into range, or overflows to infinity. */
function largeDecimal(mantissa: bigint, exponent: number): Decimal128 {
  const padded = mantissa * 10n ** BigInt(Math.min(exponent - 6111, 40));
  const digits = (padded < 0n ? -padded : padded).toString().length;
  if (exponent - 6111 > 40 || digits > decimalDigits)
    return Decimal128.fromString(mantissa < 0n ? "-Infinity" : "Infinity");
  return Decimal128.fromString(`${padded}E6111`);
}

export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n;
  const a = numerator < 0n ? -numerator : numerator;
  const b = denominator < 0n ? -denominator : denominator;
  let quotient = a / b;
  const twice = (a % b) * 2n;
  if (twice > b || (twice === b && quotient % 2n === 1n)) quotient += 1n;
  return negative ? -quotient : quotient;
}

export type Operation = "add" | "subtract" | "multiply";

const onDoubles: Record<Operation, (a: number, b: number) => number> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

const onIntegers: Record<Operation, (a: bigint, b: bigint) => bigint> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
};

/** The widest operand decides the type; int grows to long, and a long that would overflow is an error. */
export function arithmetic(operation: Operation, left: BsonNumber, right: BsonNumber): BsonNumber {
  if (isDecimal(left) || isDecimal(right)) return decimalArithmetic(operation, left, right);
  if (isDouble(left) || isDouble(right)) return new Double(onDoubles[operation](toNumber(left), toNumber(right)));
  const result = onIntegers[operation](toInteger(left), toInteger(right));
  if (isInt(left) && isInt(right) && result >= -0x8000_0000n && result <= 0x7fff_ffffn)
    return new Int32(Number(result));
  if (result < minInt64 || result > maxInt64)
    throw new CommandError("Overflow", `the result of ${operation} overflows a long`);
  return Long.fromBigInt(result);
}

function decimalArithmetic(operation: Operation, left: BsonNumber, right: BsonNumber): Decimal128 {
  const x = exactParts(asDecimal(left));
  const y = exactParts(asDecimal(right));
  if (typeof x === "string" || typeof y === "string") {
    return Decimal128.fromString(String(onDoubles[operation](roughly(x), roughly(y))));
  }
  if (operation === "multiply") {
    return toDecimal({ mantissa: x.mantissa * y.mantissa, exponent: x.exponent + y.exponent });
  }
  const [a, b, exponent] = align(x, y);
  return toDecimal({ mantissa: onIntegers[operation](a, b), exponent });
}

const roughly = (parts: Parts): number =>
  typeof parts === "string" ? Number(parts) : Number(parts.mantissa) * 10 ** parts.exponent;

export function toNumber(value: BsonNumber): number {
  if (isDecimal(value)) return Number(value.toString());
  return isLong(value) ? value.toNumber() : value.value;
}

export function toInteger(value: BsonNumber): bigint {
  if (isLong(value)) return value.toBigInt();
  return BigInt(Math.trunc(toNumber(value)));
}

/** A double becomes a decimal of 15 significant digits, as in MongoDB; integers and decimals convert exactly. */
export function asDecimal(value: BsonNumber): Decimal128 {
  if (isDecimal(value)) return value;
  if (isLong(value)) return Decimal128.fromString(value.toString());
  if (isInt(value)) return Decimal128.fromString(String(value.value));
  if (!Number.isFinite(value.value)) return Decimal128.fromString(String(value.value));
  return Decimal128.fromString(value.value.toPrecision(15).toUpperCase());
}

/** The value as a safe JavaScript integer, or undefined when it is none. */
export function toSafeInteger(value: unknown): number | undefined {
  if (!isInt(value) && !isLong(value) && !isDouble(value) && !isDecimal(value)) return undefined;
  const number = toNumber(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Division as MongoDB's $divide: decimal when one side is decimal, else double. */
export function divide(left: BsonNumber, right: BsonNumber): BsonNumber {
  if (!isDecimal(left) && !isDecimal(right)) {
    if (toNumber(right) === 0) throw new CommandError("BadValue", "can't $divide by zero");
    return new Double(toNumber(left) / toNumber(right));
  }
  const x = exactParts(asDecimal(left));
  const y = exactParts(asDecimal(right));
  if (typeof x === "string" || typeof y === "string") return Decimal128.fromString(String(roughly(x) / roughly(y)));
  if (y.mantissa === 0n) throw new CommandError("BadValue", "can't $divide by zero");
  // 34 digits and a guard: enough digits that the second rounding is exact or a repeating expansion.
  const scale = Math.max(0, decimalDigits * 2 + 2 - digitsOf(x.mantissa) + digitsOf(y.mantissa));
  const scaled = x.mantissa * 10n ** BigInt(scale);
  const quotient = scaled / y.mantissa;
  const sticky = scaled % y.mantissa === 0n ? 0n : scaled < 0n !== y.mantissa < 0n ? -1n : 1n;
  const result = { mantissa: quotient * 10n + sticky, exponent: x.exponent - y.exponent - scale - 1 };
  return toDecimal(sticky === 0n ? trimZeros(result, x.exponent - y.exponent) : result);
}

const digitsOf = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** Exact quotients drop zeros down to the ideal exponent, as decimal arithmetic prescribes. */
function trimZeros(exact: Exact, ideal: number): Exact {
  let { mantissa, exponent } = exact;
  while (exponent < ideal && mantissa % 10n === 0n) {
    mantissa /= 10n;
    exponent += 1;
  }
  return { mantissa, exponent };
}

import { Decimal128, Double, Int32, Long } from "bson";
import { type BsonNumber, isDecimal, isNumber } from "../values/bson";
import { arithmetic, divide, toNumber } from "../values/numbers";
import { compare } from "../values/order";

/** Exact totals over lists of values; what is no number does not count. A long sum that overflows becomes a double. */
export function sumOf(values: unknown[]): BsonNumber {
  return values.reduce<BsonNumber>((total, value) => (isNumber(value) ? addUp(total, value) : total), new Int32(0));
}

export function addUp(total: BsonNumber, value: BsonNumber): BsonNumber {
  try {
    return arithmetic("add", total, value);
  } catch {
    return new Double(toNumber(total) + toNumber(value));
  }
}

export function averageOf(values: unknown[]): BsonNumber | null {
  const numbers = values.filter(isNumber);
  return numbers.length === 0 ? null : average(sumOf(numbers), numbers.length);
}

export function average(total: BsonNumber, count: number): BsonNumber {
  const by = Long.fromNumber(count);
  return divide(total, isDecimal(total) ? Decimal128.fromString(String(count)) : by);
}

const isSomething = (value: unknown): boolean => value !== undefined && value !== null;

export function lowest(values: unknown[]): unknown {
  const present = values.filter(isSomething);
  return present.length === 0 ? null : present.reduce((best, value) => (compare(value, best) < 0 ? value : best));
}

export function highest(values: unknown[]): unknown {
  const present = values.filter(isSomething);
  return present.length === 0 ? null : present.reduce((best, value) => (compare(value, best) > 0 ? value : best));
}

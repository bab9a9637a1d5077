import { Decimal128, Double, Int32, Long } from "bson";
import { type BsonNumber, isDecimal, isNumber } from "../values/bson";
import { arithmetic, divide, toNumber } from "../values/numbers";
import { compare } from "../values/order";
import { isNothing } from "./scope";

/** The exact sum of the numbers. A long sum that overflows becomes a double. */
export const sumOf = (values: unknown[]): BsonNumber => values.reduce<BsonNumber>(addUp, new Int32(0));

export function addUp(total: BsonNumber, value: unknown): BsonNumber {
  if (!isNumber(value)) return total;
  try {
    return arithmetic("add", total, value);
  } catch {
    return new Double(toNumber(total) + toNumber(value));
  }
}

export function averageOf(values: unknown[]): BsonNumber | null {
  const numbers = values.filter(isNumber);
  return average(sumOf(numbers), numbers.length);
}

export function average(total: BsonNumber, count: number): BsonNumber | null {
  if (count === 0) return null;
  return divide(total, isDecimal(total) ? Decimal128.fromString(String(count)) : Long.fromNumber(count));
}

/** The lowest (-1) or the highest (1) value, or null when there is none. */
export const extremeOf = (values: unknown[], direction: 1 | -1): unknown =>
  values.reduce((best, value) => furthest(best, value, direction), null);

export function furthest(best: unknown, value: unknown, direction: 1 | -1): unknown {
  if (isNothing(value)) return best;
  return isNothing(best) || compare(value, best) * direction > 0 ? value : best;
}

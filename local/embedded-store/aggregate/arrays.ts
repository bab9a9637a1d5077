import { Int32 } from "bson";
import { CommandError } from "../errors";
import { isArray, typeOf } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { equal } from "../values/order";
import type { Operator } from "./scope";

const isNothing = (value: unknown): boolean => value === undefined || value === null;

function requireArray(name: string, value: unknown): unknown[] {
  if (!isArray(value))
    throw new CommandError(17_124, `The argument to ${name} must be an array, but was ${typeOf(value)}`);
  return value;
}

function elementAt(name: string, array: unknown, index: number): unknown {
  return isNothing(array) ? null : requireArray(name, array).at(index);
}

function slice([array, first, second]: unknown[]): unknown {
  if (isNothing(array) || isNothing(first)) return null;
  const items = requireArray("$slice", array);
  const from = toSafeInteger(first) ?? 0;
  if (second === undefined) return from < 0 ? items.slice(from) : items.slice(0, from);
  const start = from < 0 ? Math.max(0, items.length + from) : from;
  return items.slice(start, start + (toSafeInteger(second) ?? 0));
}

function union(arrays: unknown[]): unknown {
  if (arrays.some(isNothing)) return null;
  const result: unknown[] = [];
  for (const item of arrays.flatMap((array) => requireArray("$setUnion", array))) {
    if (!result.some((known) => equal(known, item))) result.push(item);
  }
  return result;
}

export const arrayOperators: Record<string, Operator> = {
  $size: { least: 1, most: 1, apply: ([array]) => new Int32(requireArray("$size", array).length) },
  $isArray: { least: 1, most: 1, apply: ([value]) => isArray(value) },
  $arrayElemAt: {
    least: 2,
    most: 2,
    apply: ([array, index]) => elementAt("$arrayElemAt", array, toSafeInteger(index) ?? 0),
  },
  $first: { least: 1, most: 1, apply: ([array]) => elementAt("$first", array, 0) },
  $last: { least: 1, most: 1, apply: ([array]) => elementAt("$last", array, -1) },
  $in: {
    least: 2,
    most: 2,
    apply: ([value, array]) => requireArray("$in", array).some((item) => equal(item, value ?? null)),
  },
  $concatArrays: {
    least: 0,
    most: Number.POSITIVE_INFINITY,
    apply: (arrays) =>
      arrays.some(isNothing) ? null : arrays.flatMap((array) => requireArray("$concatArrays", array)),
  },
  $slice: { least: 2, most: 3, apply: slice },
  $setUnion: { least: 0, most: Number.POSITIVE_INFINITY, apply: union },
};

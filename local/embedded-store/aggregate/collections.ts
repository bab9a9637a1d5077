import { Int32 } from "bson";
import { demand } from "../errors";
import { type Doc, isArray, isDate, isDoc, isNumber, typeOf } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { compare, equal } from "../values/order";
import { anyNumber, exactly, isNothing, type Operator, type Operators } from "./scope";

/** Expressions compare across types, unlike queries. */
const comparison = (accept: (order: number) => unknown): Operator =>
  exactly(2, ([left, right]) => accept(compare(left, right)));

export const comparisonOperators: Operators = {
  $cmp: comparison((order) => new Int32(order)),
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
};

function stringIn(name: string, value: unknown): string {
  demand(typeof value === "string", 16_702, `${name} only supports strings, not ${typeOf(value)}`);
  return value;
}

/** Null and missing count as the empty string. */
function textIn(name: string, value: unknown): string {
  if (isNothing(value)) return "";
  if (isNumber(value)) return value.toString();
  return isDate(value) ? value.toISOString() : stringIn(name, value);
}

export const stringOperators: Operators = {
  $concat: anyNumber((args) =>
    args.some(isNothing) ? null : args.map((value) => stringIn("$concat", value)).join(""),
  ),
  $toLower: exactly(1, ([value]) => textIn("$toLower", value).toLowerCase()),
  $toUpper: exactly(1, ([value]) => textIn("$toUpper", value).toUpperCase()),
};

function arrayIn(name: string, value: unknown): unknown[] {
  demand(isArray(value), 17_124, `The argument to ${name} must be an array, but was ${typeOf(value)}`);
  return value;
}

const elementAt = (name: string, array: unknown, index: number): unknown =>
  isNothing(array) ? null : arrayIn(name, array).at(index);

export const arrayOperators: Operators = {
  $size: exactly(1, ([array]) => new Int32(arrayIn("$size", array).length)),
  $isArray: exactly(1, ([value]) => isArray(value)),
  $arrayElemAt: exactly(2, ([array, index]) => elementAt("$arrayElemAt", array, toSafeInteger(index) ?? 0)),
  $first: exactly(1, ([array]) => elementAt("$first", array, 0)),
  $last: exactly(1, ([array]) => elementAt("$last", array, -1)),
  $in: exactly(2, ([value, array]) => arrayIn("$in", array).some((item) => equal(item, value ?? null))),
  $concatArrays: anyNumber((arrays) =>
    arrays.some(isNothing) ? null : arrays.flatMap((array) => arrayIn("$concatArrays", array)),
  ),
};

export function mergeObjects(values: unknown[]): Doc {
  const result: Doc = {};
  for (const value of values) {
    if (isNothing(value)) continue;
    demand(isDoc(value), 40_400, "$mergeObjects requires object inputs");
    Object.assign(result, value);
  }
  return result;
}

export const objectOperators: Operators = {
  $mergeObjects: anyNumber((args) => mergeObjects(args.length === 1 && isArray(args[0]) ? args[0] : args)),
};

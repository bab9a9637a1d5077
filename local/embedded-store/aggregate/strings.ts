import { Int32 } from "bson";
import { CommandError } from "../errors";
import { isDate, isNumber, typeOf } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import type { Operator } from "./scope";

function requireString(name: string, value: unknown): string {
  if (typeof value !== "string") throw new CommandError(16_702, `${name} only supports strings, not ${typeOf(value)}`);
  return value;
}

/** Null and missing count as the empty string in these operators. */
function textOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isNumber(value)) return value.toString();
  return isDate(value) ? value.toISOString() : requireString(name, value);
}

function concat(args: unknown[]): unknown {
  if (args.some((value) => value === undefined || value === null)) return null;
  return args.map((value) => requireString("$concat", value)).join("");
}

function substr([text, start, length]: unknown[]): string {
  const points = [...textOf("$substrCP", text)];
  const from = toSafeInteger(start) ?? 0;
  const count = toSafeInteger(length) ?? 0;
  return points.slice(from, count < 0 ? undefined : from + count).join("");
}

function split([text, separator]: unknown[]): unknown {
  if (text === undefined || text === null) return null;
  return requireString("$split", text).split(requireString("$split", separator));
}

const unary = (apply: (value: unknown) => unknown): Operator => ({
  least: 1,
  most: 1,
  apply: ([value]) => apply(value),
});

export const stringOperators: Record<string, Operator> = {
  $concat: { least: 0, most: Number.POSITIVE_INFINITY, apply: concat },
  $toLower: unary((value) => textOf("$toLower", value).toLowerCase()),
  $toUpper: unary((value) => textOf("$toUpper", value).toUpperCase()),
  $strLenCP: unary((value) => new Int32([...requireString("$strLenCP", value)].length)),
  $substrCP: { least: 3, most: 3, apply: substr },
  $split: { least: 2, most: 2, apply: split },
};

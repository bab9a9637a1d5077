import { CommandError } from "../errors";
import { type Doc, isArray, isDoc } from "../values/bson";
import type { Operator } from "./scope";

export function mergeObjects(values: unknown[]): Doc {
  const result: Doc = {};
  for (const value of values) {
    if (value === undefined || value === null) continue;
    if (!isDoc(value)) throw new CommandError(40_400, "$mergeObjects requires object inputs");
    Object.assign(result, value);
  }
  return result;
}

function toArray([value]: unknown[]): unknown {
  if (value === undefined || value === null) return null;
  if (!isDoc(value)) throw new CommandError(40_390, "$objectToArray requires a document input");
  return Object.keys(value).map((k) => ({ k, v: value[k] }));
}

function toObject([array]: unknown[]): unknown {
  if (array === undefined || array === null) return null;
  if (!isArray(array)) throw new CommandError(40_386, "$arrayToObject requires an array input");
  return mergeObjects(
    array.map((item: unknown) => {
      const [k, v] = isArray(item) ? item : isDoc(item) ? [item["k"], item["v"]] : [];
      if (typeof k !== "string") throw new CommandError(40_395, "$arrayToObject requires pairs with a string key");
      return { [k]: v };
    }),
  );
}

export const objectOperators: Record<string, Operator> = {
  $mergeObjects: {
    least: 0,
    most: Number.POSITIVE_INFINITY,
    apply: (args) => mergeObjects(args.length === 1 && isArray(args[0]) ? args[0] : args),
  },
  $objectToArray: { least: 1, most: 1, apply: toArray },
  $arrayToObject: { least: 1, most: 1, apply: toObject },
};

import { CommandError } from "../errors";
import { arrayIndex, type Path } from "../query/paths";
import { type Doc, field, isArray, isDoc } from "../values/bson";
import { emptyArrayKey, keyOf } from "../values/keys";
import type { Index } from "./catalog";

const emptyArray = Symbol("empty array");

/** The entries of one document in one index, without repeats. Parallel arrays cannot be indexed. */
export function indexKeys(index: Index, doc: Doc): Buffer[] {
  if (index.includes !== undefined && !index.includes(doc)) return [];
  const combinations = combine(index, doc);
  if (index.isSparse && combinations.every((values) => values.every((value) => value === undefined))) return [];
  if (combinations.length === 1) return [joinKey(combinations[0] ?? [])];
  const unique = new Map(combinations.map((values) => joinKey(values)).map((key) => [key.toString("latin1"), key]));
  return [...unique.values()];
}

/** The values behind one entry, for the message about a duplicate key. */
export function valuesBehind(index: Index, doc: Doc, entry: Buffer): unknown[] {
  return combine(index, doc).find((values) => joinKey(values).equals(entry)) ?? [];
}

function joinKey(values: unknown[]): Buffer {
  const [only] = values;
  return values.length === 1 ? valueKey(only) : Buffer.concat(values.map(valueKey));
}

const valueKey = (value: unknown): Buffer => (value === emptyArray ? emptyArrayKey : keyOf(value));

function combine(index: Index, doc: Doc): unknown[][] {
  const paths = index.fields.map(({ path }) => path);
  return expand(doc, paths, []);
}

/** Replaces the first array on any path by each of its elements in turn, until no array is left to enter. */
function expand(doc: Doc, paths: Path[], entered: Path[]): unknown[][] {
  const values: unknown[] = [];
  for (const path of paths) {
    const walk = follow(doc, path, entered);
    if (walk.array === undefined) {
      values.push(walk.value);
      continue;
    }
    const { array, prefix } = walk;
    if (entered.some((other) => !isPrefix(other, prefix))) {
      throw new CommandError("CannotIndexParallelArrays", `cannot index parallel arrays [${prefix.join(".")}]`);
    }
    const elements: unknown[] = array.length === 0 ? [emptyArray] : array;
    return elements.flatMap((element) => expand(replaceAt(doc, prefix, element), paths, [...entered, prefix]));
  }
  return [values];
}

const isPrefix = (short: Path, long: Path): boolean => short.every((segment, at) => segment === long[at]);

type Walk = { array?: undefined; value: unknown } | { array: unknown[]; prefix: Path };

function follow(doc: Doc, path: Path, entered: Path[]): Walk {
  let value: unknown = doc;
  for (let at = 0; at < path.length; at += 1) {
    const segment = path[at] ?? "";
    if (isArray(value)) {
      const index = arrayIndex(segment);
      value = index === undefined ? undefined : value[index];
    } else {
      value = isDoc(value) ? field(value, segment) : value === emptyArray ? emptyArray : undefined;
    }
    if (!isArray(value)) continue;
    const prefix = path.slice(0, at + 1);
    const next = path[at + 1];
    const isIndexed = next !== undefined && arrayIndex(next) !== undefined;
    const wasEntered = entered.some((other) => other.length === prefix.length && isPrefix(other, prefix));
    if (!isIndexed && !wasEntered) return { array: value, prefix };
  }
  return { value };
}

function replaceAt(doc: Doc, path: Path, value: unknown): Doc {
  const [name = "", ...rest] = path;
  const child = field(doc, name);
  if (rest.length === 0) return { ...doc, [name]: value };
  return { ...doc, [name]: isDoc(child) ? replaceAt(child, rest, value) : child };
}

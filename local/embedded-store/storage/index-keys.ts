import { demand } from "../errors";
import { arrayIndex, type Path } from "../query/paths";
import { type Doc, field, isArray, isDoc } from "../values/bson";
import { emptyArrayKey, keyOf } from "../values/keys";
import type { Index, IndexField } from "./index-definition";

/** The entries of a document in each index that a change of some fields can touch; all fields unless they are named. */
export const keysOf = (indexes: Index[], doc: Doc, changed?: ReadonlySet<string>): (Buffer[] | undefined)[] =>
  indexes.map((index) => (isTouched(index, changed) ? indexKeys(index, doc) : undefined));

export function isTouched({ roots }: Index, changed: ReadonlySet<string> | undefined): boolean {
  if (changed === undefined) return true;
  for (const root of roots) if (changed.has(root)) return true;
  return false;
}

const emptyArray = Symbol("empty array");

/** The entries of one document in one index, without repeats. Parallel arrays cannot be indexed. */
export function indexKeys(index: Index, doc: Doc): Buffer[] {
  if (index.includes?.(doc) === false) return [];
  const combinations = combine(index.fields, doc);
  if (index.isSparse && combinations.flat().every((value) => value === undefined)) return [];
  const keys = combinations.map(joinKey);
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.toString("latin1"), key])).values()];
}

/** The values behind one entry, for the message about a duplicate key. */
export function valuesBehind(fields: IndexField[], doc: Doc, entry: Buffer): unknown[] {
  return combine(fields, doc).find((values) => joinKey(values).equals(entry)) ?? [];
}

function joinKey(values: unknown[]): Buffer {
  const [first = Buffer.alloc(0), ...more] = values.map((value) =>
    value === emptyArray ? emptyArrayKey : keyOf(value),
  );
  return more.length === 0 ? first : Buffer.concat([first, ...more]);
}

const combine = (fields: IndexField[], doc: Doc): unknown[][] =>
  expand(
    doc,
    fields.map(({ path }) => path),
    [],
  );

/** Replaces the first array on any path by each of its elements in turn, until no array is left to enter. */
function expand(doc: Doc, paths: Path[], entered: Path[]): unknown[][] {
  const values: unknown[] = [];
  for (const path of paths) {
    const { array, prefix, value } = follow(doc, path, entered);
    values.push(value);
    if (array === undefined) continue;
    const isNested = entered.every((other) => isPrefix(other, prefix));
    demand(isNested, "CannotIndexParallelArrays", `cannot index parallel arrays [${prefix.join(".")}]`);
    const elements: unknown[] = array.length === 0 ? [emptyArray] : array;
    return elements.flatMap((element) => expand(replaceAt(doc, prefix, element), paths, [...entered, prefix]));
  }
  return [values];
}

const isPrefix = (short: Path, long: Path): boolean => short.every((segment, at) => segment === long[at]);

interface Walk {
  value?: unknown;
  /** An array on the way that has not been entered, and where it is. */
  array?: unknown[];
  prefix: Path;
}

function follow(doc: Doc, path: Path, entered: Path[]): Walk {
  let value: unknown = doc;
  for (const [at, segment] of path.entries()) {
    if (isArray(value)) value = value[arrayIndex(segment) ?? -1];
    else if (value !== emptyArray) value = isDoc(value) ? field(value, segment) : undefined;
    if (!isArray(value)) continue;
    const prefix = path.slice(0, at + 1);
    const isIndexed = arrayIndex(path[at + 1] ?? "") !== undefined;
    const wasEntered = entered.some((other) => other.length === prefix.length && isPrefix(other, prefix));
    if (!isIndexed && !wasEntered) return { array: value, prefix };
  }
  return { value, prefix: path };
}

function replaceAt(doc: Doc, [name = "", ...rest]: Path, value: unknown): Doc {
  const child = field(doc, name);
  const replaced = rest.length === 0 ? value : isDoc(child) ? replaceAt(child, rest, value) : child;
  return { ...doc, [name]: replaced };
}

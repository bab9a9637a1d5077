import { demand, notSupported } from "../errors";
import { type Doc, isArray, isDoc } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { compare } from "../values/order";
import { checkPath, type Path, valuesAt } from "./paths";

export interface SortField {
  name: string;
  path: Path;
  direction: 1 | -1;
}

export function parseSort(spec: unknown): SortField[] {
  if (spec === undefined || spec === null) return [];
  demand(isDoc(spec), "TypeMismatch", "the sort must be a document");
  return Object.entries(spec).map(([name, order]) => {
    if (isDoc(order)) throw notSupported("a sort by $meta");
    const direction = toSafeInteger(order);
    const isDirection = direction === 1 || direction === -1;
    demand(isDirection, "BadValue", "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    return { name, path: checkPath(name), direction };
  });
}

/** The order of two arrays of one document is meaningless, so MongoDB refuses to sort by both. */
function refuseParallelArrays(doc: Doc, fields: SortField[]): void {
  const arrays = fields.map(({ path }) => arrayOn(doc, path)).filter((path) => path !== undefined);
  const isNested = arrays.every((one) => arrays.every((other) => one.startsWith(other) || other.startsWith(one)));
  demand(isNested, "BadValue", "cannot sort with keys that are parallel arrays");
}

/** Returns the position of the first array on a path; undefined when there is none. */
function arrayOn(doc: Doc, path: Path): string | undefined {
  for (let length = 1; length <= path.length; length += 1) {
    const prefix = path.slice(0, length);
    const [value] = valuesAt(doc, prefix);
    if (isArray(value)) return `${prefix.join(".")}.`;
  }
  return undefined;
}

/** An array sorts by its lowest element ascending and by its highest descending. */
function sortKey(doc: Doc, { path, direction }: SortField): unknown {
  const values = valuesAt(doc, path).flatMap((value) => {
    if (!isArray(value)) return [value ?? null];
    return value.length === 0 ? [undefined] : value;
  });
  if (values.length === 0) return null;
  return values.reduce((best, value) => (compare(value, best) * direction < 0 ? value : best));
}

interface Keyed<T> {
  keys: unknown[];
  item: T;
}

/**
 * Collects items and gives them back in order, equal ones as they came. With a limit only that many are kept, so a
 * sorted page of a large collection stays small in memory.
 */
export function makeSorter<T>(fields: SortField[], limit: number) {
  const kept: Keyed<T>[] = [];
  const slack = 1_000;
  const byKeys = (left: Keyed<T>, right: Keyed<T>): number => {
    for (const [at, { direction }] of fields.entries()) {
      const order = compare(left.keys[at], right.keys[at]);
      if (order !== 0) return order * direction;
    }
    return 0;
  };
  const order = () => {
    kept.sort(byKeys);
    if (kept.length > limit) kept.length = limit;
  };
  return {
    add(doc: Doc, item: T): void {
      if (fields.length > 1) refuseParallelArrays(doc, fields);
      kept.push({ keys: fields.map((field) => sortKey(doc, field)), item });
      if (kept.length > 2 * limit + slack) order();
    },
    sorted(): T[] {
      order();
      return kept.map(({ item }) => item);
    },
  };
}

import { CommandError, notSupported } from "../errors";
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
  if (!isDoc(spec)) throw new CommandError("TypeMismatch", "the sort must be a document");
  return Object.keys(spec).map((name) => {
    const direction = spec[name];
    if (isDoc(direction)) throw notSupported("a sort by $meta");
    const number = toSafeInteger(direction);
    if (number !== 1 && number !== -1) {
      throw new CommandError("BadValue", "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return { name, path: checkPath(name), direction: number };
  });
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
  let kept: Keyed<T>[] = [];
  const slack = 1_000;
  const byKeys = (left: Keyed<T>, right: Keyed<T>): number => {
    for (let at = 0; at < fields.length; at += 1) {
      const order = compare(left.keys[at], right.keys[at]);
      if (order !== 0) return order * (fields[at]?.direction ?? 1);
    }
    return 0;
  };
  const order = () => {
    kept.sort(byKeys);
    if (kept.length > limit) kept = kept.slice(0, limit);
  };
  return {
    add(doc: Doc, item: T): void {
      kept.push({ keys: fields.map((field) => sortKey(doc, field)), item });
      if (kept.length > 2 * limit + slack) order();
    },
    sorted(): T[] {
      order();
      return kept.map(({ item }) => item);
    },
  };
}

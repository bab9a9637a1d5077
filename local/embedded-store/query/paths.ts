import { CommandError } from "../errors";
import { type Doc, field, isArray, isDoc } from "../values/bson";

export type Path = readonly string[];

export function splitPath(path: string): Path {
  return path.split(".");
}

const digits = /^(0|[1-9]\d*)$/;

/** The array index that a path segment names, or undefined when it is a field name. */
export function arrayIndex(segment: string): number | undefined {
  return digits.test(segment) ? Number(segment) : undefined;
}

/**
 * All values that a path reaches, arrays being entered element by element, as MongoDB's queries do. The last value is not expanded.
 * `undefined` means a document in which the path ends early.
 */
export function valuesAt(root: Doc, path: Path): unknown[] {
  const found: unknown[] = [];
  collect(root, path, 0, found);
  return found;
}

function collect(value: unknown, path: Path, at: number, found: unknown[]): void {
  const segment = path[at];
  if (segment === undefined) {
    found.push(value);
  } else if (isArray(value)) {
    const index = arrayIndex(segment);
    if (index !== undefined && index < value.length) collect(value[index], path, at + 1, found);
    for (const item of value) if (isDoc(item)) collect(item, path, at, found);
  } else if (isDoc(value)) {
    collect(field(value, segment), path, at + 1, found);
  } else {
    found.push(undefined);
  }
}

/** The same with a last array also replaced by its elements, itself included: the values that comparisons test. */
export function candidatesAt(root: Doc, path: Path): unknown[] {
  const first = path[0];
  if (path.length === 1 && first !== undefined) {
    const value = field(root, first);
    return isArray(value) ? [...value, value] : [value];
  }
  const values = valuesAt(root, path);
  return values.some(isArray) ? values.flatMap((item) => (isArray(item) ? [...item, item] : [item])) : values;
}

/** The value at a path without entering arrays by field name: the form that updates and expressions of `let` use. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const segment of path) {
    if (isArray(value)) {
      const index = arrayIndex(segment);
      value = index === undefined ? undefined : value[index];
    } else {
      value = isDoc(value) ? field(value, segment) : undefined;
    }
  }
  return value;
}

export function checkPath(path: string): Path {
  const segments = splitPath(path);
  if (segments.includes(""))
    throw new CommandError("EmptyFieldName", `the path '${path}' contains an empty field name`);
  return segments;
}

import { CommandError } from "../errors";
import { arrayIndex, type Path } from "../query/paths";
import { type Doc, field, isArray, isContainer, isDoc, setField, typeOf } from "../values/bson";

/** An index this far behind the end of an array is a mistake; MongoDB has the same limit. */
const mostPadding = 1_500_000;

type Container = Doc | unknown[];

function child(container: Container, segment: string): unknown {
  if (!isArray(container)) return field(container, segment);
  const index = arrayIndex(segment);
  return index === undefined ? undefined : container[index];
}

function put(container: Container, segment: string, value: unknown, path: Path): void {
  if (!isArray(container)) {
    setField(container, segment, value);
    return;
  }
  const index = arrayIndex(segment);
  if (index === undefined) {
    throw new CommandError(
      "PathNotViable",
      `Cannot create field '${segment}' in an array element of path '${path.join(".")}'`,
    );
  }
  if (index > container.length + mostPadding) {
    throw new CommandError("BadValue", `can't backfill more than ${mostPadding} elements`);
  }
  while (container.length < index) container.push(null);
  container[index] = value;
}

/** Sets the value at a path and makes missing documents on the way. A scalar in the way is an error. */
export function setAt(root: Doc, path: Path, value: unknown): void {
  let container: Container = root;
  for (let at = 0; at < path.length - 1; at += 1) {
    const segment = path[at] ?? "";
    const next = child(container, segment);
    if (next === undefined) {
      const made: Doc = {};
      put(container, segment, made, path);
      container = made;
    } else if (isContainer(next)) {
      container = next;
    } else {
      const name = path[at + 1] ?? "";
      throw new CommandError("PathNotViable", `Cannot create field '${name}' in element {${segment}: ${typeOf(next)}}`);
    }
  }
  put(container, path.at(-1) ?? "", value, path);
}

/** Removes a field; an array element becomes null, so that its neighbours keep their places. */
export function unsetAt(root: Doc, path: Path): void {
  let container: unknown = root;
  for (const segment of path.slice(0, -1)) container = isContainer(container) ? child(container, segment) : undefined;
  const last = path.at(-1) ?? "";
  if (isDoc(container)) {
    delete container[last];
  } else if (isArray(container)) {
    const index = arrayIndex(last);
    if (index !== undefined && index < container.length) container[index] = null;
  }
}

/** Paths in the order in which MongoDB adds new fields: by name, numeric names by number. */
export function comparePaths(left: Path, right: Path): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at += 1) {
    const [a, b] = [left[at] ?? "", right[at] ?? ""];
    if (a === b) continue;
    const [x, y] = [arrayIndex(a), arrayIndex(b)];
    if (x !== undefined && y !== undefined) return x - y;
    return a < b ? -1 : 1;
  }
  return left.length - right.length;
}

/** Two changes of one update must not touch the same place, nor one a part of the other's. */
export function refuseConflicts(paths: readonly Path[]): void {
  const sorted = [...paths].sort(comparePaths);
  for (let at = 1; at < sorted.length; at += 1) {
    const [above, below] = [sorted[at - 1] ?? [], sorted[at] ?? []];
    if (above.every((segment, depth) => segment === below[depth])) {
      const [name, other] = [below.join("."), above.join(".")];
      throw new CommandError(
        "ConflictingUpdateOperators",
        `Updating the path '${name}' would create a conflict at '${other}'`,
      );
    }
  }
}

import { demand } from "../errors";
import { arrayIndex, type Path } from "../query/paths";
import { type Doc, field, isArray, isContainer, isDoc, setField, typeOf } from "../values/bson";

/** An index this far behind the end of an array is a mistake; MongoDB has the same limit. */
const mostPadding = 1_500_000;

type Container = Doc | unknown[];

function child(container: Container, segment: string): unknown {
  return isArray(container) ? container[arrayIndex(segment) ?? -1] : field(container, segment);
}

function put(container: Container, segment: string, value: unknown): void {
  if (!isArray(container)) {
    setField(container, segment, value);
    return;
  }
  const index = arrayIndex(segment);
  demand(index !== undefined, "PathNotViable", `Cannot create field '${segment}' in an array element`);
  demand(index <= container.length + mostPadding, "BadValue", `can't backfill more than ${mostPadding} elements`);
  while (container.length < index) container.push(null);
  container[index] = value;
}

/** Sets the value at a path and makes missing documents on the way. A scalar in the way is an error. */
export function setAt(root: Doc, path: Path, value: unknown): void {
  let container: Container = root;
  for (const segment of path.slice(0, -1)) {
    const present = child(container, segment);
    const next = present === undefined ? {} : present;
    if (present === undefined) put(container, segment, next);
    demand(isContainer(next), "PathNotViable", `Cannot create field in element {${segment}: ${typeOf(next)}}`);
    container = next;
  }
  put(container, path.at(-1) ?? "", value);
}

/** Removes a field; an array element becomes null, so that its neighbours keep their places. */
export function unsetAt(root: Doc, path: Path): void {
  let container: unknown = root;
  for (const segment of path.slice(0, -1)) container = isContainer(container) ? child(container, segment) : undefined;
  const last = path.at(-1) ?? "";
  const index = arrayIndex(last);
  if (isDoc(container)) delete container[last];
  else if (isArray(container) && index !== undefined && index < container.length) container[index] = null;
}

/** Paths in the order in which MongoDB adds new fields: by name, numeric names by number. */
export function comparePaths(left: Path, right: Path): number {
  for (const [at, a] of left.entries()) {
    const b = right[at];
    if (b === undefined) return 1;
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
  sorted.forEach((path, at) => {
    const above = sorted[at - 1];
    const isInside = above?.every((segment, depth) => segment === path[depth]) === true;
    const message = `Updating the path '${path.join(".")}' would create a conflict at '${above?.join(".")}'`;
    demand(!isInside, "ConflictingUpdateOperators", message);
  });
}

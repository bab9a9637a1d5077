import { CommandError } from "../errors";
import { compileMatch, type MatchContext, type Predicate } from "../query/match";
import type { Path } from "../query/paths";
import { valueAt } from "../query/paths";
import { firstMatchingElement } from "../query/positional";
import { type Doc, isArray, isDoc } from "../values/bson";

/** Tests of array elements by identifier, from the `arrayFilters` of an update. */
export type ArrayFilters = Map<string, Predicate>;

export function compileArrayFilters(filters: unknown, context: MatchContext): ArrayFilters {
  const compiled: ArrayFilters = new Map();
  if (filters === undefined) return compiled;
  if (!isArray(filters)) throw new CommandError("TypeMismatch", "arrayFilters must be an array");
  for (const filter of filters) {
    if (!isDoc(filter)) throw new CommandError("TypeMismatch", "each array filter must be a document");
    const name = identifierOf(filter);
    if (name === undefined)
      throw new CommandError(
        "FailedToParse",
        "Cannot use an expression without a top-level field name in arrayFilters",
      );
    if (compiled.has(name)) {
      throw new CommandError(
        "FailedToParse",
        `Found multiple array filters with the same top-level field name ${name}`,
      );
    }
    compiled.set(name, compileMatch(filter, context));
  }
  return compiled;
}

function identifierOf(filter: Doc): string | undefined {
  for (const name of Object.keys(filter)) {
    if (!name.startsWith("$")) return name.split(".")[0];
    const clauses = filter[name];
    const inner = isArray(clauses)
      ? clauses
          .filter(isDoc)
          .map(identifierOf)
          .find((found) => found !== undefined)
      : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Refuses identifiers without a filter and filters that no path uses. */
export function checkIdentifiers(paths: readonly Path[], filters: ArrayFilters): void {
  const used = new Set<string>();
  for (const path of paths) {
    for (const segment of path) {
      const name = identifier(segment);
      if (name === undefined || name === "") continue;
      if (!filters.has(name)) {
        throw new CommandError(
          "BadValue",
          `No array filter found for identifier '${name}' in path '${path.join(".")}'`,
        );
      }
      used.add(name);
    }
  }
  const unused = [...filters.keys()].find((name) => !used.has(name));
  if (unused !== undefined) {
    throw new CommandError("FailedToParse", `The array filter for identifier '${unused}' was not used in the update`);
  }
}

/** "" for `$[]`, the name for `$[name]`. */
function identifier(segment: string): string | undefined {
  return segment.startsWith("$[") && segment.endsWith("]") ? segment.slice(2, -1) : undefined;
}

export interface PositionContext {
  filter: Doc;
  filters: ArrayFilters;
  match: MatchContext;
}

/** Replaces `$`, `$[]` and `$[name]` by the indexes they stand for in this document. */
export function concretePaths(doc: Doc, path: Path, context: PositionContext): Path[] {
  const at = path.findIndex((segment) => segment === "$" || identifier(segment) !== undefined);
  if (at < 0) return [path];
  const before = path.slice(0, at);
  const indexes =
    path[at] === "$" ? [matchedIndex(doc, before, context)] : filteredIndexes(doc, path, at, context.filters);
  return indexes.flatMap((index) => concretePaths(doc, [...before, String(index), ...path.slice(at + 1)], context));
}

function matchedIndex(doc: Doc, arrayPath: Path, context: PositionContext): number {
  const index = firstMatchingElement(context.filter, arrayPath.join("."), context.match)(doc);
  if (index === undefined) {
    throw new CommandError("BadValue", "The positional operator did not find the match needed from the query.");
  }
  return index;
}

function filteredIndexes(doc: Doc, path: Path, at: number, filters: ArrayFilters): number[] {
  const array = valueAt(doc, path.slice(0, at));
  const arrayName = path.slice(0, at).join(".");
  if (array === undefined) {
    throw new CommandError(
      "BadValue",
      `The path '${arrayName}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!isArray(array))
    throw new CommandError("BadValue", `Cannot apply array updates to non-array element ${arrayName}`);
  const name = identifier(path[at] ?? "") ?? "";
  const test = filters.get(name);
  return array.flatMap((item: unknown, index) => (test === undefined || test({ [name]: item }) ? [index] : []));
}

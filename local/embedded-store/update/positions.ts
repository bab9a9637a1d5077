import { demand } from "../errors";
import { compileMatch, type MatchContext, type Predicate } from "../query/match";
import { type Path, valueAt } from "../query/paths";
import { firstMatchingElement } from "../query/positional";
import { type Doc, isArray, isDoc } from "../values/bson";

/** Tests of array elements by identifier, from the `arrayFilters` of an update. */
export type ArrayFilters = Map<string, Predicate>;

export function compileArrayFilters(filters: unknown, context: MatchContext): ArrayFilters {
  const compiled: ArrayFilters = new Map();
  if (filters === undefined) return compiled;
  demand(isArray(filters) && filters.every(isDoc), "TypeMismatch", "arrayFilters must be an array of documents");
  for (const filter of filters) {
    const name = identifierOf(filter);
    demand(
      name !== undefined,
      "FailedToParse",
      "Cannot use an expression without a top-level field name in arrayFilters",
    );
    const isNew = !compiled.has(name);
    demand(isNew, "FailedToParse", `Found multiple array filters with the same top-level field name ${name}`);
    compiled.set(name, compileMatch(filter, context));
  }
  return compiled;
}

function identifierOf(filter: Doc): string | undefined {
  const [first] = Object.entries(filter).flatMap(([name, operand]) => {
    if (!name.startsWith("$")) return [name.split(".")[0]];
    return isArray(operand) ? operand.filter(isDoc).map(identifierOf) : [];
  });
  return first;
}

/** Refuses identifiers without a filter and filters that no path uses. */
export function checkIdentifiers(paths: readonly Path[], filters: ArrayFilters): void {
  const unused = new Set(filters.keys());
  for (const path of paths) {
    for (const name of path.map(identifier)) {
      const isKnown = name === undefined || name === "" || filters.has(name);
      demand(isKnown, "BadValue", `No array filter found for identifier '${name}' in path '${path.join(".")}'`);
      if (name !== undefined) unused.delete(name);
    }
  }
  const [name] = unused;
  demand(name === undefined, "FailedToParse", `The array filter for identifier '${name}' was not used in the update`);
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

/** Replaces `$`, `$[]` and `$[name]` by their indexes in this document. */
export function concretePaths(doc: Doc, path: Path, context: PositionContext): Path[] {
  const at = path.findIndex((segment) => segment === "$" || identifier(segment) !== undefined);
  if (at < 0) return [path];
  const before = path.slice(0, at);
  const name = identifier(path[at] ?? "");
  const indexes =
    name === undefined ? [matchedIndex(doc, before, context)] : filteredIndexes(doc, before, name, context);
  return indexes.flatMap((index) => concretePaths(doc, [...before, String(index), ...path.slice(at + 1)], context));
}

function matchedIndex(doc: Doc, path: Path, { filter, match }: PositionContext): number {
  const index = firstMatchingElement(filter, path.join("."), match)(doc);
  demand(index !== undefined, "BadValue", "The positional operator did not find the match needed from the query.");
  return index;
}

function filteredIndexes(doc: Doc, path: Path, name: string, { filters }: PositionContext): number[] {
  const array = valueAt(doc, path);
  const shown = path.join(".");
  demand(array !== undefined, "BadValue", `The path '${shown}' must exist in the document to apply array updates.`);
  demand(isArray(array), "BadValue", `Cannot apply array updates to non-array element ${shown}`);
  const test = filters.get(name);
  return array.flatMap((item: unknown, index) => (test === undefined || test({ [name]: item }) ? [index] : []));
}

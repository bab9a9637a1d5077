import { Int32 } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { demand, notSupported } from "../errors";
import { compileMatch, isOperatorDoc, type Predicate } from "../query/match";
import { checkPath, type Path } from "../query/paths";
import { type Doc, isArray, isDoc, isRegex } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { equal } from "../values/order";

export interface IndexField {
  name: string;
  path: Path;
  direction: 1 | -1;
}

export interface Index {
  id: number;
  name: string;
  spec: Doc;
  fields: IndexField[];
  /** The fields of a document that its entries depend on. */
  roots: ReadonlySet<string>;
  isUnique: boolean;
  isSparse: boolean;
  partialFilter: Doc | undefined;
  includes: Predicate | undefined;
  expireAfterSeconds: number | undefined;
  /** Some document has several entries; then ranges have one side only and the index gives no order. */
  isMultikey: boolean;
}

const knownOptions = `v key name unique sparse background expireAfterSeconds partialFilterExpression hidden ns
  collation`.split(/\s+/);

/** Reads an index specification and refuses every kind that is not ascending or descending. */
export function parseIndex(spec: Doc, id: number): Index {
  const unknown = Object.keys(spec).find((name) => !knownOptions.includes(name));
  if (unknown !== undefined) throw notSupported(`the index option ${unknown}`);
  if (spec["hidden"] === true) throw notSupported("a hidden index");
  refuseCollation(spec["collation"]);
  const { key, name, partialFilterExpression: partial } = spec;
  if (isDoc(partial)) refusePartialFilter(partial);
  demand(isDoc(key) && Object.keys(key).length > 0, "CannotCreateIndex", "Index keys cannot be empty.");
  const fields = Object.entries(key).map(([path, kind]) => parseIndexField(path, kind));
  const expireAfterSeconds = toSafeInteger(spec["expireAfterSeconds"]);
  const isFit = expireAfterSeconds === undefined || fields.length === 1;
  demand(isFit, "CannotCreateIndex", "TTL indexes are single-field indexes");
  return {
    id,
    name:
      typeof name === "string"
        ? name
        : Object.entries(key)
            .map(([path, kind]) => `${path}_${String(kind)}`)
            .join("_"),
    spec,
    fields,
    roots: new Set([...fields.map(({ path: [root = ""] }) => root), ...(isDoc(partial) ? rootsOfFilter(partial) : [])]),
    isUnique: spec["unique"] === true,
    isSparse: spec["sparse"] === true,
    partialFilter: isDoc(partial) ? partial : undefined,
    includes: isDoc(partial) ? compileMatch(partial, expressionContext({})) : undefined,
    expireAfterSeconds,
    isMultikey: false,
  };
}

/** Fields that a partial index's filter looks at; of operators that hold other filters it has two. */
const rootsOfFilter = (filter: Doc): string[] =>
  Object.entries(filter).flatMap(([name, operand]) => {
    if (!name.startsWith("$")) return name.split(".").slice(0, 1);
    return isArray(operand) ? operand.filter(isDoc).flatMap(rootsOfFilter) : [];
  });

const partialOperators = new Set("$eq $gt $gte $lt $lte $in $exists $type $and $or".split(" "));

/** Refuses a partial filter that uses more than the few supported operators. */
function refusePartialFilter(partial: Doc): void {
  for (const [name, operand] of Object.entries(partial)) {
    const isJunction = name === "$and" || name === "$or";
    const operators = isOperatorDoc(operand) ? Object.keys(operand) : [];
    const unknown = [...(name.startsWith("$") ? [name] : []), ...operators].find((one) => !partialOperators.has(one));
    const isAbsence = isDoc(operand) && operand["$exists"] === false;
    const isFit = unknown === undefined && !isAbsence && !isRegex(operand);
    const what = isAbsence ? "$exists: false" : (unknown ?? "a regular expression");
    demand(isFit, "CannotCreateIndex", `Expression not supported in partial index: ${what}`);
    if (isJunction && isArray(operand)) for (const clause of operand.filter(isDoc)) refusePartialFilter(clause);
  }
}

function parseIndexField(name: string, kind: unknown): IndexField {
  if (typeof kind === "string") throw notSupported(`a ${kind} index`);
  if (name.includes("$")) throw notSupported(`an index on ${name}`);
  const direction = toSafeInteger(kind) ?? 0;
  demand(direction !== 0, "CannotCreateIndex", "Values in the index key pattern must be numbers other than 0");
  return { name, path: checkPath(name), direction: direction > 0 ? 1 : -1 };
}

/** Strings compare byte by byte here; any other collation is refused. */
export function refuseCollation(collation: unknown): void {
  if (collation === undefined || collation === null) return;
  if (isDoc(collation) && (collation["locale"] === "simple" || Object.keys(collation).length === 0)) return;
  throw notSupported("a collation");
}

/** Returns the description of an index for listIndexes. */
export function describeIndex({ spec, name }: Index): Doc {
  const { v: _v, ns: _ns, background: _background, ...rest } = spec;
  return { v: new Int32(2), ...rest, name };
}

export const idIndexSpec: Doc = { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" };

/** True when two specifications describe the same index, whatever its name. */
export const sameIndex = (left: Index, right: Index): boolean => equal(bare(left), bare(right));

const bare = ({ fields, isUnique, isSparse, partialFilter, expireAfterSeconds }: Index): Doc => ({
  key: fields.map(({ name, direction }) => [name, new Int32(direction)]),
  isUnique,
  isSparse,
  partialFilter: partialFilter ?? null,
  expireAfterSeconds: expireAfterSeconds === undefined ? null : new Int32(expireAfterSeconds),
});

import { CommandError } from "../errors";
import type { Collection, Index } from "../storage/catalog";
import { type Doc, isArray, isDoc, isNumber, isRegex, typeOf } from "../values/bson";
import { keyAfter, keyOf, rankKey } from "../values/keys";
import { isNaNValue } from "../values/numbers";
import { equal } from "../values/order";
import { isOperatorDoc } from "./match";
import type { SortField } from "./sort";

/** Keys from `lower` up to, not including, `upper`. */
export interface Range {
  lower: Buffer;
  upper: Buffer;
}

/** One way to the documents: ranges of an index, or of the documents themselves when `index` is undefined. */
export interface Access {
  index: Index | undefined;
  ranges: Range[];
  isReverse: boolean;
  /** False when everything is read, because no condition narrows it. */
  isBounded: boolean;
  /** The documents come in the order asked for. */
  isOrdered: boolean;
  /** How well the filter and the sort are served; only the order of scores counts. */
  score: number;
}

/** Several accesses are the branches of an `$or`. */
export type Plan = Access[];

/** A list with more members than this is not worth its own ranges. */
const mostRanges = 1_000;
export const everything: Range = { lower: Buffer.alloc(1), upper: Buffer.alloc(1, 0xff) };

/** What a filter says about one field, as ranges of keys. Points are ranges of a single value. */
interface Bounds {
  points: Buffer[] | undefined;
  /** All range conditions joined: what a single value has to meet. */
  range: Range | undefined;
  /** One range condition alone: of an array, one element meets it and another element may meet the next condition. */
  oneRange: Range | undefined;
  /** Some value is required: neither null nor missing would do. */
  isPresent: boolean;
}

type Conditions = Map<string, Bounds>;

export function choosePlan(collection: Collection, filter: Doc, sort: SortField[], hint: unknown): Plan {
  const conditions = conditionsOf(filter);
  const hinted = hintedIndex(collection, hint);
  if (hinted !== undefined) return [accessThrough(hinted.index, conditions, sort)];
  const accesses = [idAccess(conditions, sort)];
  for (const index of collection.indexes) {
    if (isUsable(index, filter, conditions)) accesses.push(accessThrough(index, conditions, sort));
  }
  const best = accesses.reduce((chosen, access) => (access.score > chosen.score ? access : chosen));
  if (best.isBounded) return [best];
  return branches(collection, filter) ?? [best];
}

function hintedIndex(collection: Collection, hint: unknown): { index: Index | undefined } | undefined {
  if (hint === undefined || hint === null || (isDoc(hint) && Object.keys(hint).length === 0)) return undefined;
  if (isDoc(hint) && "$natural" in hint) return { index: undefined };
  if (hint === "_id_" || (isDoc(hint) && Object.keys(hint).join() === "_id")) return { index: undefined };
  const index = collection.indexes.find(({ name, spec }) => name === hint || (isDoc(hint) && equal(spec["key"], hint)));
  if (index === undefined) throw new CommandError("BadValue", "hint provided does not correspond to an existing index");
  return { index };
}

const idIndexFields = [{ name: "_id", direction: 1 as const }];

function idAccess(conditions: Conditions, sort: SortField[]): Access {
  return build(undefined, idIndexFields, false, conditions, sort);
}

function accessThrough(index: Index | undefined, conditions: Conditions, sort: SortField[]): Access {
  return index === undefined
    ? idAccess(conditions, sort)
    : build(index, index.fields, index.isMultikey, conditions, sort);
}

type Fields = readonly { name: string; direction: 1 | -1 }[];

function build(
  index: Index | undefined,
  fields: Fields,
  isMultikey: boolean,
  conditions: Conditions,
  sort: SortField[],
): Access {
  let prefixes: Buffer[] = [Buffer.alloc(0)];
  let last: Range | undefined;
  let fixed = 0;
  const tops = new Set<string>();
  for (const { name } of fields) {
    const bounds = conditions.get(name);
    const top = name.split(".")[0] ?? name;
    // Conditions on two fields of the same array may be met by different elements, but an entry holds one element.
    if (bounds === undefined || (isMultikey && tops.has(top))) break;
    tops.add(top);
    const { points } = bounds;
    if (points === undefined || prefixes.length * points.length > mostRanges) {
      last = isMultikey ? bounds.oneRange : bounds.range;
      break;
    }
    prefixes = prefixes.flatMap((prefix) => points.map((point) => Buffer.concat([prefix, point])));
    fixed += 1;
  }
  const ranges = prefixes.map((prefix) => extend(prefix, last)).sort((left, right) => left.lower.compare(right.lower));
  const direction = ranges.length === 1 && !isMultikey ? orderOf(fields, fixed, sort) : undefined;
  const isPartial = index?.partialFilter !== undefined || index?.isSparse === true;
  const isBounded = fixed > 0 || last !== undefined || isPartial;
  const isOrdered = direction !== undefined || sort.length === 0;
  const isUnique = (index === undefined || index.isUnique) && fixed === fields.length;
  const score =
    (isBounded ? 1_000 : 0) + (isUnique ? 500 : 0) + fixed * 100 + (last === undefined ? 0 : 40) + (isOrdered ? 30 : 0);
  return { index, ranges, isBounded, isReverse: direction === -1, isOrdered, score };
}

function extend(prefix: Buffer, last: Range | undefined): Range {
  if (last !== undefined)
    return { lower: Buffer.concat([prefix, last.lower]), upper: Buffer.concat([prefix, last.upper]) };
  return prefix.length === 0 ? everything : { lower: prefix, upper: keyAfter(prefix) };
}

/** 1 or -1 when reading the index that way gives the order; fields that are fixed to one value do not matter. */
function orderOf(fields: Fields, fixed: number, sort: SortField[]): 1 | -1 | undefined {
  const isFixed = (name: string) => fields.slice(0, fixed).some((field) => field.name === name);
  const wanted = sort.filter(({ name }) => !isFixed(name));
  const [first] = wanted;
  if (first === undefined) return 1;
  const rest = fields.slice(fixed);
  const matches = wanted.every(({ name, direction }, at) => rest[at]?.name === name && direction === first.direction);
  return matches ? first.direction : undefined;
}

/** An `$or` is answered branch by branch when every branch has bounds. */
function branches(collection: Collection, filter: Doc): Plan | undefined {
  const clauses = filter["$or"];
  if (!isArray(clauses) || !clauses.every(isDoc)) return undefined;
  const plans = clauses.map((clause) => choosePlan(collection, { $and: [rest(filter), clause] }, [], undefined));
  const accesses = plans.flat();
  return accesses.every(({ isBounded }) => isBounded)
    ? accesses.map((access) => ({ ...access, isOrdered: false }))
    : undefined;
}

function rest(filter: Doc): Doc {
  const { $or: _or, ...others } = filter;
  return others;
}

/** Sparse and partial indexes serve only filters that cannot match what they leave out. */
function isUsable(index: Index, filter: Doc, conditions: Conditions): boolean {
  if (index.isSparse && !index.fields.every(({ name }) => conditions.get(name)?.isPresent === true)) return false;
  return index.partialFilter === undefined || implies(filter, index.partialFilter, conditions);
}

/** True only when it is certain that whatever matches `filter` matches `partial`. */
function implies(filter: Doc, partial: Doc, conditions: Conditions): boolean {
  return Object.keys(partial).every((name) => {
    const wanted = partial[name];
    if (name === "$and")
      return isArray(wanted) && wanted.every((clause) => isDoc(clause) && implies(filter, clause, conditions));
    if (clausesOn(filter, name).some((clause) => equal(clause, wanted))) return true;
    if (isDoc(wanted) && Object.keys(wanted).join() === "$exists" && wanted["$exists"] === true) {
      return conditions.get(name)?.isPresent === true;
    }
    const bounds = conditions.get(name);
    const limits = boundsOf(wanted);
    return bounds !== undefined && limits !== undefined && isWithin(bounds, limits);
  });
}

function clausesOn(filter: Doc, name: string): unknown[] {
  const nested = filter["$and"];
  const deeper = isArray(nested) ? nested.filter(isDoc).flatMap((clause) => clausesOn(clause, name)) : [];
  return name in filter ? [filter[name], ...deeper] : deeper;
}

function isWithin(inner: Bounds, outer: Bounds): boolean {
  const { points, range } = outer;
  if (inner.points !== undefined) {
    return inner.points.every((point) =>
      points === undefined ? range === undefined || holds(range, point) : points.some((other) => other.equals(point)),
    );
  }
  if (points !== undefined || inner.oneRange === undefined || range === undefined) return false;
  return inner.oneRange.lower.compare(range.lower) >= 0 && inner.oneRange.upper.compare(range.upper) <= 0;
}

const holds = ({ lower, upper }: Range, key: Buffer): boolean => key.compare(lower) >= 0 && key.compare(upper) < 0;

function conditionsOf(filter: Doc): Conditions {
  const conditions: Conditions = new Map();
  for (const name of Object.keys(filter)) {
    const operand = filter[name];
    if (name === "$and" && isArray(operand)) {
      for (const clause of operand.filter(isDoc)) {
        for (const [path, bounds] of conditionsOf(clause)) addBounds(conditions, path, bounds);
      }
    } else if (!name.startsWith("$")) {
      addBounds(conditions, name, boundsOf(operand));
    }
  }
  return conditions;
}

function addBounds(conditions: Conditions, name: string, bounds: Bounds | undefined): void {
  if (bounds === undefined) return;
  const known = conditions.get(name);
  if (known === undefined) {
    conditions.set(name, bounds);
    return;
  }
  conditions.set(name, {
    points: known.points ?? bounds.points,
    range: intersect(known.range, bounds.range),
    oneRange: known.oneRange ?? bounds.oneRange,
    isPresent: known.isPresent || bounds.isPresent,
  });
}

function intersect(left: Range | undefined, right: Range | undefined): Range | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    lower: left.lower.compare(right.lower) >= 0 ? left.lower : right.lower,
    upper: left.upper.compare(right.upper) <= 0 ? left.upper : right.upper,
  };
}

function boundsOf(operand: unknown): Bounds | undefined {
  if (isRegex(operand)) return undefined;
  if (!isOperatorDoc(operand)) return equality(operand);
  const conditions: Conditions = new Map();
  for (const operator of Object.keys(operand)) addBounds(conditions, "", operatorBounds(operator, operand[operator]));
  return conditions.get("");
}

function operatorBounds(operator: string, operand: unknown): Bounds | undefined {
  switch (operator) {
    case "$eq":
      return equality(operand);
    case "$in":
      return membership(operand);
    case "$exists":
      return operand === true || (isNumber(operand) && !isFalse(operand)) ? { ...nothing, isPresent: true } : undefined;
    case "$gt":
    case "$gte":
    case "$lt":
    case "$lte":
      return rangeBounds(operator, operand);
    default:
      return undefined;
  }
}

const isFalse = (value: unknown): boolean => isNumber(value) && Number(value.toString()) === 0;

const nothing: Bounds = { points: undefined, range: undefined, oneRange: undefined, isPresent: false };

function equality(operand: unknown): Bounds | undefined {
  if (isArray(operand)) return undefined;
  return { ...nothing, points: [keyOf(operand)], isPresent: operand !== null };
}

function membership(operand: unknown): Bounds | undefined {
  if (!isArray(operand) || operand.length === 0 || operand.some((item) => isArray(item) || isRegex(item)))
    return undefined;
  const unique = new Map(operand.map((item) => keyOf(item)).map((key) => [key.toString("latin1"), key]));
  return { ...nothing, points: [...unique.values()], isPresent: !operand.includes(null) };
}

const rangeTypes = new Set([
  "int",
  "long",
  "double",
  "decimal",
  "string",
  "date",
  "objectId",
  "bool",
  "timestamp",
  "binData",
]);

function rangeBounds(operator: "$gt" | "$gte" | "$lt" | "$lte", operand: unknown): Bounds | undefined {
  if (!rangeTypes.has(typeOf(operand)) || (isNumber(operand) && isNaNValue(operand))) return undefined;
  const key = keyOf(operand);
  const rank = rankKey(operand);
  const range = {
    lower: operator === "$gt" ? keyAfter(key) : operator === "$gte" ? key : rank,
    upper: operator === "$lt" ? key : operator === "$lte" ? keyAfter(key) : keyAfter(rank),
  };
  return { ...nothing, range, oneRange: range, isPresent: true };
}

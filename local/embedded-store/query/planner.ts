import { demand } from "../errors";
import type { Collection } from "../storage/catalog";
import type { Index } from "../storage/index-definition";
import { type Doc, isArray, isDoc } from "../values/bson";
import { keyAfter } from "../values/keys";
import { equal } from "../values/order";
import { boundsOf, type Conditions, conditionsOf, isWithin, type Range } from "./bounds";
import type { SortField } from "./sort";

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

export function choosePlan(collection: Collection, filter: Doc, sort: SortField[], hint: unknown): Plan {
  const conditions = conditionsOf(filter);
  const hinted = hintedIndex(collection, hint);
  if (hinted !== undefined) return [accessThrough(hinted.index, conditions, sort)];
  const usable = collection.indexes.filter((index) => isUsable(index, filter, conditions));
  const best = [undefined, ...usable]
    .map((index) => accessThrough(index, conditions, sort))
    .reduce((chosen, access) => (access.score > chosen.score ? access : chosen));
  return best.isBounded ? [best] : (branches(collection, filter) ?? [best]);
}

function hintedIndex(collection: Collection, hint: unknown): { index: Index | undefined } | undefined {
  const names = isDoc(hint) ? Object.keys(hint) : undefined;
  if (hint === undefined || hint === null || names?.length === 0) return undefined;
  if (hint === "_id_" || names?.join() === "_id" || names?.includes("$natural") === true) return { index: undefined };
  const index = collection.indexes.find(({ name, spec }) => name === hint || (isDoc(hint) && equal(spec["key"], hint)));
  demand(index !== undefined, "BadValue", "hint provided does not correspond to an existing index");
  return { index };
}

type Fields = readonly { name: string; direction: 1 | -1 }[];

const idFields: Fields = [{ name: "_id", direction: 1 }];

/** The documents are stored by `_id`, so that is the access without an index. */
function accessThrough(index: Index | undefined, conditions: Conditions, sort: SortField[]): Access {
  const fields = index?.fields ?? idFields;
  const isMultikey = index?.isMultikey === true;
  const { prefixes, last } = prefixesOf(fields, isMultikey, conditions);
  const fixed = prefixes.fields;
  const ranges = prefixes.keys
    .map((prefix) => extend(prefix, last))
    .sort((left, right) => left.lower.compare(right.lower));
  const direction = ranges.length === 1 && !isMultikey ? orderOf(fields, fixed, sort) : undefined;
  const isPartial = index?.partialFilter !== undefined || index?.isSparse === true;
  const isBounded = fixed > 0 || last !== undefined || isPartial;
  const isOrdered = direction !== undefined || sort.length === 0;
  const isUnique = (index === undefined || index.isUnique) && fixed === fields.length;
  const score =
    (isBounded ? 1_000 : 0) + (isUnique ? 500 : 0) + fixed * 100 + (last === undefined ? 0 : 40) + (isOrdered ? 30 : 0);
  return { index, ranges, isBounded, isReverse: direction === -1, isOrdered, score };
}

/** The leading fields that the conditions fix, as starts of keys, and the range of the field after them. */
function prefixesOf(fields: Fields, isMultikey: boolean, conditions: Conditions) {
  const prefixes = { keys: [Buffer.alloc(0)], fields: 0 };
  const tops = new Set<string>();
  for (const { name } of fields) {
    const bounds = conditions.get(name);
    const [top = ""] = name.split(".");
    // Conditions on two fields of the same array may be met by different elements, but an entry holds one element.
    if (bounds === undefined || (isMultikey && tops.has(top))) break;
    tops.add(top);
    const { points } = bounds;
    if (points === undefined || prefixes.keys.length * points.length > mostRanges)
      return { prefixes, last: isMultikey ? bounds.oneRange : bounds.range };
    prefixes.keys = prefixes.keys.flatMap((prefix) => points.map((point) => Buffer.concat([prefix, point])));
    prefixes.fields += 1;
  }
  return { prefixes, last: undefined };
}

function extend(prefix: Buffer, last: Range | undefined): Range {
  if (last === undefined) return prefix.length === 0 ? everything : { lower: prefix, upper: keyAfter(prefix) };
  return { lower: Buffer.concat([prefix, last.lower]), upper: Buffer.concat([prefix, last.upper]) };
}

/** 1 or -1 when reading the index that way gives the order; fields that are fixed to one value do not matter. */
function orderOf(fields: Fields, fixed: number, sort: SortField[]): 1 | -1 | undefined {
  const wanted = sort.filter(({ name }) => !fields.slice(0, fixed).some((field) => field.name === name));
  const direction = wanted[0]?.direction ?? 1;
  const rest = fields.slice(fixed);
  return wanted.every((field, at) => rest[at]?.name === field.name && field.direction === direction)
    ? direction
    : undefined;
}

/** An `$or` is answered branch by branch when every branch has bounds. */
function branches(collection: Collection, filter: Doc): Plan | undefined {
  const { $or: clauses, ...rest } = filter;
  if (!isArray(clauses) || !clauses.every(isDoc)) return undefined;
  const plan = clauses.flatMap((clause) => choosePlan(collection, { $and: [rest, clause] }, [], undefined));
  return plan.every(({ isBounded }) => isBounded) ? plan.map((access) => ({ ...access, isOrdered: false })) : undefined;
}

/** Sparse and partial indexes serve only filters that cannot match what they leave out. */
function isUsable(index: Index, filter: Doc, conditions: Conditions): boolean {
  if (index.isSparse && !index.fields.every(({ name }) => conditions.get(name)?.isPresent === true)) return false;
  return index.partialFilter === undefined || implies(filter, index.partialFilter, conditions);
}

/** True only when it is certain that whatever matches `filter` matches `partial`. */
function implies(filter: Doc, partial: Doc, conditions: Conditions): boolean {
  return Object.entries(partial).every(([name, wanted]) => {
    if (name === "$and")
      return isArray(wanted) && wanted.every((clause) => isDoc(clause) && implies(filter, clause, conditions));
    if (clausesOn(filter, name).some((clause) => equal(clause, wanted))) return true;
    const bounds = conditions.get(name);
    if (isDoc(wanted) && Object.keys(wanted).join() === "$exists" && wanted["$exists"] === true)
      return bounds?.isPresent === true;
    const limits = boundsOf(wanted);
    return bounds !== undefined && limits !== undefined && isWithin(bounds, limits);
  });
}

function clausesOn(filter: Doc, name: string): unknown[] {
  const nested = filter["$and"];
  const deeper = isArray(nested) ? nested.filter(isDoc).flatMap((clause) => clausesOn(clause, name)) : [];
  return name in filter ? [filter[name], ...deeper] : deeper;
}

import { demand } from "../errors";
import type { Collection } from "../storage/catalog";
import type { Index } from "../storage/index-definition";
import { type Doc, isArray, isDoc } from "../values/bson";
import { keyAfter } from "../values/keys";
import { equal } from "../values/order";
import { type Conditions, conditionsOf, isEmpty, type Range } from "./bounds";
import type { SortField } from "./sort";
import { impliesPartial } from "./subset";

/** One way to the documents: ranges of an index, or of the documents themselves when `index` is undefined. */
export interface Access {
  index: Index | undefined;
  ranges: Range[];
  isReverse: boolean;
  /** False when no condition narrows the range, so that everything is read. */
  isBounded: boolean;
  /** The documents come in the requested order. */
  isOrdered: boolean;
  /** Each range is in the requested order, so that MongoDB would merge them instead of sorting. */
  isMergeable: boolean;
  /** How well the filter and the sort are served; only the order of scores counts. */
  score: number;
}

/** Several accesses are the branches of an `$or`. */
export type Plan = Access[];

/** A longer list is not worth ranges of its own. */
export const mostRanges = 1_000;
export const everything: Range = { lower: Buffer.alloc(1), upper: Buffer.alloc(1, 0xff) };

/** The planner's input: filter, order, and how many documents are wanted. */
export interface PlanQuestion {
  filter: Doc;
  sort: SortField[];
  hint?: unknown;
  limit?: number;
}

export function choosePlan(collection: Collection, question: PlanQuestion): Plan {
  const { filter, hint } = question;
  const conditions = conditionsOf(filter);
  const hinted = hintedIndex(collection, hint);
  if (hinted !== undefined) return [accessThrough(hinted.index, conditions, question)];
  if (isEmpty(conditions)) return [nowhere];
  const usable = collection.indexes.filter((index) => isUsable(index, filter, conditions));
  const best = [undefined, ...usable]
    .map((index) => accessThrough(index, conditions, question))
    .reduce((chosen, access) => (access.score > chosen.score ? access : chosen));
  return best.isBounded ? [best] : (branches(collection, question) ?? [best]);
}

/** The filter matches nothing, so no document is read. */
const nowhere: Access = {
  index: undefined,
  ranges: [],
  isReverse: false,
  isBounded: true,
  isOrdered: true,
  isMergeable: true,
  score: 0,
};

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
function accessThrough(index: Index | undefined, conditions: Conditions, { sort, limit }: PlanQuestion): Access {
  const fields = index?.fields ?? idFields;
  const isMultikey = index?.isMultikey === true;
  const { prefixes, last } = prefixesOf(fields, isMultikey, conditions);
  const fixed = prefixes.fields;
  const ranges = prefixes.keys
    .map((prefix) => extend(prefix, last))
    .sort((left, right) => left.lower.compare(right.lower));
  const order = isMultikey ? undefined : serveOrder(fields, fixed, sort);
  const direction = ranges.length === 1 ? readingDirection(order) : undefined;
  const isOrdered = direction !== undefined || sort.length === 0;
  const isMergeable = isOrdered || order !== undefined;
  // All entries of a partial index are read for a condition on its first field, or for its order, and for nothing else.
  const isPartial = index?.partialFilter !== undefined || index?.isSparse === true;
  const isReadWhole = isPartial && (conditions.has(fields[0]?.name ?? "") || (sort.length > 0 && isMergeable));
  const isBounded = fixed > 0 || last !== undefined || isReadWhole;
  const isUnique = (index === undefined || index.isUnique) && fixed === fields.length;
  // A page in index order ends early; a sorted page reads everything first.
  const orderScore = isMergeable ? (Number.isFinite(limit) ? 150 : 30) - (isOrdered ? 0 : 10) : 0;
  const score =
    (isBounded ? 1_000 : 0) + (isUnique ? 500 : 0) + fixed * 100 + (last === undefined ? 0 : 40) + orderScore;
  return { index, ranges, isBounded, isReverse: direction === -1, isOrdered, isMergeable, score };
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

/**
 * Where reading the index gives the order: its fields behind those that are fixed to one value, in the directions asked for, or
 * all in the opposite ones.
 */
function serveOrder(fields: Fields, fixed: number, sort: SortField[]): SortField[] | undefined {
  const wanted = sort.filter(({ name }) => !fields.slice(0, fixed).some((field) => field.name === name));
  const rest = fields.slice(fixed);
  const turn = (rest[0]?.direction ?? 1) * (wanted[0]?.direction ?? 1);
  const isServed = wanted.every(({ name, direction }, at) => {
    const field = rest[at];
    return field?.name === name && field.direction * direction === turn;
  });
  return isServed ? wanted : undefined;
}

/** 1 or -1 when reading the entries, stored ascending in every field, in that direction gives the order. */
function readingDirection(wanted: SortField[] | undefined): 1 | -1 | undefined {
  const direction = wanted?.[0]?.direction ?? 1;
  return wanted?.every((field) => field.direction === direction) === true ? direction : undefined;
}

/** An `$or` is answered branch by branch when every branch has bounds. */
function branches(collection: Collection, { filter, sort }: PlanQuestion): Plan | undefined {
  const { $or: clauses, ...rest } = filter;
  if (!isArray(clauses) || !clauses.every(isDoc)) return undefined;
  const plan = clauses.flatMap((clause) => choosePlan(collection, { filter: { $and: [rest, clause] }, sort }));
  return plan.every(({ isBounded }) => isBounded)
    ? plan.map((access) => ({ ...access, isOrdered: false, isReverse: false }))
    : undefined;
}

/**
 * A sparse index serves a filter that requires a value of its first field, a partial one a filter that implies its own. Others
 * might match what the index leaves out.
 */
function isUsable(index: Index, filter: Doc, conditions: Conditions): boolean {
  if (index.isSparse && conditions.get(index.fields[0]?.name ?? "")?.isPresent !== true) return false;
  return index.partialFilter === undefined || impliesPartial(filter, index.partialFilter);
}

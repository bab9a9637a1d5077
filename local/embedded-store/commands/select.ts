import { expressionContext } from "../aggregate/pipeline";
import { CommandError } from "../errors";
import { compileMatch } from "../query/match";
import { choosePlan, mostRanges, type Plan } from "../query/planner";
import { makeSorter, type SortField } from "../query/sort";
import type { Collection } from "../storage/catalog";
import { scan } from "../storage/scan";
import { type Doc, decode, isArray, isDoc, isObjectId } from "../values/bson";
import type { Context } from "./context";

export interface Selection {
  filter: Doc;
  sort: SortField[];
  skip: number;
  /** Infinity for all. */
  limit: number;
  hint: unknown;
}

/** Selects all documents that match a filter, in any order by default. */
export const selecting = (filter: Doc, facts: Partial<Selection> = {}): Selection => ({
  filter,
  sort: [],
  skip: 0,
  limit: Number.POSITIVE_INFINITY,
  hint: undefined,
  ...facts,
});

export interface Selected {
  key: string;
  bytes: Uint8Array;
  /** Undefined when the document did not have to be read. */
  doc: Doc | undefined;
}

/** Reading this many documents without an index points to a missing one. */
const scanLimit = 1_000;

/** Finds documents by the best plan, in order, and reports scans. A missing collection has none. */
export function* select(
  context: Context,
  collection: Collection | undefined,
  selection: Selection,
): Generator<Selected> {
  const { filter, sort, skip, limit } = selection;
  if (collection === undefined) {
    // Unsupported features are refused even when there is nothing to find.
    compileMatch(filter, expressionContext(context.variables));
    return;
  }
  const { database, transactions } = context.server;
  const plan = choosePlan(collection, selection);
  // Documents that differ for a transaction are not in the index, so index order and bounds do not apply.
  const isAsStored = transactions.differing(context.transaction, collection).size === 0;
  const isMatched = Object.keys(filter).length === 0 || (isAsStored && isAnsweredByPlan(filter, plan));
  const matches = isMatched ? undefined : compileMatch(filter, expressionContext(context.variables));
  const needsSort = sort.length > 0 && !(isAsStored && plan.every((access) => access.isOrdered));
  const countScan = scanCounter(context, collection, selection, plan);
  const sorter = needsSort ? makeSorter<Omit<Selected, "doc">>(sort, skip + limit) : undefined;
  const limits = {
    isOverdue: () => Date.now() > context.deadline,
    expected: sorter === undefined ? skip + limit : Number.POSITIVE_INFINITY,
  };
  let passed = 0;
  for (const found of scan(database, transactions, context.transaction, collection, plan, limits)) {
    countScan();
    const doc = matches === undefined && sorter === undefined ? undefined : decode(found.bytes);
    if (doc !== undefined && matches?.(doc) === false) continue;
    if (sorter !== undefined) {
      sorter.add(doc ?? {}, found);
      continue;
    }
    passed += 1;
    if (passed > skip) yield { ...found, doc };
    if (passed >= skip + limit) return;
  }
  for (const found of sorter?.sorted().slice(skip) ?? []) yield { ...found, doc: undefined };
}

/**
 * Documents to change. All are found before the first change, so that a moved index entry is not met again; of many documents
 * only the keys are kept, as these may be the whole collection.
 */
export function* selectToWrite(context: Context, collection: Collection, selection: Selection): Generator<Selected> {
  if (selection.limit === 1) {
    yield* [...select(context, collection, selection)];
    return;
  }
  const keys = Array.from(select(context, collection, selection), ({ key }) => key);
  for (const key of keys) {
    const bytes = context.server.transactions.read(context.transaction, collection, key);
    if (bytes !== undefined) yield { key, bytes, doc: undefined };
  }
}

/** True for a filter on `_id` alone, with a string or an ObjectId or a list of such: the plan alone answers it. */
function isAnsweredByPlan(filter: Doc, plan: Plan): boolean {
  const id = filter["_id"];
  const isById = isPlainId(id) || (isDoc(id) && Object.keys(id).length === 1 && isListOfIds(id["$in"]));
  return isById && Object.keys(filter).length === 1 && plan.every(({ index }) => index === undefined);
}

const isPlainId = (id: unknown): boolean => typeof id === "string" || isObjectId(id);

const isListOfIds = (ids: unknown): boolean => isArray(ids) && ids.length <= mostRanges && ids.every(isPlainId);

/**
 * An index would help when there is a condition or an order; reading everything on purpose, or by a hint, is not a missing
 * index. A test store refuses such a query whatever there is to read; others log it once it reads much.
 */
function scanCounter(
  { server }: Context,
  { namespace }: Collection,
  { filter, sort, limit, hint }: Selection,
  plan: Plan,
): () => void {
  const isScan = plan.some(({ isBounded }) => !isBounded);
  const isWholeOnPurpose = Object.keys(filter).length === 0 && plan.every(({ isMergeable }) => isMergeable);
  const isSortedForPage = Number.isFinite(limit) && plan.some(({ isMergeable }) => !isMergeable);
  const isServed = (!isScan || isWholeOnPurpose) && !isSortedForPage;
  if (isServed || (hint !== undefined && hint !== null)) return () => {};
  const query = JSON.stringify({ filter, sort: sort.map(({ name, direction }) => [name, direction]) });
  if (server.failOnScan) {
    const what = isScan ? "no index serves" : "no index gives the order of a page of";
    throw new CommandError("NoQueryExecutionPlans", `refused: ${what} ${namespace}: ${query}`);
  }
  let count = 0;
  return () => {
    count += 1;
    if (count !== scanLimit + 1) return;
    server.log("warn", `no index serves a query that reads more than ${scanLimit} documents of ${namespace}: ${query}`);
  };
}

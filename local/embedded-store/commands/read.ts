import { Double, Int32 } from "bson";
import { expressionContext, type PipelineContext, runPipeline } from "../aggregate/pipeline";
import { CommandError, notSupported } from "../errors";
import { candidatesAt, splitPath } from "../query/paths";
import { choosePlan } from "../query/planner";
import { compileProjection } from "../query/projection";
import { parseSort } from "../query/sort";
import { type Doc, decode, encode, isArray, isDoc, isLong, isNumber } from "../values/bson";
import { keyOf } from "../values/keys";
import { type Reply, requireName } from "../wire/frame";
import { boolField, type Context, countField, docField, findCollection, listField, namespaceOf } from "./context";
import { type Selected, type Selection, select } from "./select";

const all = Number.POSITIVE_INFINITY;

function selectionOf(command: Doc, filterName: string): Selection {
  const limit = Math.abs(countField(command, "limit") ?? 0);
  const skip = countField(command, "skip") ?? 0;
  if (skip < 0) throw new CommandError(51_024, "BSON field 'skip' value must be >= 0");
  return {
    filter: docField(command, filterName),
    sort: parseSort(command["sort"]),
    skip,
    limit: limit === 0 ? all : limit,
    hint: command["hint"],
  };
}

export function find(context: Context, command: Doc): Reply {
  for (const name of ["tailable", "awaitData", "returnKey", "showRecordId"]) {
    if (command[name] === true) throw notSupported(`find with ${name}`);
  }
  for (const name of ["min", "max"]) if (command[name] !== undefined) throw notSupported(`find with ${name}`);
  const collection = findCollection(context, command["find"]);
  const selection = selectionOf(command, "filter");
  const projection = docField(command, "projection");
  const hasProjection = Object.keys(projection).length > 0;
  const project = hasProjection
    ? compileProjection(projection, expressionContext(context.variables), selection.filter)
    : undefined;
  const found = collection === undefined ? [] : select(context, collection, selection);
  const documents = project === undefined ? stored(found) : encoded(mapped(decoded(found), project));
  const isSingle = boolField(command, "singleBatch");
  return openCursor(
    context,
    namespaceOf(context, command["find"]),
    documents,
    countField(command, "batchSize"),
    isSingle,
  );
}

function openCursor(
  context: Context,
  namespace: string,
  documents: Iterable<Uint8Array>,
  batchSize: number | undefined,
  isSingle = false,
): Reply {
  if (batchSize !== undefined && batchSize < 0)
    throw new CommandError(51_024, "BSON field 'batchSize' value must be >= 0");
  return {
    body: { ok: new Double(1) },
    batch: context.server.cursors.open(context, namespace, documents, batchSize, isSingle),
  };
}

/** A cursor over documents that the server makes up, such as lists of collections. */
export function cursorOver(context: Context, namespace: string, docs: Doc[], command: Doc): Reply {
  return openCursor(context, namespace, docs.map(encode), countField(docField(command, "cursor"), "batchSize"));
}

export function getMore(context: Context, command: Doc): Reply {
  const id = command["getMore"];
  if (!isLong(id)) throw new CommandError("TypeMismatch", "getMore needs the id of a cursor");
  const name = requireName(command["collection"], "collection name");
  const namespace = `${context.databaseName}.${name}`;
  findCollection(context, name);
  const batch = context.server.cursors.more(context, id.toString(), namespace, countField(command, "batchSize"));
  return { body: { ok: new Double(1) }, batch };
}

export function killCursors(context: Context, command: Doc): Reply {
  const ids = listField(command, "cursors");
  const killed = ids.filter((id) => isLong(id) && context.server.cursors.kill(id.toString()));
  const missing = ids.filter((id) => !killed.includes(id));
  return { body: { cursorsKilled: killed, cursorsNotFound: missing, cursorsAlive: [], cursorsUnknown: [] } };
}

export function count(context: Context, command: Doc): Reply {
  const collection = findCollection(context, command["count"]);
  const selection = selectionOf(command, "query");
  let n = 0;
  if (collection !== undefined) for (const _found of select(context, collection, selection)) n += 1;
  return { body: { n: new Int32(n) } };
}

export function distinct(context: Context, command: Doc): Reply {
  const collection = findCollection(context, command["distinct"]);
  const path = splitPath(requireName(command["key"], "key"));
  const selection = { filter: docField(command, "query"), sort: [], skip: 0, limit: all, hint: command["hint"] };
  const values = new Map<string, unknown>();
  for (const found of collection === undefined ? [] : select(context, collection, selection)) {
    for (const value of candidatesAt(found.doc ?? decode(found.bytes), path)) {
      if (value === undefined || isArray(value)) continue;
      const key = keyOf(value).toString("latin1");
      if (!values.has(key)) values.set(key, value);
    }
  }
  const sorted = [...values].sort(([left], [right]) => (left < right ? -1 : 1));
  return { body: { values: sorted.map(([, value]) => value) } };
}

function pipelineContext(context: Context): PipelineContext {
  return {
    variables: context.variables,
    *read(name, filter) {
      const collection = findCollection(context, name);
      if (collection === undefined) return;
      const selection = { filter, sort: [], skip: 0, limit: all, hint: undefined };
      for (const found of select(context, collection, selection)) yield found.doc ?? decode(found.bytes);
    },
  };
}

/** Leading `$match`, `$sort`, `$skip` and `$limit` are answered by the planner; the other stages run over its result. */
export function aggregate(context: Context, command: Doc): Reply {
  const stages = listField(command, "pipeline");
  if (command["explain"] === true) throw notSupported("aggregate with explain; the command explain has it");
  if (!isDoc(command["cursor"])) {
    throw new CommandError(
      "FailedToParse",
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  }
  if (isNumber(command["aggregate"])) {
    runPipeline(stages, [], pipelineContext(context));
    throw notSupported("an aggregation on a database");
  }
  const collection = findCollection(context, command["aggregate"]);
  const { selection, rest } = splitPipeline(stages, command["hint"]);
  const source = collection === undefined ? [] : select(context, collection, selection);
  const namespace = namespaceOf(context, command["aggregate"]);
  const batchSize = countField(docField(command, "cursor"), "batchSize");
  const documents =
    rest.length === 0 ? stored(source) : encoded(runPipeline(rest, decoded(source), pipelineContext(context)));
  return openCursor(context, namespace, documents, batchSize);
}

function* stored(source: Iterable<Selected>): Generator<Uint8Array> {
  for (const { bytes } of source) yield bytes;
}

function* decoded(source: Iterable<Selected>): Generator<Doc> {
  for (const { bytes, doc } of source) yield doc ?? decode(bytes);
}

function* mapped(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

function* encoded(docs: Iterable<Doc>): Generator<Uint8Array> {
  for (const doc of docs) yield encode(doc);
}

function splitPipeline(stages: unknown[], hint: unknown): { selection: Selection; rest: unknown[] } {
  const selection: Selection = { filter: {}, sort: [], skip: 0, limit: all, hint };
  let at = 0;
  const take = (name: string): unknown => {
    const stage = stages[at];
    if (!isDoc(stage) || !(name in stage) || Object.keys(stage).length > 1) return undefined;
    at += 1;
    return stage[name];
  };
  const match = take("$match");
  if (isDoc(match)) selection.filter = match;
  else if (match !== undefined) at -= 1;
  const sort = take("$sort");
  if (isDoc(sort) && Object.keys(sort).length > 0) selection.sort = parseSort(sort);
  else if (sort !== undefined) at -= 1;
  const limit = take("$limit");
  if (limit !== undefined) {
    const most = isNumber(limit) ? Number(limit.toString()) : 0;
    if (Number.isSafeInteger(most) && most > 0) selection.limit = most;
    else at -= 1;
  }
  return { selection, rest: stages.slice(at) };
}

/** Names the index that would be used, nothing more. */
export function explain(context: Context, command: Doc): Reply {
  const inner = docField(command, "explain");
  const name = inner["find"] ?? inner["count"] ?? inner["distinct"] ?? inner["aggregate"];
  if (name === undefined) throw notSupported(`explain of ${String(Object.keys(inner)[0])}`);
  const collection = findCollection(context, name);
  const pipeline = isArray(inner["pipeline"]) ? splitPipeline(inner["pipeline"], inner["hint"]).selection : undefined;
  const selection = pipeline ?? selectionOf(inner, "filter" in inner ? "filter" : "query");
  const plan = collection === undefined ? [] : choosePlan(collection, selection.filter, selection.sort, selection.hint);
  const stages = plan.map(({ index, isBounded, isOrdered }) => ({
    stage: index !== undefined ? "IXSCAN" : isBounded ? "IDHACK" : "COLLSCAN",
    ...(index === undefined ? {} : { indexName: index.name }),
    sorted: isOrdered,
  }));
  return { body: { queryPlanner: { namespace: namespaceOf(context, name), winningPlan: { inputStages: stages } } } };
}

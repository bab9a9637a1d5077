import { Double, Int32 } from "bson";
import { expressionContext, type PipelineContext, runPipeline } from "../aggregate/pipeline";
import { demand, notSupported } from "../errors";
import { candidatesAt, splitPath } from "../query/paths";
import { compileProjection, keptRoots } from "../query/projection";
import { parseSort } from "../query/sort";
import { type Doc, decode, encode, isArray, isDoc, isLong, isNumber } from "../values/bson";
import { decodeStoredFields } from "../values/fields";
import { keyOf } from "../values/keys";
import { toSafeInteger } from "../values/numbers";
import { type Reply, requireName } from "../wire/frame";
import { boolField, type Context, countField, docField, findCollection, listField, namespaceOf } from "./context";
import { type Selected, type Selection, select, selecting } from "./select";

/** The selection of a reading command. */
export function selectionOf(command: Doc, filterName: string): Selection {
  const limit = Math.abs(countField(command, "limit") ?? 0);
  const skip = countField(command, "skip") ?? 0;
  demand(skip >= 0, 51_024, "BSON field 'skip' value must be >= 0");
  const facts = { sort: parseSort(command["sort"]), skip, hint: command["hint"] };
  return selecting(docField(command, filterName), limit === 0 ? facts : { ...facts, limit });
}

export function find(context: Context, command: Doc): Reply {
  const options = ["tailable", "awaitData", "returnKey", "showRecordId", "min", "max"];
  const refused = options.find((name) => command[name] !== undefined && command[name] !== false);
  if (refused !== undefined) throw notSupported(`find with ${refused}`);
  const selection = selectionOf(command, "filter");
  const found = select(context, findCollection(context, command["find"]), selection);
  const projection = docField(command, "projection");
  const project = compileProjection(projection, expressionContext(context.variables), selection.filter);
  const documents =
    Object.keys(projection).length === 0
      ? stored(found)
      : encoded(mapped(decoded(found, keptRoots(projection)), project));
  const namespace = namespaceOf(context, command["find"]);
  return openCursor(context, namespace, documents, command, boolField(command, "singleBatch"));
}

function openCursor(
  context: Context,
  namespace: string,
  documents: Iterable<Uint8Array>,
  options: Doc,
  isSingle = false,
): Reply {
  const batchSize = countField(options, "batchSize");
  demand(batchSize === undefined || batchSize >= 0, 51_024, "BSON field 'batchSize' value must be >= 0");
  const batch = context.server.cursors.open(context, namespace, documents, batchSize, isSingle);
  return { body: { ok: new Double(1) }, batch };
}

/** A cursor over documents that the server makes up, such as lists of collections. */
export function cursorOver(context: Context, namespace: string, docs: Doc[], command: Doc): Reply {
  return openCursor(context, namespace, encoded(docs), docField(command, "cursor"));
}

export function getMore(context: Context, command: Doc): Reply {
  const id = command["getMore"];
  demand(isLong(id), "TypeMismatch", "getMore needs the id of a cursor");
  const name = requireName(command["collection"], "collection name");
  // Everything that the cursor goes on to read must be durable before the reply.
  if (!name.startsWith("$cmd.")) findCollection(context, name);
  const namespace = `${context.databaseName}.${name}`;
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
  let n = 0;
  const collection = findCollection(context, command["count"]);
  for (const _found of select(context, collection, selectionOf(command, "query"))) n += 1;
  return { body: { n: new Int32(n) } };
}

export function distinct(context: Context, command: Doc): Reply {
  const path = splitPath(requireName(command["key"], "key"));
  const selection = selecting(docField(command, "query"), { hint: command["hint"] });
  const values = new Map<string, unknown>();
  for (const doc of decoded(select(context, findCollection(context, command["distinct"]), selection))) {
    for (const value of candidatesAt(doc, path)) {
      const key = keyOf(value).toString("latin1");
      if (value !== undefined && !isArray(value) && !values.has(key)) values.set(key, value);
    }
  }
  const sorted = [...values].sort(([left], [right]) => (left < right ? -1 : 1));
  return { body: { values: sorted.map(([, value]) => value) } };
}

/** Leading `$match`, `$sort` and `$limit` are answered by the planner; the other stages run over its result. */
export function aggregate(context: Context, command: Doc): Reply {
  const stages = listField(command, "pipeline");
  if (boolField(command, "explain")) throw notSupported("aggregate with explain");
  demand(isDoc(command["cursor"]), "FailedToParse", "The 'cursor' option is required");
  const pipeline: PipelineContext = {
    variables: context.variables,
    read: (name, filter) => decoded(select(context, findCollection(context, name), selecting(filter))),
  };
  if (isNumber(command["aggregate"])) {
    runPipeline(stages, [], pipeline);
    throw notSupported("an aggregation on a database");
  }
  const { selection, rest } = splitPipeline(stages, command["hint"]);
  const source = select(context, findCollection(context, command["aggregate"]), selection);
  const documents = rest.length === 0 ? stored(source) : encoded(runPipeline(rest, decoded(source), pipeline));
  return openCursor(context, namespaceOf(context, command["aggregate"]), documents, command["cursor"]);
}

/** Splits a pipeline into the part that the planner answers and the remaining stages. */
export function splitPipeline(stages: unknown[], hint: unknown): { selection: Selection; rest: unknown[] } {
  const selection = selecting({}, { hint });
  let at = 0;
  const next = (name: string): unknown => {
    const stage = stages[at];
    return isDoc(stage) && Object.keys(stage).length === 1 ? stage[name] : undefined;
  };
  const match = next("$match");
  if (isDoc(match)) {
    selection.filter = match;
    at += 1;
  }
  const sort = next("$sort");
  if (isDoc(sort) && Object.keys(sort).length > 0) {
    selection.sort = parseSort(sort);
    at += 1;
  }
  const limit = toSafeInteger(next("$limit")) ?? 0;
  if (limit > 0) {
    selection.limit = limit;
    at += 1;
  }
  return { selection, rest: stages.slice(at) };
}

function* stored(source: Iterable<Selected>): Generator<Uint8Array> {
  for (const { bytes } of source) yield bytes;
}

/** Decodes the documents, or the named fields of them. */
function* decoded(source: Iterable<Selected>, names?: ReadonlySet<string>): Generator<Doc> {
  const read = (bytes: Uint8Array): Doc => (names === undefined ? decode(bytes) : decodeStoredFields(bytes, names));
  for (const { bytes, doc } of source) yield doc ?? read(bytes);
}

function* mapped(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

function* encoded(docs: Iterable<Doc>): Generator<Uint8Array> {
  for (const doc of docs) yield encode(doc);
}

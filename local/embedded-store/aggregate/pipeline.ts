import { Int32 } from "bson";
import { CommandError, notSupported } from "../errors";
import { compileMatch } from "../query/match";
import { checkPath, splitPath, valueAt } from "../query/paths";
import { compileProjection, type ProjectionContext } from "../query/projection";
import { makeSorter, parseSort } from "../query/sort";
import { writePath } from "../update/write-path";
import { copy, type Doc, isArray, isDoc, setField } from "../values/bson";
import { keyOf } from "../values/keys";
import { toSafeInteger } from "../values/numbers";
import { compileExpression } from "./expression";
import { addToGroup, compileGroup, type Group, groupResult, startGroup } from "./groups";
import { isTruthy, type Known } from "./scope";

/** Reads the documents of another collection; `$lookup` needs it. */
export type ReadCollection = (name: string, filter: Doc) => Iterable<Doc>;

export interface PipelineContext {
  read: ReadCollection;
  /** Values of `let` and of the built-in variables. */
  variables: Readonly<Doc>;
}

export type Stage = (input: Iterable<Doc>) => Iterable<Doc>;

type StageBuilder = (spec: unknown, context: PipelineContext) => Stage;

const knownIn = (context: PipelineContext): Known => new Set(Object.keys(context.variables));

/** What queries and projections need to evaluate expressions with these variables. */
export function expressionContext(variables: Readonly<Doc>): ProjectionContext {
  const known: Known = new Set(Object.keys(variables));
  const computed = (spec: unknown) => {
    const expression = compileExpression(spec, known);
    return (root: Doc) => expression({ root, variables });
  };
  return {
    computed,
    condition: (spec) => {
      const compute = computed(spec);
      return (doc) => isTruthy(compute(doc));
    },
  };
}

function requireDoc(name: string, spec: unknown): Doc {
  if (!isDoc(spec)) throw new CommandError(15_959, `the ${name} specification must be an object`);
  return spec;
}

const each = (change: (doc: Doc) => Doc): Stage =>
  function* (input) {
    for (const doc of input) yield change(doc);
  };

const match: StageBuilder = (spec, context) => {
  const test = compileMatch(requireDoc("$match", spec), expressionContext(context.variables));
  return function* (input) {
    for (const doc of input) if (test(doc)) yield doc;
  };
};

const project: StageBuilder = (spec, context) => {
  const fields = requireDoc("$project", spec);
  if (Object.keys(fields).length === 0) throw new CommandError(51_272, "$project needs at least one field");
  return each(compileProjection(fields, expressionContext(context.variables)));
};

const addFields: StageBuilder = (spec, context) => {
  const fields = requireDoc("$addFields", spec);
  const known = knownIn(context);
  const added = flatten(fields).map(([name, value]) => ({
    path: checkPath(name),
    value: compileExpression(value, known),
  }));
  return each((root) => {
    const result = copy(root);
    for (const { path, value } of added) writePath(result, path, value({ root, variables: context.variables }));
    return result;
  });
};

/** `{a: {b: 1}}` adds to the document `a`, it does not replace it. */
function flatten(fields: Doc, prefix = ""): [string, unknown][] {
  return Object.keys(fields).flatMap((name): [string, unknown][] => {
    const value = fields[name];
    const isNested = isDoc(value) && Object.keys(value).length > 0 && Object.keys(value)[0]?.startsWith("$") !== true;
    return isNested ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]];
  });
}

const unset: StageBuilder = (spec, context) => {
  const names: unknown[] = isArray(spec) ? spec : [spec];
  const fields: Doc = {};
  for (const name of names) {
    if (typeof name !== "string")
      throw new CommandError(31_002, "$unset specification must be a string or an array of strings");
    fields[name] = new Int32(0);
  }
  return each(compileProjection(fields, expressionContext(context.variables)));
};

const group: StageBuilder = (spec, context) => {
  const grouping = compileGroup(spec, knownIn(context), compileExpression);
  return function* (input) {
    const groups = new Map<string, Group>();
    for (const root of input) {
      const scope = { root, variables: context.variables };
      const id = grouping.id(scope);
      // Keys of index entries are equal exactly when the values are, whatever their numeric type.
      const key = keyOf(id).toString("latin1");
      const known = groups.get(key);
      const found = known ?? startGroup(grouping, id);
      if (known === undefined) groups.set(key, found);
      addToGroup(grouping, found, scope);
    }
    for (const found of groups.values()) yield groupResult(grouping, found);
  };
};

const sort: StageBuilder = (spec) => {
  const fields = parseSort(spec);
  if (fields.length === 0) throw new CommandError(15_976, "$sort stage must have at least one sort key");
  return function* (input) {
    const sorter = makeSorter<Doc>(fields, Number.POSITIVE_INFINITY);
    for (const doc of input) sorter.add(doc, doc);
    yield* sorter.sorted();
  };
};

function requireCount(name: string, spec: unknown, least: number): number {
  const count = toSafeInteger(spec);
  if (count === undefined || count < least) throw new CommandError(15_957, `invalid argument to ${name} stage`);
  return count;
}

const limit: StageBuilder = (spec) => {
  const most = requireCount("$limit", spec, 1);
  return function* (input) {
    let seen = 0;
    for (const doc of input) {
      yield doc;
      seen += 1;
      if (seen >= most) return;
    }
  };
};

const skip: StageBuilder = (spec) => {
  const count = requireCount("$skip", spec, 0);
  return function* (input) {
    let seen = 0;
    for (const doc of input) if (seen++ >= count) yield doc;
  };
};

const count: StageBuilder = (spec) => {
  if (typeof spec !== "string" || spec === "")
    throw new CommandError(40_156, "the count field must be a non-empty string");
  return function* (input) {
    let seen = 0;
    for (const _doc of input) seen += 1;
    if (seen > 0) yield { [spec]: new Int32(seen) };
  };
};

const unwind: StageBuilder = (spec) => {
  const options = isDoc(spec) ? spec : { path: spec };
  const { path, preserveNullAndEmptyArrays: preserve, includeArrayIndex: indexName, ...others } = options;
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new CommandError(28_811, `unrecognized option to $unwind stage: ${unknown}`);
  if (typeof path !== "string" || !path.startsWith("$"))
    throw new CommandError(28_818, "path option to $unwind must start with $");
  const segments = checkPath(path.slice(1));
  const place = (doc: Doc, value: unknown, index: Int32 | null): Doc => {
    const result = copy(doc);
    writePath(result, segments, value);
    if (typeof indexName === "string") setField(result, indexName, index);
    return result;
  };
  return function* (input) {
    for (const doc of input) {
      const value = valueAt(doc, segments);
      const items = isArray(value) ? value : value === undefined || value === null ? [] : [value];
      for (let at = 0; at < items.length; at += 1) yield place(doc, items[at], isArray(value) ? new Int32(at) : null);
      if (items.length === 0 && preserve === true) yield place(doc, value === null ? null : undefined, null);
    }
  };
};

const replaceRoot: StageBuilder = (spec, context) => {
  const body = requireDoc("$replaceRoot", spec)["newRoot"];
  return replaceWith(body, context);
};

const replaceWith: StageBuilder = (spec, context) => {
  const expression = compileExpression(spec, knownIn(context));
  return each((root) => {
    const next = expression({ root, variables: context.variables });
    if (!isDoc(next)) throw new CommandError(40_228, "'newRoot' expression must evaluate to an object");
    return next;
  });
};

const lookup: StageBuilder = (spec, context) => {
  const { from, as, localField, foreignField, let: bindings, pipeline, ...others } = requireDoc("$lookup", spec);
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new CommandError("FailedToParse", `unknown argument to $lookup: ${unknown}`);
  if (typeof from !== "string" || typeof as !== "string")
    throw new CommandError("FailedToParse", "$lookup needs 'from' and 'as'");
  const target = checkPath(as);
  const locals = isDoc(bindings) ? bindings : {};
  const known = knownIn(context);
  const bound = Object.keys(locals).map((name) => ({ name, value: compileExpression(locals[name], known) }));
  return each((root) => {
    const scope = { root, variables: context.variables };
    const variables = {
      ...context.variables,
      ...Object.fromEntries(bound.map(({ name, value }) => [name, value(scope) ?? null])),
    };
    const filter = joinFilter(root, localField, foreignField);
    const found = runPipeline(pipeline ?? [], context.read(from, filter), { ...context, variables });
    const result = copy(root);
    writePath(result, target, [...found]);
    return result;
  });
};

function joinFilter(root: Doc, localField: unknown, foreignField: unknown): Doc {
  if (localField === undefined && foreignField === undefined) return {};
  if (typeof localField !== "string" || typeof foreignField !== "string") {
    throw new CommandError("FailedToParse", "$lookup needs both 'localField' and 'foreignField'");
  }
  const value = valueAt(root, splitPath(localField)) ?? null;
  return { [foreignField]: isArray(value) ? { $in: value } : { $eq: value } };
}

const stages: Record<string, StageBuilder> = {
  $match: match,
  $project: project,
  $addFields: addFields,
  $set: addFields,
  $unset: unset,
  $group: group,
  $sort: sort,
  $limit: limit,
  $skip: skip,
  $count: count,
  $unwind: unwind,
  $lookup: lookup,
  $replaceRoot: replaceRoot,
  $replaceWith: replaceWith,
};

const refusedStages = new Set(
  "$out $merge $graphLookup $setWindowFields $facet $unionWith $bucket $bucketAuto $sortByCount $sample $redact $geoNear $densify $fill $changeStream $collStats $indexStats $currentOp $listLocalSessions $listSessions $documents $search $vectorSearch $planCacheStats".split(
    " ",
  ),
);

/** Names the stages and refuses, before anything is read, what is not known. */
function compileStages(pipeline: unknown, context: PipelineContext): Stage[] {
  if (!isArray(pipeline)) throw new CommandError("TypeMismatch", "'pipeline' option must be specified as an array");
  return pipeline.map((item: unknown) => {
    const [name = "", ...more] = isDoc(item) ? Object.keys(item) : [];
    if (!isDoc(item) || more.length > 0) {
      throw new CommandError(40_323, "A pipeline stage specification object must contain exactly one field.");
    }
    const builder = Object.hasOwn(stages, name) ? stages[name] : undefined;
    if (builder !== undefined) return builder(item[name], context);
    if (refusedStages.has(name)) throw notSupported(`the aggregation stage ${name}`);
    throw new CommandError(40_324, `Unrecognized pipeline stage name: '${name}'`);
  });
}

export function runPipeline(pipeline: unknown, input: Iterable<Doc>, context: PipelineContext): Iterable<Doc> {
  return compileStages(pipeline, context).reduce<Iterable<Doc>>((docs, stage) => stage(docs), input);
}

import { Int32 } from "bson";
import { CommandError, demand, notSupported } from "../errors";
import { compileMatch } from "../query/match";
import { checkPath, splitPath, valueAt } from "../query/paths";
import { compileProjection, type ProjectionContext } from "../query/projection";
import { makeSorter, parseSort } from "../query/sort";
import { copy, type Doc, isArray, isDoc, setField } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { compileExpression } from "./expression";
import { compileGroup } from "./groups";
import { isNothing, isTruthy, type Known } from "./scope";
import { writePath } from "./write-path";

export interface PipelineContext {
  /** Reads the documents of another collection; `$lookup` needs it. */
  read(name: string, filter: Doc): Iterable<Doc>;
  /** Values of `let` and of the built-in variables. */
  variables: Readonly<Doc>;
}

type Stage = (input: Iterable<Doc>) => Iterable<Doc>;

type StageBuilder = (spec: unknown, context: PipelineContext) => Stage;

const knownIn = (variables: Readonly<Doc>): Known => new Set(Object.keys(variables));

/** Returns the context in which queries and projections evaluate expressions with these variables. */
export function expressionContext(variables: Readonly<Doc>): ProjectionContext {
  const known = knownIn(variables);
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

function docIn(name: string, spec: unknown): Doc {
  demand(isDoc(spec), 15_959, `the ${name} specification must be an object`);
  return spec;
}

const each = (change: (doc: Doc) => Doc): Stage =>
  function* (input) {
    for (const doc of input) yield change(doc);
  };

const match: StageBuilder = (spec, { variables }) => {
  const test = compileMatch(docIn("$match", spec), expressionContext(variables));
  return function* (input) {
    for (const doc of input) if (test(doc)) yield doc;
  };
};

const project: StageBuilder = (spec, { variables }) => {
  const fields = docIn("$project", spec);
  demand(Object.keys(fields).length > 0, 51_272, "$project needs at least one field");
  return each(compileProjection(fields, expressionContext(variables)));
};

const addFields: StageBuilder = (spec, { variables }) => {
  const known = knownIn(variables);
  const added = flatten(docIn("$addFields", spec)).map(([name, value]) => ({
    path: checkPath(name),
    value: compileExpression(value, known),
  }));
  return each((root) => {
    const result = copy(root);
    for (const { path, value } of added) writePath(result, path, value({ root, variables }));
    return result;
  });
};

/** `{a: {b: 1}}` adds to the document `a`, it does not replace it. */
function flatten(fields: Doc, prefix = ""): [string, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const [first] = isDoc(value) ? Object.keys(value) : [];
    const isNested = isDoc(value) && first !== undefined && !first.startsWith("$");
    return isNested ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]];
  });
}

const unset: StageBuilder = (spec, { variables }) => {
  const names: unknown[] = isArray(spec) ? spec : [spec];
  demand(
    names.every((name) => typeof name === "string"),
    31_002,
    "$unset specification must be a string or an array of strings",
  );
  const fields = Object.fromEntries(names.map((name) => [name, new Int32(0)]));
  return each(compileProjection(fields, expressionContext(variables)));
};

const group: StageBuilder = (spec, { variables }) => {
  const collect = compileGroup(spec, knownIn(variables), compileExpression);
  return (input) => collect(input, variables);
};

const sort: StageBuilder = (spec) => {
  const fields = parseSort(spec);
  demand(fields.length > 0, 15_976, "$sort stage must have at least one sort key");
  return function* (input) {
    const sorter = makeSorter<Doc>(fields, Number.POSITIVE_INFINITY);
    for (const doc of input) sorter.add(doc, doc);
    yield* sorter.sorted();
  };
};

function countIn(name: string, spec: unknown, least: number): number {
  const count = toSafeInteger(spec);
  demand(count !== undefined && count >= least, 15_957, `invalid argument to ${name} stage`);
  return count;
}

const limit: StageBuilder = (spec) => {
  const most = countIn("$limit", spec, 1);
  return function* (input) {
    let left = most;
    for (const doc of input) {
      yield doc;
      left -= 1;
      if (left === 0) return;
    }
  };
};

const skip: StageBuilder = (spec) => {
  const count = countIn("$skip", spec, 0);
  return function* (input) {
    let left = count;
    for (const doc of input)
      if (left > 0) left -= 1;
      else yield doc;
  };
};

const count: StageBuilder = (spec) => {
  demand(typeof spec === "string" && spec !== "", 40_156, "the count field must be a non-empty string");
  return function* (input) {
    let seen = 0;
    for (const _doc of input) seen += 1;
    if (seen > 0) yield { [spec]: new Int32(seen) };
  };
};

const unwind: StageBuilder = (spec) => {
  const options = isDoc(spec) ? spec : { path: spec };
  const { path, preserveNullAndEmptyArrays: preserve, includeArrayIndex: indexName, ...others } = options;
  const [unknown] = Object.keys(others);
  demand(unknown === undefined, 28_811, `unrecognized option to $unwind stage: ${unknown}`);
  demand(typeof path === "string" && path.startsWith("$"), 28_818, "path option to $unwind must start with $");
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
      if (isArray(value)) for (const [at, item] of value.entries()) yield place(doc, item, new Int32(at));
      else if (!isNothing(value)) yield place(doc, value, null);
      const isEmpty = isArray(value) ? value.length === 0 : isNothing(value);
      if (isEmpty && preserve === true) yield place(doc, value === null ? null : undefined, null);
    }
  };
};

const replaceWith: StageBuilder = (spec, { variables }) => {
  const expression = compileExpression(spec, knownIn(variables));
  return each((root) => {
    const next = expression({ root, variables });
    demand(isDoc(next), 40_228, "'newRoot' expression must evaluate to an object");
    return next;
  });
};

const lookup: StageBuilder = (spec, context) => {
  const { from, as, localField, foreignField, let: bindings, pipeline, ...others } = docIn("$lookup", spec);
  const [unknown] = Object.keys(others);
  demand(unknown === undefined, "FailedToParse", `unknown argument to $lookup: ${unknown}`);
  demand(typeof from === "string" && typeof as === "string", "FailedToParse", "$lookup needs 'from' and 'as'");
  const target = checkPath(as);
  const known = knownIn(context.variables);
  const bound = Object.entries(isDoc(bindings) ? bindings : {}).map(
    ([name, value]) => [name, compileExpression(value, known)] as const,
  );
  return each((root) => {
    const scope = { root, variables: context.variables };
    const added = Object.fromEntries(bound.map(([name, value]) => [name, value(scope) ?? null]));
    const inner = { ...context, variables: { ...context.variables, ...added } };
    const found = runPipeline(pipeline ?? [], context.read(from, joinFilter(root, localField, foreignField)), inner);
    const result = copy(root);
    writePath(result, target, [...found]);
    return result;
  });
};

function joinFilter(root: Doc, localField: unknown, foreignField: unknown): Doc {
  if (localField === undefined && foreignField === undefined) return {};
  const hasBoth = typeof localField === "string" && typeof foreignField === "string";
  demand(hasBoth, "FailedToParse", "$lookup needs both 'localField' and 'foreignField'");
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
  $replaceRoot: (spec, context) => replaceWith(docIn("$replaceRoot", spec)["newRoot"], context),
  $replaceWith: replaceWith,
};

const refusedStages = new Set(
  `$out $merge $graphLookup $setWindowFields $facet $unionWith $bucket $bucketAuto $sortByCount $sample $redact $geoNear
  $densify $fill $changeStream $collStats $indexStats $currentOp $listLocalSessions $listSessions $documents $search
  $vectorSearch $planCacheStats`.split(/\s+/),
);

/** Compiles the stages, refusing unknown ones before anything is read. */
function compileStages(pipeline: unknown, context: PipelineContext): Stage[] {
  demand(isArray(pipeline), "TypeMismatch", "'pipeline' option must be specified as an array");
  return pipeline.map((item: unknown) => {
    const isSingle = isDoc(item) && Object.keys(item).length === 1;
    demand(isSingle, 40_323, "A pipeline stage specification object must contain exactly one field.");
    const [name = ""] = Object.keys(item);
    const builder = Object.hasOwn(stages, name) ? stages[name] : undefined;
    if (builder !== undefined) return builder(item[name], context);
    if (refusedStages.has(name)) throw notSupported(`the aggregation stage ${name}`);
    throw new CommandError(40_324, `Unrecognized pipeline stage name: '${name}'`);
  });
}

/** Runs the pipeline lazily. */
export function runPipeline(pipeline: unknown, input: Iterable<Doc>, context: PipelineContext): Iterable<Doc> {
  return compileStages(pipeline, context).reduce<Iterable<Doc>>((docs, stage) => stage(docs), input);
}

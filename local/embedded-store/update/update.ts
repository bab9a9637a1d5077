import { ObjectId } from "bson";
import { expressionContext, runPipeline } from "../aggregate/pipeline";
import { demand, notSupported } from "../errors";
import { isOperatorDoc } from "../query/match";
import { checkPath, type Path, splitPath, valueAt } from "../query/paths";
import { copy, type Doc, field, isArray, isDoc, isRegex, typeOf } from "../values/bson";
import { equal } from "../values/order";
import { type Change, changeBuilder, unchanged } from "./operators";
import { comparePaths, refuseConflicts, setAt, unsetAt } from "./paths";
import { checkIdentifiers, compileArrayFilters, concretePaths } from "./positions";

/** Returns the document after the update. It may change its argument, which the caller has decoded for this purpose only. */
export type Updater = (doc: Doc, isInsert: boolean) => Doc;

export interface UpdateOptions {
  filter: Doc;
  arrayFilters: unknown;
  variables: Readonly<Doc>;
  now: Date;
}

export interface CompiledUpdate {
  kind: "replacement" | "operators" | "pipeline";
  apply: Updater;
  /** The fields that the update can change; undefined when unknown. */
  changed: ReadonlySet<string> | undefined;
}

const pipelineStages = ["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"];

/** Compiles an update of any of the three kinds. Whatever it does, `_id` stays. */
export function compileUpdate(spec: unknown, options: UpdateOptions): CompiledUpdate {
  if (isArray(spec)) return { kind: "pipeline", apply: keepingId(compilePipeline(spec, options)), changed: undefined };
  demand(isDoc(spec), "FailedToParse", "Update argument must be either an object or an array");
  if (Object.keys(spec)[0]?.startsWith("$") === true) {
    const { apply, changed } = compileOperators(spec, options);
    return { kind: "operators", apply: keepingId(apply), changed };
  }
  const hasFilters = options.arrayFilters !== undefined;
  demand(!hasFilters, "FailedToParse", "arrayFilters may not be specified for a replacement");
  refuseTopDollars(spec);
  return { kind: "replacement", apply: keepingId((doc) => replace(doc, spec)), changed: undefined };
}

export function refuseTopDollars(doc: Doc): void {
  const wrong = Object.keys(doc).find((name) => name.startsWith("$"));
  const message = `The dollar ($) prefixed field '${wrong}' is not allowed at the top level`;
  demand(wrong === undefined, "DollarPrefixedFieldName", message);
}

function replace(doc: Doc, replacement: Doc): Doc {
  const id = field(doc, "_id");
  return id === undefined ? copy(replacement) : { _id: id, ...copy(replacement) };
}

/** An update may leave `_id` out, but neither change nor, by name, remove it. */
function keepingId(update: Updater): Updater {
  return (doc, isInsert) => {
    const id = field(doc, "_id");
    const next = update(doc, isInsert);
    const nextId = field(next, "_id");
    if (id === undefined) return next;
    if (nextId === undefined && next !== doc) return { _id: id, ...next };
    const isSame = typeOf(id) === typeOf(nextId) && equal(id, nextId);
    demand(isSame, "ImmutableField", "Performing an update on the path '_id' would modify the immutable field '_id'");
    return next;
  };
}

function compilePipeline(stages: unknown[], { variables }: UpdateOptions): Updater {
  for (const stage of stages) {
    const [name = ""] = isDoc(stage) ? Object.keys(stage) : [];
    demand(pipelineStages.includes(name), "InvalidOptions", `${name} is not allowed to be used within an update`);
  }
  return (doc) => [...runPipeline(stages, [doc], { read: () => [], variables })][0] ?? doc;
}

function compileOperators(
  spec: Doc,
  { filter, arrayFilters, variables, now }: UpdateOptions,
): Pick<CompiledUpdate, "apply" | "changed"> {
  const match = expressionContext(variables);
  const changes: { path: Path; change: Change }[] = [];
  const renames: [Path, Path][] = [];
  for (const [operator, fields] of Object.entries(spec)) {
    const found = typeOf(fields);
    demand(isDoc(fields), "FailedToParse", `Modifiers operate on fields but we found type ${found} for ${operator}`);
    if (operator === "$rename") {
      for (const [name, target] of Object.entries(fields)) renames.push(renamePaths(name, target));
      continue;
    }
    const build = changeBuilder(operator);
    for (const [name, operand] of Object.entries(fields))
      changes.push({ path: checkPath(name), change: build(operand, name, { match, now }) });
  }
  const paths = [...changes.map(({ path }) => path), ...renames.flat()];
  refuseConflicts(paths);
  const filters = compileArrayFilters(arrayFilters, match);
  checkIdentifiers(paths, filters);
  changes.sort((left, right) => comparePaths(left.path, right.path));
  const apply: Updater = (doc, isInsert) => {
    for (const [from, to] of renames) rename(doc, from, to);
    for (const { path, change } of changes)
      for (const place of concretePaths(doc, path, { filter, filters, match }))
        applyChange(doc, place, change, isInsert);
    return doc;
  };
  return { apply, changed: new Set(paths.map(([root = ""]) => root)) };
}

function applyChange(doc: Doc, path: Path, change: Change, isInsert: boolean): void {
  const next = change(valueAt(doc, path), isInsert);
  if (next === unchanged) return;
  if (next === undefined) unsetAt(doc, path);
  else setAt(doc, path, next);
}

function renamePaths(name: string, target: unknown): [Path, Path] {
  demand(typeof target === "string", "BadValue", `The 'to' field for $rename must be a string: ${name}`);
  const paths: [Path, Path] = [checkPath(name), checkPath(target)];
  const isDynamic = paths.flat().some((segment) => segment.startsWith("$"));
  demand(!isDynamic, "BadValue", "$rename paths may not be dynamic");
  return paths;
}

function rename(doc: Doc, from: Path, to: Path): void {
  const value = valueAt(doc, from);
  if (value === undefined) return;
  unsetAt(doc, from);
  setAt(doc, to, value);
}

/** The document that an upsert inserts: the equality parts of the filter, then the update; `_id` comes first. */
export function upsertDocument(filter: Doc, update: CompiledUpdate): Doc {
  const seed: Doc = {};
  for (const [name, value] of equalities(filter)) {
    if (update.kind === "replacement" && name !== "_id") continue;
    const path = splitPath(name);
    if (valueAt(seed, path) !== undefined) throw notSupported(`an upsert whose filter names '${name}' twice`);
    setAt(seed, path, copy(value));
  }
  const { _id: id = new ObjectId(), ...rest } = update.apply(seed, true);
  return { _id: id, ...rest };
}

function equalities(filter: Doc): [string, unknown][] {
  return Object.entries(filter).flatMap(([name, operand]): [string, unknown][] => {
    if (name === "$and" || (name === "$or" && isArray(operand) && operand.length === 1))
      return isArray(operand) ? operand.filter(isDoc).flatMap(equalities) : [];
    if (name.startsWith("$") || isRegex(operand)) return [];
    if (!isOperatorDoc(operand)) return [[name, operand]];
    return "$eq" in operand ? [[name, operand["$eq"]]] : [];
  });
}

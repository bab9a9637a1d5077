import { ObjectId } from "bson";
import { expressionContext, runPipeline } from "../aggregate/pipeline";
import { CommandError, notSupported } from "../errors";
import { isOperatorDoc } from "../query/match";
import { checkPath, type Path, splitPath, valueAt } from "../query/paths";
import { copy, type Doc, field, isArray, isDoc, isRegex, typeOf } from "../values/bson";
import { equal } from "../values/order";
import { type CompiledChange, compileChange, requireFields, unchanged } from "./operators";
import { comparePaths, refuseConflicts, setAt, unsetAt } from "./paths";
import { checkIdentifiers, compileArrayFilters, concretePaths, type PositionContext } from "./positions";

/** Gives the document after the update. It may change its argument, which the caller has decoded for it alone. */
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
}

const pipelineStages = new Set(["$set", "$addFields", "$unset", "$project", "$replaceRoot", "$replaceWith"]);

/** Compiles an update of any of the three kinds. Whatever it does, `_id` stays. */
export function compileUpdate(spec: unknown, options: UpdateOptions): CompiledUpdate {
  if (isArray(spec)) return { kind: "pipeline", apply: keepingId(compilePipeline(spec, options), true) };
  if (!isDoc(spec)) throw new CommandError("FailedToParse", "Update argument must be either an object or an array");
  if (Object.keys(spec)[0]?.startsWith("$") === true) {
    return { kind: "operators", apply: keepingId(compileOperators(spec, options)) };
  }
  if (options.arrayFilters !== undefined) {
    throw new CommandError("FailedToParse", "arrayFilters may not be specified for a replacement");
  }
  refuseTopDollars(spec);
  return { kind: "replacement", apply: keepingId((doc) => replace(doc, spec)) };
}

export function refuseTopDollars(doc: Doc): void {
  const wrong = Object.keys(doc).find((name) => name.startsWith("$"));
  if (wrong !== undefined) {
    throw new CommandError(
      "DollarPrefixedFieldName",
      `The dollar ($) prefixed field '${wrong}' is not allowed at the top level`,
    );
  }
}

function replace(doc: Doc, replacement: Doc): Doc {
  const id = field(doc, "_id");
  return id === undefined ? copy(replacement) : { _id: id, ...copy(replacement) };
}

/** `mayDrop` for pipelines, which may leave `_id` out and still keep it. */
function keepingId(update: Updater, mayDrop = false): Updater {
  return (doc, isInsert) => {
    const id = field(doc, "_id");
    const next = update(doc, isInsert);
    const nextId = field(next, "_id");
    if (id !== undefined && nextId === undefined && mayDrop) return { _id: id, ...next };
    if (id !== undefined && !sameValue(id, nextId)) {
      throw new CommandError(
        "ImmutableField",
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    }
    return next;
  };
}

const sameValue = (left: unknown, right: unknown): boolean => typeOf(left) === typeOf(right) && equal(left, right);

function compilePipeline(stages: unknown[], { variables }: UpdateOptions): Updater {
  for (const stage of stages) {
    const name = isDoc(stage) ? Object.keys(stage)[0] : undefined;
    if (name === undefined || !pipelineStages.has(name)) {
      throw new CommandError("InvalidOptions", `${String(name)} is not allowed to be used within an update`);
    }
  }
  const context = { read: () => [], variables };
  return (doc) => {
    const [result] = runPipeline(stages, [doc], context);
    return result === undefined ? doc : result;
  };
}

interface PlacedChange extends CompiledChange {
  path: Path;
}

function compileOperators(spec: Doc, options: UpdateOptions): Updater {
  const match = expressionContext(options.variables);
  const changes: PlacedChange[] = [];
  const renames: [Path, Path][] = [];
  for (const operator of Object.keys(spec)) {
    const fields = operator.startsWith("$") ? requireFields(operator, spec[operator]) : {};
    if (operator === "$rename") {
      for (const name of Object.keys(fields)) renames.push(renamePaths(name, fields[name]));
      continue;
    }
    if (Object.keys(fields).length === 0) compileChange(operator, undefined, "", { match, now: options.now });
    for (const name of Object.keys(fields)) {
      const compiled = compileChange(operator, fields[name], name, { match, now: options.now });
      changes.push({ ...compiled, path: checkPath(name) });
    }
  }
  const paths = [...changes.map(({ path }) => path), ...renames.flat()];
  refuseConflicts(paths);
  const filters = compileArrayFilters(options.arrayFilters, match);
  checkIdentifiers(paths, filters);
  changes.sort((left, right) => comparePaths(left.path, right.path));
  const positions: PositionContext = { filter: options.filter, filters, match };
  return (doc, isInsert) => {
    for (const [from, to] of renames) rename(doc, from, to);
    for (const change of changes) {
      for (const path of concretePaths(doc, change.path, positions)) applyChange(doc, path, change, isInsert);
    }
    return doc;
  };
}

function applyChange(doc: Doc, path: Path, { change, creates }: CompiledChange, isInsert: boolean): void {
  const current = valueAt(doc, path);
  if (current === undefined && !creates) return;
  const next = change(current, isInsert);
  if (next === unchanged) return;
  if (next === undefined) unsetAt(doc, path);
  else setAt(doc, path, next);
}

function renamePaths(name: string, target: unknown): [Path, Path] {
  if (typeof target !== "string")
    throw new CommandError("BadValue", `The 'to' field for $rename must be a string: ${name}`);
  const paths: [Path, Path] = [checkPath(name), checkPath(target)];
  if (paths.flat().some((segment) => segment.startsWith("$")))
    throw new CommandError("BadValue", "$rename paths may not be dynamic");
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
  if (update.kind === "replacement") {
    const id = equalities(filter).find(([name]) => name === "_id");
    if (id !== undefined) seed["_id"] = copy(id[1]);
  } else {
    for (const [name, value] of equalities(filter)) {
      if (valueAt(seed, splitPath(name)) !== undefined)
        throw notSupported(`an upsert whose filter names '${name}' twice`);
      setAt(seed, splitPath(name), copy(value));
    }
  }
  const result = update.apply(seed, true);
  const { _id: id = new ObjectId(), ...rest } = result;
  return { _id: id, ...rest };
}

function equalities(filter: Doc): [string, unknown][] {
  return Object.keys(filter).flatMap((name): [string, unknown][] => {
    const operand = filter[name];
    if (name === "$and" || (name === "$or" && isArray(operand) && operand.length === 1)) {
      return isArray(operand) ? operand.filter(isDoc).flatMap(equalities) : [];
    }
    if (name.startsWith("$") || isRegex(operand)) return [];
    if (!isOperatorDoc(operand)) return [[name, operand]];
    return "$eq" in operand ? [[name, operand["$eq"]]] : [];
  });
}

import { CommandError, notSupported } from "../errors";
import { type Doc, isArray, isDoc, isRegex } from "../values/bson";
import { predicateOf, type ValueTest } from "./operators";
import { checkPath } from "./paths";

export type Predicate = (doc: Doc) => boolean;

/** What `$expr` needs: the expression compiler is handed in, so that queries and expressions do not import each other. */
export interface MatchContext {
  condition(spec: unknown): Predicate;
}

const refusedOperators = new Set(["$where", "$text", "$jsonSchema", "$sampleRate", "$alwaysTrue", "$alwaysFalse"]);

/** Compiles a filter. Every operator it names is either obeyed or refused. */
export function compileMatch(filter: Doc, context: MatchContext): Predicate {
  const tests = Object.keys(filter).map((name) => compileClause(name, filter[name], context));
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (doc) => tests.every((test) => test(doc));
}

function compileClause(name: string, operand: unknown, context: MatchContext): Predicate {
  if (!name.startsWith("$")) return compileField(name, operand, context);
  switch (name) {
    case "$and":
    case "$or":
    case "$nor":
      return compileLogic(name, operand, context);
    case "$expr":
      return context.condition(operand);
    case "$comment":
      return () => true;
    default:
      if (refusedOperators.has(name)) throw notSupported(name);
      throw new CommandError("BadValue", `unknown top level operator: ${name}`);
  }
}

function compileLogic(name: "$and" | "$or" | "$nor", operand: unknown, context: MatchContext): Predicate {
  if (!isArray(operand) || operand.length === 0) throw new CommandError("BadValue", `${name} must be a nonempty array`);
  const tests = operand.map((clause: unknown) => {
    if (!isDoc(clause)) throw new CommandError("BadValue", `${name} entries need to be full objects`);
    return compileMatch(clause, context);
  });
  if (name === "$and") return (doc) => tests.every((test) => test(doc));
  const any: Predicate = (doc) => tests.some((test) => test(doc));
  return name === "$or" ? any : (doc) => !any(doc);
}

function compileField(name: string, operand: unknown, context: MatchContext): Predicate {
  const path = checkPath(name);
  const tests = compileOperand(operand, context);
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return (doc) => only(doc, path);
  return (doc) => tests.every((test) => test(doc, path));
}

/** The operators of one field; a plain value means equality. */
function compileOperand(operand: unknown, context: MatchContext): ValueTest[] {
  if (isRegex(operand)) return [predicateOf("$regex", operand, {}, nested(context))];
  if (!isOperatorDoc(operand)) return [predicateOf("$eq", operand, {}, nested(context))];
  return Object.keys(operand)
    .filter((name) => name !== "$options" || !("$regex" in operand))
    .map((name) => predicateOf(name, operand[name], operand, nested(context)));
}

const nested = (context: MatchContext) => ({
  match: (filter: Doc) => compileMatch(filter, context),
  operand: (operand: unknown) => compileOperand(operand, context),
});

/** True for `{$gt: 1}`; false for values, also for documents such as `{a: 1}` and DBRef-like `{$ref: …, $id: …}`. */
export function isOperatorDoc(value: unknown): value is Doc {
  if (!isDoc(value)) return false;
  const first = Object.keys(value)[0];
  return first?.startsWith("$") === true && first !== "$ref" && first !== "$id";
}

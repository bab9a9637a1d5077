import { CommandError, demand, notSupported } from "../errors";
import { type Doc, isArray, isDoc, isRegex } from "../values/bson";
import { predicateOf, type ValueTest } from "./operators";
import { checkPath } from "./paths";

export type Predicate = (doc: Doc) => boolean;

/** The compiler for `$expr`: it is passed in, so that queries and expressions do not import each other. */
export interface MatchContext {
  condition(spec: unknown): Predicate;
}

const refusedOperators = new Set(["$where", "$text", "$jsonSchema", "$sampleRate", "$alwaysTrue", "$alwaysFalse"]);

const every = (tests: Predicate[]): Predicate => {
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (doc) => tests.every((test) => test(doc));
};

/** Compiles a filter. Every operator it names is either obeyed or refused. */
export function compileMatch(filter: Doc, context: MatchContext): Predicate {
  return every(Object.keys(filter).map((name) => compileClause(name, filter[name], context)));
}

function compileClause(name: string, operand: unknown, context: MatchContext): Predicate {
  if (!name.startsWith("$")) {
    const path = checkPath(name);
    return every(compileOperand(operand, context).map((test) => (doc) => test(doc, path)));
  }
  if (name === "$and" || name === "$or" || name === "$nor") return compileLogic(name, operand, context);
  if (name === "$expr") return context.condition(operand);
  if (name === "$comment") return () => true;
  if (refusedOperators.has(name)) throw notSupported(name);
  throw new CommandError("BadValue", `unknown top level operator: ${name}`);
}

function compileLogic(name: "$and" | "$or" | "$nor", operand: unknown, context: MatchContext): Predicate {
  demand(isArray(operand) && operand.length > 0, "BadValue", `${name} must be a nonempty array`);
  const tests = operand.map((clause: unknown) => {
    demand(isDoc(clause), "BadValue", `${name} entries need to be full objects`);
    return compileMatch(clause, context);
  });
  if (name === "$and") return every(tests);
  const any: Predicate = (doc) => tests.some((test) => test(doc));
  return name === "$or" ? any : (doc) => !any(doc);
}

/** The operators of one field; a plain value means equality. */
function compileOperand(operand: unknown, context: MatchContext): ValueTest[] {
  const nested = {
    match: (filter: Doc) => compileMatch(filter, context),
    operand: (inner: unknown) => compileOperand(inner, context),
  };
  if (isRegex(operand)) return [predicateOf("$regex", operand, {}, nested)];
  if (!isOperatorDoc(operand)) return [predicateOf("$eq", operand, {}, nested)];
  return Object.keys(operand)
    .filter((name) => name !== "$options" || !("$regex" in operand))
    .map((name) => predicateOf(name, operand[name], operand, nested));
}

/** True for `{$gt: 1}`; false for values, also for documents such as `{a: 1}` and DBRef-like `{$ref: …, $id: …}`. */
export function isOperatorDoc(value: unknown): value is Doc {
  const first = isDoc(value) ? Object.keys(value)[0] : undefined;
  return first?.startsWith("$") === true && first !== "$ref" && first !== "$id";
}

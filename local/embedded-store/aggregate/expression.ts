import { CommandError } from "../errors";
import { splitPath } from "../query/paths";
import { type Doc, field, isArray, isDoc } from "../values/bson";
import { arithmeticOperators } from "./arithmetic";
import { arrayOperators } from "./arrays";
import { comparisonOperators } from "./comparisons";
import { conversionOperators } from "./conversions";
import { dateOperators } from "./dates";
import { objectOperators } from "./objects";
import type { Compile, Expression, Known, Operator } from "./scope";
import { specialForms } from "./special-forms";
import { stringOperators } from "./strings";

/** All operators on evaluated arguments, by name. */
const operators: Record<string, Operator> = {
  ...arithmeticOperators,
  ...comparisonOperators,
  ...stringOperators,
  ...arrayOperators,
  ...objectOperators,
  ...dateOperators,
  ...conversionOperators,
};

export const compileExpression: Compile = (spec, known) => {
  if (typeof spec === "string" && spec.startsWith("$")) return compilePath(spec, known);
  if (isArray(spec)) {
    const items = spec.map((item: unknown) => compileExpression(item, known));
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const names = Object.keys(spec);
  const [name] = names;
  if (name?.startsWith("$") !== true) return compileDoc(spec, known);
  if (names.length > 1) {
    throw new CommandError(
      15_983,
      `an object representing an expression must have exactly one field: ${names.join(", ")}`,
    );
  }
  return compileOperator(name, spec[name], known);
};

function compileOperator(name: string, operand: unknown, known: Known): Expression {
  const form = Object.hasOwn(specialForms, name) ? specialForms[name] : undefined;
  if (form !== undefined) return form(operand, known, compileExpression);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) throw new CommandError(168, `Unrecognized expression '${name}'`);
  const args = (isArray(operand) ? operand : [operand]).map((item: unknown) => compileExpression(item, known));
  if (args.length < operator.least || args.length > operator.most) {
    throw new CommandError(16_020, `Expression ${name} takes ${operator.least} to ${operator.most} arguments`);
  }
  return (scope) => operator.apply(args.map((item) => item(scope)));
}

function compileDoc(spec: Doc, known: Known): Expression {
  const fields = Object.keys(spec).map((name): [string, Expression] => [name, compileExpression(spec[name], known)]);
  return (scope) => {
    const result: Doc = {};
    for (const [name, expression] of fields) {
      const value = expression(scope);
      if (value !== undefined) result[name] = value;
    }
    return result;
  };
}

function compilePath(text: string, known: Known): Expression {
  if (!text.startsWith("$$")) {
    const path = splitPath(text.slice(1));
    return ({ root }) => readPath(root, path, 0);
  }
  const [name = "", ...path] = splitPath(text.slice(2));
  if (name === "REMOVE") return () => undefined;
  if (name === "ROOT" || name === "CURRENT") return ({ root }) => readPath(root, path, 0);
  if (!known.has(name)) throw new CommandError(17_276, `Use of undefined variable: ${name}`);
  return ({ variables }) => readPath(field(variables, name), path, 0);
}

/** Arrays are mapped over: `$items.price` is the array of prices. */
function readPath(value: unknown, path: readonly string[], at: number): unknown {
  const segment = path[at];
  if (segment === undefined) return value;
  if (isArray(value)) {
    return value
      .map((item: unknown) => (isDoc(item) ? readPath(item, path, at) : undefined))
      .filter((item) => item !== undefined);
  }
  return isDoc(value) ? readPath(field(value, segment), path, at + 1) : undefined;
}

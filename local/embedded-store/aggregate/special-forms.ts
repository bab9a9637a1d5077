import { CommandError, demand } from "../errors";
import { type Doc, isArray, isDoc } from "../values/bson";
import { type Compile, type Expression, isNothing, isTruthy, type Known, type Scope } from "./scope";

/** Operators that choose which operands to evaluate, or define variables. */
type Form = (operand: unknown, known: Known, compile: Compile) => Expression;

const list = (operand: unknown): unknown[] => (isArray(operand) ? operand : [operand]);

function fieldsOf(name: string, operand: unknown, required: string[], optional: string[] = []): Doc {
  demand(isDoc(operand), "FailedToParse", `${name} takes an object`);
  const missing = required.find((key) => !(key in operand));
  demand(missing === undefined, "FailedToParse", `Missing '${missing}' parameter to ${name}`);
  const unknown = Object.keys(operand).find((key) => !required.includes(key) && !optional.includes(key));
  demand(unknown === undefined, "FailedToParse", `Unrecognized parameter to ${name}: ${unknown}`);
  return operand;
}

const knowing = (known: Known, names: string[]): Known => new Set([...known, ...names]);
const binding = (scope: Scope, added: Doc): Scope => ({ ...scope, variables: { ...scope.variables, ...added } });

const cond: Form = (operand, known, compile) => {
  const names = ["if", "then", "else"];
  const parts: unknown[] = isArray(operand) ? operand : names.map((name) => fieldsOf("$cond", operand, names)[name]);
  demand(parts.length === 3, 16_020, "Expression $cond takes exactly 3 arguments");
  const [test, yes, no] = parts.map((part) => compile(part, known));
  return (scope) => (isTruthy(test?.(scope)) ? yes?.(scope) : no?.(scope));
};

const switchForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$switch", operand, ["branches"], ["default"]);
  const branches = list(fields["branches"]).map((branch) => {
    const parts = fieldsOf("$switch", branch, ["case", "then"]);
    return { test: compile(parts["case"], known), result: compile(parts["then"], known) };
  });
  const otherwise = "default" in fields ? compile(fields["default"], known) : undefined;
  return (scope) => {
    const chosen = branches.find(({ test }) => isTruthy(test(scope)))?.result ?? otherwise;
    if (chosen === undefined) throw new CommandError(40_066, "$switch could not find a matching branch");
    return chosen(scope);
  };
};

const letForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$let", operand, ["vars", "in"]);
  const vars = isDoc(fields["vars"]) ? fields["vars"] : {};
  const bound = Object.entries(vars).map(([name, value]): [string, Expression] => [name, compile(value, known)]);
  const body = compile(fields["in"], knowing(known, Object.keys(vars)));
  return (scope) => body(binding(scope, Object.fromEntries(bound.map(([name, value]) => [name, value(scope)]))));
};

/** Works on an array with a body that is evaluated per element; null for null or a missing value. */
const overArray =
  (name: string, bodyName: string, apply: (items: unknown[], body: (item: unknown) => unknown) => unknown): Form =>
  (operand, known, compile) => {
    const fields = fieldsOf(name, operand, ["input", bodyName], ["as"]);
    const as = typeof fields["as"] === "string" ? fields["as"] : "this";
    const input = compile(fields["input"], known);
    const body = compile(fields[bodyName], knowing(known, [as]));
    return (scope) => {
      const items = input(scope);
      if (isNothing(items)) return null;
      demand(isArray(items), 28_651, `input to ${name} must be an array`);
      return apply(items, (item) => body(binding(scope, { [as]: item })));
    };
  };

const ifNull: Form = (operand, known, compile) => {
  const parts = list(operand).map((part) => compile(part, known));
  demand(parts.length >= 2, 1_257_300, "$ifNull needs at least two arguments");
  return (scope) => parts.reduce<unknown>((found, part) => (isNothing(found) ? part(scope) : found), undefined);
};

/** The only way to write a field whose name contains a dot or a dollar. */
const setFieldForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$setField", operand, ["field", "input", "value"]);
  const name = isDoc(fields["field"]) && "$literal" in fields["field"] ? fields["field"]["$literal"] : fields["field"];
  demand(typeof name === "string", 4_161_107, "$setField requires 'field' to evaluate to a constant string");
  const input = compile(fields["input"], known);
  const value = compile(fields["value"], known);
  return (scope) => {
    const target = input(scope);
    if (!isDoc(target)) return null;
    const { [name]: _old, ...rest } = target;
    const next = value(scope);
    return next === undefined ? rest : { ...target, [name]: next };
  };
};

const logic =
  (combine: (parts: Expression[], test: (part: Expression) => boolean) => boolean): Form =>
  (operand, known, compile) => {
    const parts = list(operand).map((part) => compile(part, known));
    return (scope) => combine(parts, (part) => isTruthy(part(scope)));
  };

export const specialForms: Record<string, Form> = {
  $literal: (operand) => () => operand,
  $cond: cond,
  $switch: switchForm,
  $ifNull: ifNull,
  $let: letForm,
  $map: overArray("$map", "in", (items, body) => items.map((item) => body(item) ?? null)),
  $filter: overArray("$filter", "cond", (items, body) => items.filter((item) => isTruthy(body(item)))),
  $setField: setFieldForm,
  $and: logic((parts, test) => parts.every(test)),
  $or: logic((parts, test) => parts.some(test)),
  $not: logic((parts, test) => !parts.some(test)),
};

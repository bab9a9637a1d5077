import { CommandError } from "../errors";
import { type Doc, isArray, isDoc } from "../values/bson";
import { type Compile, type Expression, isTruthy, type Known } from "./scope";

/** Operators that decide themselves which of their operands to evaluate, or that bring variables of their own. */
type Form = (operand: unknown, known: Known, compile: Compile) => Expression;

const list = (operand: unknown): unknown[] => (isArray(operand) ? operand : [operand]);

function fieldsOf(name: string, operand: unknown, required: string[], optional: string[] = []): Doc {
  if (!isDoc(operand)) throw new CommandError("FailedToParse", `${name} takes an object`);
  const missing = required.find((key) => !(key in operand));
  if (missing !== undefined) throw new CommandError("FailedToParse", `Missing '${missing}' parameter to ${name}`);
  const unknown = Object.keys(operand).find((key) => !required.includes(key) && !optional.includes(key));
  if (unknown !== undefined) throw new CommandError("FailedToParse", `Unrecognized parameter to ${name}: ${unknown}`);
  return operand;
}

const withVariable = (known: Known, ...names: string[]): Known => new Set([...known, ...names]);

const nameOf = (value: unknown): string => (typeof value === "string" ? value : "this");

const cond: Form = (operand, known, compile) => {
  const parts = isArray(operand) ? operand : fieldsInOrder(operand);
  if (parts.length !== 3) throw new CommandError(16_020, "Expression $cond takes exactly 3 arguments");
  const [test, yes, no] = parts.map((part: unknown) => compile(part, known));
  return (scope) => (isTruthy(test?.(scope)) ? yes?.(scope) : no?.(scope));
};

function fieldsInOrder(operand: unknown): unknown[] {
  const fields = fieldsOf("$cond", operand, ["if", "then", "else"]);
  return [fields["if"], fields["then"], fields["else"]];
}

const switchForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$switch", operand, ["branches"], ["default"]);
  const branches = list(fields["branches"]).map((branch) => {
    const parts = fieldsOf("$switch", branch, ["case", "then"]);
    return { test: compile(parts["case"], known), result: compile(parts["then"], known) };
  });
  const otherwise = "default" in fields ? compile(fields["default"], known) : undefined;
  return (scope) => {
    const branch = branches.find(({ test }) => isTruthy(test(scope)));
    if (branch !== undefined) return branch.result(scope);
    if (otherwise === undefined) throw new CommandError(40_066, "$switch could not find a matching branch");
    return otherwise(scope);
  };
};

const letForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$let", operand, ["vars", "in"]);
  const vars = isDoc(fields["vars"]) ? fields["vars"] : {};
  const bound = Object.keys(vars).map((name): [string, Expression] => [name, compile(vars[name], known)]);
  const body = compile(fields["in"], withVariable(known, ...Object.keys(vars)));
  return (scope) => {
    const added = Object.fromEntries(bound.map(([name, value]) => [name, value(scope)]));
    return body({ ...scope, variables: { ...scope.variables, ...added } });
  };
};

/** Evaluates `body` once per element of an array; null for a missing array. */
function overArray<T>(
  name: string,
  input: Expression,
  each: (items: unknown[], scope: Parameters<Expression>[0]) => T,
) {
  return (scope: Parameters<Expression>[0]): T | null => {
    const items = input(scope);
    if (items === undefined || items === null) return null;
    if (!isArray(items)) throw new CommandError(28_651, `input to ${name} must be an array`);
    return each(items, scope);
  };
}

const map: Form = (operand, known, compile) => {
  const fields = fieldsOf("$map", operand, ["input", "in"], ["as"]);
  const as = nameOf(fields["as"]);
  const body = compile(fields["in"], withVariable(known, as));
  return overArray("$map", compile(fields["input"], known), (items, scope) =>
    items.map((item) => body({ ...scope, variables: { ...scope.variables, [as]: item } }) ?? null),
  );
};

const filter: Form = (operand, known, compile) => {
  const fields = fieldsOf("$filter", operand, ["input", "cond"], ["as"]);
  const as = nameOf(fields["as"]);
  const test = compile(fields["cond"], withVariable(known, as));
  return overArray("$filter", compile(fields["input"], known), (items, scope) =>
    items.filter((item) => isTruthy(test({ ...scope, variables: { ...scope.variables, [as]: item } }))),
  );
};

const reduce: Form = (operand, known, compile) => {
  const fields = fieldsOf("$reduce", operand, ["input", "initialValue", "in"]);
  const initial = compile(fields["initialValue"], known);
  const body = compile(fields["in"], withVariable(known, "this", "value"));
  return overArray("$reduce", compile(fields["input"], known), (items, scope) =>
    items.reduce<unknown>(
      (value, item) => body({ ...scope, variables: { ...scope.variables, this: item, value } }),
      initial(scope),
    ),
  );
};

const ifNull: Form = (operand, known, compile) => {
  const parts = list(operand).map((part) => compile(part, known));
  if (parts.length < 2) throw new CommandError(1_257_300, "$ifNull needs at least two arguments");
  return (scope) => {
    for (const part of parts.slice(0, -1)) {
      const value = part(scope);
      if (value !== undefined && value !== null) return value;
    }
    return parts.at(-1)?.(scope);
  };
};

/** The one way to write a field whose name holds a dot or a dollar. */
const setFieldForm: Form = (operand, known, compile) => {
  const fields = fieldsOf("$setField", operand, ["field", "input", "value"]);
  const name = isDoc(fields["field"]) && "$literal" in fields["field"] ? fields["field"]["$literal"] : fields["field"];
  if (typeof name !== "string")
    throw new CommandError(4_161_107, "$setField requires 'field' to evaluate to a constant string");
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

export const specialForms: Record<string, Form> = {
  $literal: (operand) => () => operand,
  $cond: cond,
  $switch: switchForm,
  $ifNull: ifNull,
  $let: letForm,
  $map: map,
  $filter: filter,
  $reduce: reduce,
  $setField: setFieldForm,
  $and: (operand, known, compile) => {
    const parts = list(operand).map((part) => compile(part, known));
    return (scope) => parts.every((part) => isTruthy(part(scope)));
  },
  $or: (operand, known, compile) => {
    const parts = list(operand).map((part) => compile(part, known));
    return (scope) => parts.some((part) => isTruthy(part(scope)));
  },
  $not: (operand, known, compile) => {
    const part = compile(list(operand)[0], known);
    return (scope) => !isTruthy(part(scope));
  },
};

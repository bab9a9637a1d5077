import { Decimal128, Double, Int32, Long, Timestamp } from "bson";
import { CommandError, notSupported } from "../errors";
import { compileMatch, isOperatorDoc, type MatchContext } from "../query/match";
import {
  type BsonNumber,
  copy,
  type Doc,
  isArray,
  isDecimal,
  isDoc,
  isDouble,
  isInt,
  isNumber,
  isRegex,
  typeOf,
} from "../values/bson";
import { arithmetic, toSafeInteger } from "../values/numbers";
import { compare, equal } from "../values/order";
import { compilePush } from "./push";

/** What an operator does to the present value; `unchanged` leaves it, `undefined` removes it. */
export type Change = (current: unknown, isInsert: boolean) => unknown;

export const unchanged = Symbol("unchanged");

export interface ChangeContext {
  match: MatchContext;
  now: Date;
}

type Builder = (operand: unknown, path: string, context: ChangeContext) => Change;

interface UpdateOperator {
  /** False for operators that do nothing where the path ends early. */
  creates: boolean;
  build: Builder;
}

function requireNumber(operator: string, operand: unknown, path: string): BsonNumber {
  if (isNumber(operand)) return operand;
  const verb = operator === "$inc" ? "increment" : "multiply";
  throw new CommandError("TypeMismatch", `Cannot ${verb} with non-numeric argument: {${path}: ${typeOf(operand)}}`);
}

function requireNumericField(operator: string, current: unknown, path: string): BsonNumber {
  if (isNumber(current)) return current;
  throw new CommandError(
    "TypeMismatch",
    `Cannot apply ${operator} to a value of non-numeric type: the field '${path}' is of type ${typeOf(current)}`,
  );
}

const inc: Builder = (operand, path) => {
  const by = requireNumber("$inc", operand, path);
  return (current) => (current === undefined ? by : arithmetic("add", requireNumericField("$inc", current, path), by));
};

const mul: Builder = (operand, path) => {
  const by = requireNumber("$mul", operand, path);
  return (current) => {
    if (current === undefined) return zeroLike(by);
    return arithmetic("multiply", requireNumericField("$mul", current, path), by);
  };
};

function zeroLike(value: BsonNumber): BsonNumber {
  if (isDecimal(value)) return Decimal128.fromString("0");
  if (isDouble(value)) return new Double(0);
  return isInt(value) ? new Int32(0) : Long.ZERO;
}

const extreme =
  (direction: 1 | -1): Builder =>
  (operand) =>
  (current) =>
    current === undefined || compare(operand, current) * direction > 0 ? operand : unchanged;

const currentDate: Builder = (operand, _path, { now }) => {
  const type = isDoc(operand) ? operand["$type"] : operand === true ? "date" : undefined;
  if (type === "date") return () => now;
  if (type === "timestamp") return () => new Timestamp({ t: Math.floor(now.getTime() / 1_000), i: 1 });
  throw new CommandError("BadValue", "$currentDate takes true or {$type: 'date' | 'timestamp'}");
};

function requireArrayField(current: unknown, path: string): unknown[] {
  if (isArray(current)) return current;
  throw new CommandError("BadValue", `The field '${path}' must be an array but is of type ${typeOf(current)}`);
}

const addToSet: Builder = (operand, path) => {
  const hasEach = isDoc(operand) && "$each" in operand;
  const items: unknown = hasEach ? operand["$each"] : [operand];
  if (!isArray(items)) throw new CommandError("TypeMismatch", "The argument to $each in $addToSet must be an array");
  return (current) => {
    const present = current === undefined ? [] : [...requireArrayField(current, path)];
    for (const item of items) if (!present.some((known) => equal(known, item))) present.push(item);
    return present;
  };
};

const pop: Builder = (operand, path) => {
  const end = toSafeInteger(operand);
  if (end !== 1 && end !== -1) throw new CommandError("FailedToParse", "$pop expects 1 or -1");
  return (current) => {
    if (current === undefined) return unchanged;
    if (!isArray(current))
      throw new CommandError("TypeMismatch", `Path '${path}' contains an element of non-array type`);
    return end === 1 ? current.slice(0, -1) : current.slice(1);
  };
};

/** Conditions of `$pull` are queries on the elements; a plain value means equality. */
function pullTest(operand: unknown, context: ChangeContext): (item: unknown) => boolean {
  if (isOperatorDoc(operand) || isRegex(operand)) {
    const match = compileMatch({ item: operand }, context.match);
    return (item) => match({ item });
  }
  if (!isDoc(operand)) return (item) => equal(item, operand);
  const match = compileMatch(operand, context.match);
  return (item) => isDoc(item) && match(item);
}

const pull: Builder = (operand, path, context) => {
  const test = pullTest(operand, context);
  return (current) =>
    current === undefined ? unchanged : requireArrayField(current, path).filter((item) => !test(item));
};

const pullAll: Builder = (operand, path) => {
  if (!isArray(operand)) throw new CommandError("BadValue", "$pullAll requires an array argument");
  return (current) => {
    if (current === undefined) return unchanged;
    return requireArrayField(current, path).filter((item) => !operand.some((removed) => equal(removed, item)));
  };
};

const operators: Record<string, UpdateOperator> = {
  $set: { creates: true, build: (operand) => () => copy(operand) },
  $setOnInsert: { creates: true, build: (operand) => (_current, isInsert) => (isInsert ? copy(operand) : unchanged) },
  $unset: { creates: false, build: () => () => undefined },
  $inc: { creates: true, build: inc },
  $mul: { creates: true, build: mul },
  $min: { creates: true, build: extreme(-1) },
  $max: { creates: true, build: extreme(1) },
  $currentDate: { creates: true, build: currentDate },
  $push: { creates: true, build: compilePush },
  $addToSet: { creates: true, build: addToSet },
  $pop: { creates: false, build: pop },
  $pull: { creates: false, build: pull },
  $pullAll: { creates: false, build: pullAll },
};

export interface CompiledChange {
  creates: boolean;
  change: Change;
}

export function compileChange(name: string, operand: unknown, path: string, context: ChangeContext): CompiledChange {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator !== undefined) return { creates: operator.creates, change: operator.build(operand, path, context) };
  if (name === "$bit") throw notSupported("$bit");
  throw new CommandError(
    "FailedToParse",
    `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
  );
}

/** Field names and operands of one operator. */
export function requireFields(name: string, operand: unknown): Doc {
  if (isDoc(operand)) return operand;
  throw new CommandError(
    "FailedToParse",
    `Modifiers operate on fields but we found type ${typeOf(operand)} for ${name}`,
  );
}

import { Decimal128, Double, Int32, Long, Timestamp } from "bson";
import { CommandError, demand, notSupported } from "../errors";
import { compileMatch, isOperatorDoc, type MatchContext } from "../query/match";
import { makeSorter, parseSort } from "../query/sort";
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
import { arithmetic, type Operation, toSafeInteger } from "../values/numbers";
import { compare, equal } from "../values/order";

/** The effect of an operator on the current value; `unchanged` leaves it, `undefined` removes it. */
export type Change = (current: unknown, isInsert: boolean) => unknown;

export const unchanged = Symbol("unchanged");

export interface ChangeContext {
  match: MatchContext;
  now: Date;
}

type Builder = (operand: unknown, path: string, context: ChangeContext) => Change;

const calculate =
  (name: string, operation: Operation, initial: (by: BsonNumber) => BsonNumber): Builder =>
  (by, path) => {
    demand(isNumber(by), "TypeMismatch", `Cannot apply ${name} with non-numeric argument: {${path}: ${typeOf(by)}}`);
    return (current) => {
      if (current === undefined) return initial(by);
      const message = `Cannot apply ${name} to a value of non-numeric type: '${path}' is of type ${typeOf(current)}`;
      demand(isNumber(current), "TypeMismatch", message);
      return arithmetic(operation, current, by);
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
  demand(type === "timestamp", "BadValue", "$currentDate takes true or {$type: 'date' | 'timestamp'}");
  return () => new Timestamp({ t: Math.floor(now.getTime() / 1_000), i: 1 });
};

/** Changes an array. A missing one counts as empty for those that add, and is left alone by those that remove. */
function onArray(path: string, ofMissing: [] | undefined, change: (items: unknown[]) => unknown[]): Change {
  return (current) => {
    const items = current === undefined ? ofMissing : current;
    if (items === undefined) return unchanged;
    demand(isArray(items), "BadValue", `The field '${path}' must be an array but is of type ${typeOf(items)}`);
    return change(items);
  };
}

function eachOf(operator: string, operand: Doc): unknown[] {
  const items = operand["$each"];
  const code = operator === "$push" ? "BadValue" : "TypeMismatch";
  demand(isArray(items), code, `The argument to $each in ${operator} must be an array`);
  return items;
}

const addToSet: Builder = (operand, path) => {
  const items = isDoc(operand) && "$each" in operand ? eachOf("$addToSet", operand) : [operand];
  return onArray(path, [], (present) => {
    const set = [...present];
    for (const item of items) if (!set.some((known) => equal(known, item))) set.push(item);
    return set;
  });
};

/** With `$each`, `$position`, `$sort` and `$slice`, applied in that order. */
const push: Builder = (operand, path) => {
  if (!isDoc(operand) || !("$each" in operand)) return onArray(path, [], (present) => [...present, operand]);
  const { $each: _each, $position, $slice, $sort, ...others } = operand;
  const [unknown] = Object.keys(others);
  demand(unknown === undefined, "BadValue", `Unrecognized clause in $push: ${unknown}`);
  const items = eachOf("$push", operand);
  const position = integerIn("$position", $position) ?? Number.POSITIVE_INFINITY;
  const slice = integerIn("$slice", $slice);
  const order = $sort === undefined ? (joined: unknown[]) => joined : compileOrder($sort);
  return onArray(path, [], (present) => {
    const ordered = order(present.toSpliced(position, 0, ...items));
    if (slice === undefined) return ordered;
    return slice < 0 ? ordered.slice(slice) : ordered.slice(0, slice);
  });
};

function integerIn(name: string, value: unknown): number | undefined {
  const number = toSafeInteger(value);
  demand(value === undefined || number !== undefined, "BadValue", `The value for ${name} must be an integer`);
  return number;
}

/** Whole elements sort by value, documents by their fields. */
function compileOrder(spec: unknown): (items: unknown[]) => unknown[] {
  if (!isDoc(spec)) {
    const direction = toSafeInteger(spec);
    demand(direction === 1 || direction === -1, "BadValue", "The $sort element value must be either 1 or -1");
    return (items) => items.toSorted((left, right) => compare(left, right) * direction);
  }
  const fields = parseSort(spec);
  return (items) => {
    const sorter = makeSorter<unknown>(fields, Number.POSITIVE_INFINITY);
    for (const item of items) sorter.add(isDoc(item) ? item : {}, item);
    return sorter.sorted();
  };
}

const pop: Builder = (operand, path) => {
  const end = toSafeInteger(operand);
  demand(end === 1 || end === -1, "FailedToParse", "$pop expects 1 or -1");
  return onArray(path, undefined, (items) => (end === 1 ? items.slice(0, -1) : items.slice(1)));
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
  return onArray(path, undefined, (items) => items.filter((item) => !test(item)));
};

const pullAll: Builder = (operand, path) => {
  demand(isArray(operand), "BadValue", "$pullAll requires an array argument");
  return onArray(path, undefined, (items) => items.filter((item) => !operand.some((removed) => equal(removed, item))));
};

const operators: Record<string, Builder> = {
  $set: (operand) => () => copy(operand),
  $setOnInsert: (operand) => (_current, isInsert) => (isInsert ? copy(operand) : unchanged),
  $unset: () => () => undefined,
  $inc: calculate("$inc", "add", (by) => by),
  $mul: calculate("$mul", "multiply", zeroLike),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
};

export function changeBuilder(name: string): Builder {
  const build = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (build !== undefined) return build;
  if (name === "$bit") throw notSupported("$bit");
  throw new CommandError("FailedToParse", `Unknown modifier: ${name}. Expected a valid update modifier or a pipeline`);
}

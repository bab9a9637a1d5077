import { type Doc, isArray, isDoc, isNumber, isRegex, typeOf } from "../values/bson";
import { keyAfter, keyOf, rankKey } from "../values/keys";
import { isNaNValue, toNumber } from "../values/numbers";
import { isOperatorDoc } from "./match";

/** Keys from `lower` up to, not including, `upper`. */
export interface Range {
  lower: Buffer;
  upper: Buffer;
}

/** A filter's conditions on one field, as keys. Points are single values. */
export interface Bounds {
  points?: Buffer[] | undefined;
  /** All range conditions joined: what a single value has to meet. */
  range?: Range | undefined;
  /** One range condition alone: of an array, one element meets it and another element may meet the next condition. */
  oneRange?: Range | undefined;
  /** A value is required: neither null nor missing matches. */
  isPresent: boolean;
}

export type Conditions = Map<string, Bounds>;

export function conditionsOf(filter: Doc): Conditions {
  const conditions: Conditions = new Map();
  for (const [name, operand] of Object.entries(filter)) {
    if (name === "$and" && isArray(operand)) {
      for (const clause of operand.filter(isDoc))
        for (const [path, bounds] of conditionsOf(clause)) narrow(conditions, path, bounds);
    } else if (!name.startsWith("$")) {
      narrow(conditions, name, boundsOf(operand));
    }
  }
  return conditions;
}

function narrow(conditions: Conditions, name: string, bounds: Bounds | undefined): void {
  if (bounds === undefined) return;
  const known = conditions.get(name);
  conditions.set(name, {
    points: bounds.points?.length === 0 ? bounds.points : (known?.points ?? bounds.points),
    range: intersect(known?.range, bounds.range),
    oneRange: known?.oneRange ?? bounds.oneRange,
    isPresent: known?.isPresent === true || bounds.isPresent,
  });
}

function intersect(left: Range | undefined, right: Range | undefined): Range | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    lower: left.lower.compare(right.lower) >= 0 ? left.lower : right.lower,
    upper: left.upper.compare(right.upper) <= 0 ? left.upper : right.upper,
  };
}

/** True when nothing can meet the conditions: a field that must be in an empty list. */
export const isEmpty = (conditions: Conditions): boolean =>
  [...conditions.values()].some(({ points }) => points?.length === 0);

/** Returns the bounds of one field's condition; undefined when it has nothing that an index could use. */
function boundsOf(operand: unknown): Bounds | undefined {
  if (isRegex(operand)) return undefined;
  if (!isOperatorDoc(operand)) return equality(operand);
  const conditions: Conditions = new Map();
  for (const [operator, value] of Object.entries(operand)) narrow(conditions, "", operatorBounds(operator, value));
  return conditions.get("");
}

function operatorBounds(operator: string, operand: unknown): Bounds | undefined {
  if (operator === "$eq") return equality(operand);
  if (operator === "$in") return membership(operand);
  if (operator === "$ne") return operand === null ? { isPresent: true } : undefined;
  if (operator === "$exists")
    return operand === true || (isNumber(operand) && toNumber(operand) !== 0) ? { isPresent: true } : undefined;
  if (!["$gt", "$gte", "$lt", "$lte"].includes(operator)) return undefined;
  if (!rangeTypes.has(typeOf(operand)) || (isNumber(operand) && isNaNValue(operand))) return undefined;
  const key = keyOf(operand);
  const rank = rankKey(operand);
  const range = {
    lower: operator === "$gt" ? keyAfter(key) : operator === "$gte" ? key : rank,
    upper: operator === "$lt" ? key : operator === "$lte" ? keyAfter(key) : keyAfter(rank),
  };
  return { range, oneRange: range, isPresent: true };
}

const rangeTypes = new Set("int long double decimal string date objectId bool timestamp binData".split(" "));

const equality = (operand: unknown): Bounds | undefined =>
  isArray(operand) ? undefined : { points: [keyOf(operand)], isPresent: operand !== null };

function membership(operand: unknown): Bounds | undefined {
  if (!isArray(operand) || operand.some((item) => isArray(item) || isRegex(item))) return undefined;
  const unique = new Map(operand.map((item) => keyOf(item)).map((key) => [key.toString("latin1"), key]));
  return { points: [...unique.values()], isPresent: !operand.includes(null) };
}

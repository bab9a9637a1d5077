import { type Doc, isArray, isDoc, isNumber, isRegex } from "../values/bson";
import { isNaNValue, toSafeInteger } from "../values/numbers";
import { compare, equal, rankOf } from "../values/order";
import { isOperatorDoc } from "./match";

interface Leaf {
  kind: "leaf";
  path: string;
  operator: string;
  operand: unknown;
}

interface Conjunction {
  kind: "and";
  parts: Expression[];
}

interface Disjunction {
  kind: "or";
  parts: Expression[];
}

type Expression = Leaf | Conjunction | Disjunction;

/**
 * True when MongoDB assumes that every match of `filter` matches `partial`, the filter of a partial index. It compares the expressions, not
 * their meaning: `{a: "x"}` does not imply `{a: {$type: "string"}}`, so an index with that filter does not serve the query.
 */
export const impliesPartial = (filter: Doc, partial: Doc): boolean =>
  isSubset(expressionOf(filter), expressionOf(partial));

function isSubset(query: Expression, index: Expression): boolean {
  if (index.kind === "or" && index.parts.some((part) => isSubset(query, part))) return true;
  if (index.kind === "and") return index.parts.every((part) => isSubset(query, part));
  if (query.kind === "and") return query.parts.some((part) => isSubset(part, index));
  if (query.kind === "or") return query.parts.every((part) => isSubset(part, index));
  return index.kind === "leaf" && query.path === index.path && isLeafSubset(query, index);
}

const orders = new Set(["$eq", "$lt", "$lte", "$gt", "$gte"]);

function isLeafSubset(query: Leaf, index: Leaf): boolean {
  if (query.operator === index.operator && equal(query.operand, index.operand)) return true;
  if (index.operator === "$exists") return isTrue(index.operand) && requiresValue(query);
  if (index.operator === "$in") {
    const members = isArray(index.operand) ? index.operand : [];
    const wanted = equalitiesOf(query);
    return (
      wanted.length > 0 && wanted.every(({ operand }) => members.some((member: unknown) => equal(member, operand)))
    );
  }
  if (!orders.has(index.operator)) return false;
  if (query.operator !== "$in") return orders.has(query.operator) && isWithin(query, index);
  const members = equalitiesOf(query);
  return members.length > 0 && members.every((one) => isWithin(one, index));
}

/** An equality counts as one; a list of values as one for each. Patterns in a list do not count. */
function equalitiesOf(leaf: Leaf): Leaf[] {
  if (leaf.operator === "$eq") return [leaf];
  if (leaf.operator !== "$in" || !isArray(leaf.operand) || leaf.operand.some(isRegex)) return [];
  return leaf.operand.map((operand: unknown) => ({ ...leaf, operator: "$eq", operand }));
}

function isWithin(query: Leaf, index: Leaf): boolean {
  if (rankOf(query.operand) !== rankOf(index.operand) || isNaNOperand(query) || isNaNOperand(index)) return false;
  const order = compare(query.operand, index.operand);
  const direction = index.operator.slice(0, 3);
  if (index.operator === "$eq") return query.operator === "$eq" && order === 0;
  if (query.operator !== "$eq" && query.operator.slice(0, 3) !== direction) return false;
  if (order === 0) return query.operator === index.operator || index.operator.endsWith("e");
  return direction === "$lt" ? order < 0 : order > 0;
}

const isNaNOperand = ({ operand }: Leaf): boolean => isNumber(operand) && isNaNValue(operand);

const alwaysPresent = new Set(["$elemMatch", "$mod", "$regex", "$size", "$type"]);

/** True when neither null nor a missing field can meet the condition. */
function requiresValue({ operator, operand }: Leaf): boolean {
  if (orders.has(operator)) return operand !== null;
  if (operator === "$in") return isArray(operand) && !operand.includes(null);
  if (operator === "$nin") return isArray(operand) && operand.includes(null);
  if (operator === "$ne") return operand === null;
  return operator === "$exists" ? isTrue(operand) : alwaysPresent.has(operator);
}

const isTrue = (operand: unknown): boolean =>
  isNumber(operand) ? toSafeInteger(operand) !== 0 : operand !== false && operand !== null;

/** Returns a filter as a tree. Anything but a condition on one field or a junction of such is a leaf that implies nothing. */
function expressionOf(filter: Doc): Expression {
  const parts = Object.entries(filter).map(([name, operand]): Expression => {
    const clauses = isArray(operand) ? operand.filter(isDoc) : [];
    if (name === "$and" || name === "$or") {
      return { kind: name === "$and" ? "and" : "or", parts: clauses.map(expressionOf) };
    }
    return name.startsWith("$") ? leafOf(name, name, operand) : fieldExpression(name, operand);
  });
  return joined(parts);
}

function fieldExpression(path: string, operand: unknown): Expression {
  if (isRegex(operand)) return leafOf(path, "$regex", operand);
  if (!isOperatorDoc(operand)) return leafOf(path, "$eq", operand);
  const operators = Object.entries(operand).filter(([operator]) => operator !== "$options");
  return joined(
    operators.map(([operator, value]) =>
      operator === "$all" && isArray(value)
        ? joined(value.map((one: unknown) => leafOf(path, "$eq", one)))
        : leafOf(path, operator, value),
    ),
  );
}

function joined(parts: Expression[]): Expression {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: "and", parts };
}

const leafOf = (path: string, operator: string, operand: unknown): Leaf => ({ kind: "leaf", path, operator, operand });

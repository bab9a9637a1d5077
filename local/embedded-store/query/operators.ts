import { CommandError, notSupported } from "../errors";
import { type Doc, isArray, isDoc, isNumber, isRegex, type TypeName, typeOf } from "../values/bson";
import { isNaNValue, toInteger, toSafeInteger } from "../values/numbers";
import { compare, equal, rankOf } from "../values/order";
import { bitsTest } from "./bits";
import { candidatesAt, type Path, valuesAt } from "./paths";
import { regexTest } from "./regex";

/** Tests the values that a path reaches in a document. */
export type ValueTest = (doc: Doc, path: Path) => boolean;

interface Nested {
  match(filter: Doc): (doc: Doc) => boolean;
  operand(operand: unknown): ValueTest[];
}

type Builder = (operand: unknown, siblings: Doc, nested: Nested) => ValueTest;

const anyCandidate =
  (test: (value: unknown) => boolean): ValueTest =>
  (doc, path) =>
    candidatesAt(doc, path).some(test);

const not =
  (test: ValueTest): ValueTest =>
  (doc, path) =>
    !test(doc, path);

/** Equality also finds missing fields when the operand is null. */
function equalityTest(operand: unknown): (value: unknown) => boolean {
  if (operand === null) return (value) => value === null || value === undefined;
  return (value) => value !== undefined && equal(value, operand);
}

type Order = "$gt" | "$gte" | "$lt" | "$lte";

const accepts: Record<Order, (order: number) => boolean> = {
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
};

/** Ranges hold within one type only, except against MinKey and MaxKey. */
function rangeTest(operator: Order, operand: unknown): (value: unknown) => boolean {
  const accept = accepts[operator];
  const includesEqual = operator === "$gte" || operator === "$lte";
  if (operand === null) return (value) => includesEqual && (value === null || value === undefined);
  if (isRegex(operand))
    throw new CommandError("BadValue", `Can't have RegEx as arg to predicate over field '${operator}'`);
  if (isNumber(operand) && isNaNValue(operand)) {
    return (value) => includesEqual && isNumber(value) && isNaNValue(value);
  }
  const rank = rankOf(operand);
  const isEdge = rank === rankOf(undefined) || typeOf(operand) === "minKey" || typeOf(operand) === "maxKey";
  return (value) => {
    if (value === undefined || (rankOf(value) !== rank && !isEdge)) return false;
    if (isNumber(value) && isNaNValue(value)) return false;
    return accept(compare(value, operand));
  };
}

const range =
  (operator: Order): Builder =>
  (operand) =>
    anyCandidate(rangeTest(operator, operand));

function requireArray(operator: string, operand: unknown): unknown[] {
  if (!isArray(operand)) throw new CommandError("BadValue", `${operator} needs an array`);
  return operand;
}

function inTest(operator: string, operand: unknown): ValueTest {
  const tests = requireArray(operator, operand).map((item) => {
    if (isDoc(item) && Object.keys(item)[0]?.startsWith("$")) {
      throw new CommandError("BadValue", `cannot nest $ under ${operator}`);
    }
    return isRegex(item) ? regexTest(item, undefined) : equalityTest(item);
  });
  return anyCandidate((value) => tests.some((test) => test(value)));
}

function elemMatch(operand: unknown, nested: Nested): ValueTest {
  if (!isDoc(operand)) throw new CommandError("BadValue", "$elemMatch needs an Object");
  const first = Object.keys(operand)[0];
  const isValueForm = first?.startsWith("$") === true && !["$and", "$or", "$nor", "$expr"].includes(first);
  const test = isValueForm ? valueForm(nested.operand(operand)) : docForm(nested.match(operand));
  return (doc, path) => valuesAt(doc, path).some((value) => isArray(value) && value.some(test));
}

const docForm = (match: (doc: Doc) => boolean) => (item: unknown) => isDoc(item) && match(item);

/** Each element is tested as the field of a small document, so that the field operators apply unchanged. */
const valueForm = (tests: ValueTest[]) => (item: unknown) => tests.every((test) => test({ item }, ["item"]));

function all(operand: unknown, nested: Nested): ValueTest {
  const tests = requireArray("$all", operand).map((item): ValueTest => {
    if (isDoc(item) && "$elemMatch" in item) return elemMatch(item["$elemMatch"], nested);
    return anyCandidate(isRegex(item) ? regexTest(item, undefined) : equalityTest(item));
  });
  return (doc, path) => tests.length > 0 && tests.every((test) => test(doc, path));
}

const typeNumbers: Record<number, string> = {
  1: "double",
  2: "string",
  3: "object",
  4: "array",
  5: "binData",
  7: "objectId",
  8: "bool",
  9: "date",
  10: "null",
  11: "regex",
  13: "javascript",
  16: "int",
  17: "timestamp",
  18: "long",
  19: "decimal",
  [-1]: "minKey",
  127: "maxKey",
};
const typeNames = new Set([...Object.values(typeNumbers), "number"]);
const numberTypes = new Set<TypeName>(["int", "long", "double", "decimal"]);

function typeTest(operand: unknown): ValueTest {
  const wanted = (isArray(operand) ? operand : [operand]).map((item: unknown) => {
    const name = typeof item === "string" ? item : typeNumbers[toSafeInteger(item) ?? 0];
    if (name === undefined || !typeNames.has(name))
      throw new CommandError("BadValue", `Unknown type name alias: ${String(item)}`);
    return name;
  });
  return anyCandidate((value) => {
    const type = typeOf(value);
    return wanted.some((name) => name === type || (name === "number" && numberTypes.has(type)));
  });
}

function modTest(operand: unknown): ValueTest {
  const [divisor, remainder] = requireArray("$mod", operand);
  if (!isNumber(divisor) || !isNumber(remainder) || toInteger(divisor) === 0n) {
    throw new CommandError("BadValue", "malformed mod, needs a non-zero divisor and a remainder");
  }
  const [by, rest] = [toInteger(divisor), toInteger(remainder)];
  return anyCandidate((value) => isNumber(value) && !isNaNValue(value) && toInteger(value) % by === rest);
}

function sizeTest(operand: unknown): ValueTest {
  const size = toSafeInteger(operand);
  if (size === undefined || size < 0)
    throw new CommandError("BadValue", "Failed to parse $size. Expected a non-negative integer");
  return (doc, path) => valuesAt(doc, path).some((value) => isArray(value) && value.length === size);
}

function isTrue(operand: unknown): boolean {
  if (isNumber(operand)) return toSafeInteger(operand) !== 0;
  return operand !== false && operand !== null;
}

const exists: ValueTest = (doc, path) => valuesAt(doc, path).some((value) => value !== undefined);

const builders: Record<string, Builder> = {
  $eq: (operand) => anyCandidate(equalityTest(operand)),
  $ne: (operand) => not(anyCandidate(equalityTest(operand))),
  $gt: range("$gt"),
  $gte: range("$gte"),
  $lt: range("$lt"),
  $lte: range("$lte"),
  $in: (operand) => inTest("$in", operand),
  $nin: (operand) => not(inTest("$nin", operand)),
  $exists: (operand) => (isTrue(operand) ? exists : not(exists)),
  $type: typeTest,
  $size: sizeTest,
  $mod: modTest,
  $all: (operand, _siblings, nested) => all(operand, nested),
  $elemMatch: (operand, _siblings, nested) => elemMatch(operand, nested),
  $regex: (operand, siblings) => anyCandidate(regexTest(operand, siblings["$options"])),
  $not: (operand, _siblings, nested) => {
    if (!isRegex(operand) && !isDoc(operand)) throw new CommandError("BadValue", "$not needs a regex or a document");
    const tests = nested.operand(operand);
    return (doc, path) => !tests.every((test) => test(doc, path));
  },
  $bitsAllSet: (operand) => anyCandidate(bitsTest("$bitsAllSet", operand)),
  $bitsAnySet: (operand) => anyCandidate(bitsTest("$bitsAnySet", operand)),
  $bitsAllClear: (operand) => anyCandidate(bitsTest("$bitsAllClear", operand)),
  $bitsAnyClear: (operand) => anyCandidate(bitsTest("$bitsAnyClear", operand)),
};

const refused = new Set(["$geoWithin", "$geoIntersects", "$near", "$nearSphere", "$where", "$text"]);

export function predicateOf(name: string, operand: unknown, siblings: Doc, nested: Nested): ValueTest {
  const builder = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (builder !== undefined) return builder(operand, siblings, nested);
  if (refused.has(name)) throw notSupported(name);
  throw new CommandError("BadValue", `unknown operator: ${name}`);
}

import { CommandError, demand, notSupported } from "../errors";
import { type Doc, isArray, isDoc, isNumber, isRegex, typeOf } from "../values/bson";
import { isNaNValue, toInteger, toSafeInteger } from "../values/numbers";
import { compare, equal, rankOf } from "../values/order";
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

const eq = (operand: unknown): ValueTest => anyCandidate(equalityTest(operand));

/** Ranges hold within one type only, except against MinKey and MaxKey. */
const range =
  (accept: (order: number) => boolean): Builder =>
  (operand) => {
    const includesEqual = accept(0);
    if (operand === null) return anyCandidate((value) => includesEqual && (value === null || value === undefined));
    demand(!isRegex(operand), "BadValue", "Can't have RegEx as arg to a predicate of order");
    if (isNumber(operand) && isNaNValue(operand))
      return anyCandidate((value) => includesEqual && isNumber(value) && isNaNValue(value));
    const rank = rankOf(operand);
    const isEdge = ["missing", "minKey", "maxKey"].includes(typeOf(operand));
    return anyCandidate((value) => {
      if (value === undefined || (rankOf(value) !== rank && !isEdge)) return false;
      if (isNumber(value) && isNaNValue(value)) return false;
      return accept(compare(value, operand));
    });
  };

function arrayIn(operator: string, operand: unknown): unknown[] {
  demand(isArray(operand), "BadValue", `${operator} needs an array`);
  return operand;
}

function inTest(operator: string, operand: unknown): ValueTest {
  const tests = arrayIn(operator, operand).map((item) => {
    const isOperator = isDoc(item) && Object.keys(item)[0]?.startsWith("$") === true;
    demand(!isOperator, "BadValue", `cannot nest $ under ${operator}`);
    return isRegex(item) ? regexTest(item, undefined) : equalityTest(item);
  });
  return anyCandidate((value) => tests.some((test) => test(value)));
}

function elemMatch(operand: unknown, nested: Nested): ValueTest {
  demand(isDoc(operand), "BadValue", "$elemMatch needs an Object");
  const first = Object.keys(operand)[0];
  const isValueForm = first?.startsWith("$") === true && !["$and", "$or", "$nor", "$expr"].includes(first);
  const test = isValueForm ? valueForm(nested.operand(operand)) : docForm(nested.match(operand));
  return (doc, path) => valuesAt(doc, path).some((value) => isArray(value) && value.some(test));
}

const docForm = (match: (doc: Doc) => boolean) => (item: unknown) => isDoc(item) && match(item);

/** Each element is tested as the field of a small document, so that the field operators apply unchanged. */
const valueForm = (tests: ValueTest[]) => (item: unknown) => tests.every((test) => test({ item }, ["item"]));

function all(operand: unknown, nested: Nested): ValueTest {
  const tests = arrayIn("$all", operand).map((item): ValueTest => {
    if (isDoc(item) && "$elemMatch" in item) return elemMatch(item["$elemMatch"], nested);
    return isRegex(item) ? anyCandidate(regexTest(item, undefined)) : eq(item);
  });
  return (doc, path) => tests.length > 0 && tests.every((test) => test(doc, path));
}

/** Names of types by their numbers in BSON; the gaps are types that drivers no longer write. */
const typeNames =
  ",double,string,object,array,binData,,objectId,bool,date,null,regex,,javascript,,,int,timestamp,long,decimal".split(
    ",",
  );
const numberTypes = ["int", "long", "double", "decimal"];

function typeTest(operand: unknown): ValueTest {
  const wanted = (isArray(operand) ? operand : [operand]).flatMap((item: unknown) => {
    const number = toSafeInteger(item) ?? 0;
    const name = typeof item === "string" ? item : ({ [-1]: "minKey", 127: "maxKey" }[number] ?? typeNames[number]);
    const isKnown = name !== undefined && name !== "" && [...typeNames, "number", "minKey", "maxKey"].includes(name);
    demand(isKnown, "BadValue", `Unknown type name alias: ${String(item)}`);
    return name === "number" ? numberTypes : [name];
  });
  return anyCandidate((value) => wanted.includes(typeOf(value)));
}

function modTest(operand: unknown): ValueTest {
  const [divisor, remainder] = arrayIn("$mod", operand);
  const isUsable = isNumber(divisor) && isNumber(remainder) && toInteger(divisor) !== 0n;
  demand(isUsable, "BadValue", "malformed mod, needs a non-zero divisor and a remainder");
  const [by, rest] = [toInteger(divisor), toInteger(remainder)];
  return anyCandidate((value) => isNumber(value) && !isNaNValue(value) && toInteger(value) % by === rest);
}

function sizeTest(operand: unknown): ValueTest {
  const size = toSafeInteger(operand);
  demand(size !== undefined && size >= 0, "BadValue", "Failed to parse $size. Expected a non-negative integer");
  return (doc, path) => valuesAt(doc, path).some((value) => isArray(value) && value.length === size);
}

const isTrue = (operand: unknown): boolean =>
  isNumber(operand) ? toSafeInteger(operand) !== 0 : operand !== false && operand !== null;

const exists: ValueTest = (doc, path) => valuesAt(doc, path).some((value) => value !== undefined);

const builders: Record<string, Builder> = {
  $eq: eq,
  $ne: (operand) => not(eq(operand)),
  $gt: range((order) => order > 0),
  $gte: range((order) => order >= 0),
  $lt: range((order) => order < 0),
  $lte: range((order) => order <= 0),
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
    demand(isRegex(operand) || isDoc(operand), "BadValue", "$not needs a regex or a document");
    const tests = nested.operand(operand);
    return (doc, path) => !tests.every((test) => test(doc, path));
  },
};

const refused = new Set(
  `$geoWithin $geoIntersects $near $nearSphere $where $text $bitsAllSet $bitsAnySet $bitsAllClear
  $bitsAnyClear`.split(/\s+/),
);

export function predicateOf(name: string, operand: unknown, siblings: Doc, nested: Nested): ValueTest {
  const builder = Object.hasOwn(builders, name) ? builders[name] : undefined;
  if (builder !== undefined) return builder(operand, siblings, nested);
  if (refused.has(name)) throw notSupported(name);
  throw new CommandError("BadValue", `unknown operator: ${name}`);
}

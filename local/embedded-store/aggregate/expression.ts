import { CommandError, demand, notSupported } from "../errors";
import { splitPath } from "../query/paths";
import { type Doc, field, isArray, isDoc } from "../values/bson";
import { arithmeticOperators } from "./arithmetic";
import { arrayOperators, comparisonOperators, objectOperators, stringOperators } from "./collections";
import { conversionOperators } from "./conversions";
import type { Compile, Expression, Known, Operators } from "./scope";
import { specialForms } from "./special-forms";

/** All operators on evaluated arguments, by name. */
const operators: Operators = {
  ...arithmeticOperators,
  ...comparisonOperators,
  ...stringOperators,
  ...arrayOperators,
  ...objectOperators,
  ...conversionOperators,
};

/** MongoDB has these; a name that it does not have either is an error of its own. */
const refused = new Set(
  `$substr $substrCP $substrBytes $strLenCP $strLenBytes $strcasecmp $split $trim $ltrim $rtrim $indexOfCP $indexOfBytes
  $indexOfArray $regexMatch $regexFind $regexFindAll $replaceOne $replaceAll $slice $setUnion $setIntersection
  $setDifference $setEquals $setIsSubset $anyElementTrue $allElementsTrue $reverseArray $range $zip $sortArray $firstN
  $lastN $minN $maxN $top $bottom $objectToArray $arrayToObject $getField $unsetField $convert $isNumber $exp $ln $log
  $log10 $pow $sqrt $rand $sampleRate $bitAnd $bitOr $bitXor $bitNot $year $month $dayOfMonth $dayOfYear $dayOfWeek $hour $minute $second
  $millisecond $dateToString $reduce $dateAdd $dateSubtract $dateDiff $dateTrunc
  $dateFromParts $dateFromString $dateToParts $week $isoWeek $isoWeekYear $isoDayOfWeek $function $accumulator $meta
  $stdDevPop $stdDevSamp $binarySize $bsonSize $toHashedIndexKey $tsSecond $tsIncrement`.split(/\s+/),
);

export const compileExpression: Compile = (spec, known) => {
  if (typeof spec === "string" && spec.startsWith("$")) return compilePath(spec, known);
  if (isArray(spec)) {
    const items = spec.map((item: unknown) => compileExpression(item, known));
    return (scope) => items.map((item) => item(scope) ?? null);
  }
  if (!isDoc(spec)) return () => spec;
  const [name, ...more] = Object.keys(spec);
  if (name?.startsWith("$") !== true) return compileDoc(spec, known);
  demand(
    more.length === 0,
    15_983,
    `an object representing an expression must have exactly one field: ${name}, ${more.join(", ")}`,
  );
  return compileOperator(name, spec[name], known);
};

function compileOperator(name: string, operand: unknown, known: Known): Expression {
  const form = Object.hasOwn(specialForms, name) ? specialForms[name] : undefined;
  if (form !== undefined) return form(operand, known, compileExpression);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (refused.has(name)) throw notSupported(`the expression ${name}`);
  if (operator === undefined) throw new CommandError(168, `Unrecognized expression '${name}'`);
  const { least, most, apply } = operator;
  const args = (isArray(operand) ? operand : [operand]).map((item: unknown) => compileExpression(item, known));
  demand(args.length >= least && args.length <= most, 16_020, `Expression ${name} takes ${least} to ${most} arguments`);
  return (scope) => apply(args.map((item) => item(scope)));
}

function compileDoc(spec: Doc, known: Known): Expression {
  const fields = Object.keys(spec).map((name): [string, Expression] => [name, compileExpression(spec[name], known)]);
  return (scope) => {
    const values = fields.map(([name, expression]): [string, unknown] => [name, expression(scope)]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
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
  demand(known.has(name), 17_276, `Use of undefined variable: ${name}`);
  return ({ variables }) => readPath(field(variables, name), path, 0);
}

/** Arrays are mapped over: `$items.price` is the array of prices. */
function readPath(value: unknown, path: readonly string[], at: number): unknown {
  const segment = path[at];
  if (segment === undefined) return value;
  if (isDoc(value)) return readPath(field(value, segment), path, at + 1);
  if (!isArray(value)) return undefined;
  const items = value.map((item: unknown) => (isDoc(item) ? readPath(item, path, at) : undefined));
  return items.filter((item) => item !== undefined);
}

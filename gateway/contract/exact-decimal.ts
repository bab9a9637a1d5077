import type { FuncKeywordDefinition, SchemaValidateFunction } from "ajv";
import type { ParsedJson } from "../../services/shared/kernel/json";
import { currencyDigits, type Decimal, parseDecimal, significantDigits } from "../../services/shared/kernel/money";
import type { NumberSchema } from "./schema";

/** The context of a check: the digits of the numbers that it checks, by path. */
export interface CheckContext {
  readonly numbers: ParsedJson["numbers"];
}

type Rule = Pick<NumberSchema, "exactDecimal" | "minimum" | "exclusiveMinimum" | "maximum">;
type Place = Parameters<SchemaValidateFunction>[3];

/** Most significant digits that a float can show. */
const floatDigits = 17;

/**
 * The rule of an exact number in the keyword's form: the keyword also compares its bounds exactly, which the compiler would do with floats.
 */
export const exactRule = ({ exactDecimal, minimum, exclusiveMinimum, maximum }: Rule): Rule =>
  JSON.parse(JSON.stringify({ exactDecimal, minimum, exclusiveMinimum, maximum })) as Rule;

/**
 * The keyword `exactDecimal`: reads a number, or a text that holds one, from the digits that were sent, and puts the Decimal in
 * its place.
 */
const readExactly: SchemaValidateFunction = function read(
  this: CheckContext,
  rule: Rule,
  value: unknown,
  _schema: unknown,
  place: Place,
): boolean {
  const { instancePath = "", parentData, parentDataProperty = "" } = place ?? {};
  const sent = typeof value === "string" ? value : this.numbers.get(instancePath.slice(1).replaceAll("/", "."));
  const decimal = parseDecimal(sent ?? "");
  const message = decimal === undefined ? plainRule(rule) : faultOf(decimal, rule, parentData);
  if (decimal === undefined || message !== undefined) {
    readExactly.errors = [{ keyword: "exactDecimal", instancePath, params: {}, ...(message && { message }) }];
    return false;
  }
  Object(parentData)[parentDataProperty] = decimal;
  return true;
};

export const exactDecimalKeyword: FuncKeywordDefinition = {
  keyword: "exactDecimal",
  type: ["number", "string"],
  schemaType: "object",
  modifying: true,
  errors: "full",
  validate: readExactly,
};

function faultOf(decimal: Decimal, rule: Rule, holder: unknown): string | undefined {
  if (!isWithin(decimal, rule)) return plainRule(rule);
  if (rule.exactDecimal === "float" && significantDigits(decimal) > floatDigits) {
    return `must have at most ${floatDigits} significant digits`;
  }
  if (rule.exactDecimal !== "currency") return undefined;
  const decimals = currencyDigits(String(Object(holder)["currency"]));
  return decimals === undefined || decimal.scale <= decimals ? undefined : `must have at most ${decimals} decimals`;
}

/** Compares as integers; the bounds are whole numbers. */
function isWithin({ digits, scale }: Decimal, { minimum, exclusiveMinimum, maximum }: Rule): boolean {
  const unit = 10n ** BigInt(scale);
  if (minimum !== undefined && digits < BigInt(minimum) * unit) return false;
  if (exclusiveMinimum !== undefined && digits <= BigInt(exclusiveMinimum) * unit) return false;
  return maximum === undefined || digits <= BigInt(maximum) * unit;
}

function plainRule({ minimum, exclusiveMinimum, maximum }: Rule): string {
  const from = exclusiveMinimum === undefined ? ` from ${minimum ?? 0}` : ` above ${exclusiveMinimum}`;
  const upTo = maximum === undefined ? "" : `${exclusiveMinimum === undefined ? " to" : ", at most"} ${maximum}`;
  const hasBounds = minimum !== undefined || exclusiveMinimum !== undefined || maximum !== undefined;
  return `must be a plain decimal number${hasBounds ? `${from}${upTo}` : ""}`;
}

import type { ErrorObject } from "ajv";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import { nearName } from "./near-name";
import type { ObjectSchema, Schema } from "./schema";

/** Most fields that one refusal names. */
const maxViolations = 100;
const maxNamedValues = 20;

/**
 * Returns what is wrong, in plain words: a message for each field, in the order in which the schema names them. Paths are dotted, and
 * `body` names the whole.
 */
export function toViolations(errors: readonly ErrorObject[], schema: Schema): readonly FieldViolation[] {
  const byField = new Map<string, ErrorObject>();
  for (const error of errors) {
    // A condition's own error is left out: the schema that it leads to reports its errors.
    if (error.keyword === "if") continue;
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, error);
  }
  const placed = [...byField].map(([field, error]) => ({ field, error, place: placeOf(schema, field.split(".")) }));
  // Finding the words takes longer than finding the places.
  return placed
    .toSorted((a, b) => comparePlaces(a.place, b.place))
    .slice(0, maxViolations)
    .map(({ field, error }) => ({ field, message: messageOf(error) }));
}

/** The parameter, by keyword, that names the member an error is about, if it is not the value itself. */
const memberParams: Readonly<Record<string, string>> = {
  required: "missingProperty",
  dependentRequired: "missingProperty",
  additionalProperties: "additionalProperty",
};

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const member = memberParams[keyword];
  const path = member === undefined ? instancePath : `${instancePath}/${String(params[member])}`;
  return path.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~") || "body";
}

/** The keywords of a schema in the form that ajv has checked. */
interface Checked {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Checked>>;
  readonly description?: string;
  readonly rule?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

function messageOf(error: ErrorObject): string {
  const { keyword, params } = error;
  const schema = Object(error.parentSchema) as Checked;
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return missing(schema.properties?.[String(params["missingProperty"])]);
    case "additionalProperties":
      return unknownMember(String(params["additionalProperty"]), Object.keys(schema.properties ?? {}));
    case "minProperties":
      return "must have at least one member";
    default:
      if (keyword === "type" && error.instancePath === "") return "must be a JSON object";
      return schema.rule ?? ruleOf(error, schema);
  }
}

const missing = (schema: Checked | undefined): string =>
  schema?.type === "string" ? "is required and must be a string" : "is required";

/** The rule for a member that its object does not know. */
export function unknownMember(given: string, known: readonly string[]): string {
  const near = nearName(given, known);
  return near === undefined ? "is not known" : `is not known; did you mean ${near}?`;
}

function ruleOf({ keyword, params, message }: ErrorObject, schema: Checked): string {
  const limit = String(params["limit"]);
  switch (keyword) {
    case "type":
    case "minimum":
    case "exclusiveMinimum":
    case "maximum":
      return typeRule(schema);
    case "enum":
      return `must be one of ${namesOf(params["allowedValues"])}`;
    case "const":
      return `must be ${String(params["allowedValue"])}`;
    case "minLength":
      return limit === "1" ? "must not be empty" : `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minItems":
      return limit === "1" ? "must have at least one element" : `must have at least ${limit} elements`;
    case "maxItems":
      return `must have at most ${limit} elements`;
    case "uniqueItems":
      return "must not have the same element twice";
    case "maxProperties":
      return `must have at most ${limit} members`;
    case "pattern":
    case "format":
      return `must have the form: ${schema.description ?? ""}`;
    default:
      return message ?? "is not valid";
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  null: "null",
};

function typeRule({ type, minimum, exclusiveMinimum: above, maximum }: Checked): string {
  const types = [type ?? []].flat();
  const named = types.map((name) => typeWords[name] ?? name).join(" or ");
  if (minimum !== undefined && maximum !== undefined) return `must be ${named} from ${minimum} to ${maximum}`;
  const bounds = [
    ...(minimum === undefined ? [] : [`of at least ${minimum}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(maximum === undefined ? [] : [`of at most ${maximum}`]),
  ];
  return [`must be ${named}`, bounds.join(" and ")].filter((part) => part !== "").join(" ");
}

function namesOf(values: unknown): string {
  const names = Array.isArray(values) ? values.map(String) : [];
  const others = names.length - maxNamedValues;
  return names.slice(0, maxNamedValues).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

/**
 * Returns the position at which the schema names a field, as a number for each part of its path. Fields that it does not name come last.
 */
function placeOf(schema: Schema | undefined, [name, ...rest]: readonly string[]): readonly number[] {
  if (name === undefined) return [];
  if (schema !== undefined && "items" in schema) return [Number.parseInt(name, 10), ...placeOf(schema.items, rest)];
  const objects: readonly ObjectSchema[] = schema === undefined ? [] : objectsOf(schema);
  const members = new Map(objects.flatMap(({ properties = {} }) => Object.entries(properties)));
  const index = [...members.keys()].indexOf(name);
  return [index < 0 ? Number.MAX_SAFE_INTEGER : index, ...placeOf(members.get(name), rest)];
}

function objectsOf(schema: Schema): readonly ObjectSchema[] {
  if ("oneOf" in schema) return schema.oneOf;
  return "properties" in schema ? [schema] : [];
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [index, place] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (place !== other) return place - other;
  }
  return a.length - b.length;
}

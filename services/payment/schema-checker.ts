import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { monotonicMs } from "../shared/clock";
import type { FieldViolation } from "../shared/errors";
import type { Rpc } from "../shared/rpc";
import type { Schemas } from "./ports";

/** How long the present version of a schema may be used before the schema service is asked again. */
const freshMs = 30_000;
const maxViolations = 100;

/**
 * Checks bodies against the very documents that the schema service publishes. A document is compiled once per version;
 * which version is present is asked again after 30 seconds.
 */
export function makeSchemaChecker(client: Pick<Rpc<typeof SchemaServiceService>, "getSchema">): Schemas {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictRequired: false, keywords: ["version"] });
  addFormats(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const present = new Map<string, { validate: ValidateFunction; askedAtMs: number }>();

  const compile = (name: string, version: string, document: Uint8Array): ValidateFunction => {
    const key = `${name}@${version}`;
    const validate = compiled.get(key) ?? ajv.compile(JSON.parse(Buffer.from(document).toString("utf8")));
    compiled.set(key, validate);
    return validate;
  };
  const validatorOf = async (name: string): Promise<ValidateFunction> => {
    const known = present.get(name);
    if (known !== undefined && monotonicMs() - known.askedAtMs < freshMs) return known.validate;
    const { version, documentJson } = await client.getSchema({ name });
    const validate = compile(name, version, documentJson);
    present.set(name, { validate, askedAtMs: monotonicMs() });
    return validate;
  };
  return {
    async check(name, body) {
      const validate = await validatorOf(name);
      return validate(body) ? [] : toViolations(validate.errors ?? []);
    },
  };
}

/** Plain words for ajv's errors: one per field, those of a failed condition rather than the condition itself. */
function toViolations(errors: readonly ErrorObject[]): FieldViolation[] {
  const violations = errors
    .filter(({ keyword, schemaPath }) => keyword !== "if" && !schemaPath.includes("/anyOf/"))
    .map((error) => ({ field: fieldOf(error), message: messageOf(error) }));
  return [...new Map(violations.toReversed().map((violation) => [violation.field, violation])).values()]
    .toReversed()
    .slice(0, maxViolations);
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const segments = instancePath.split("/").slice(1);
  if (keyword === "required") segments.push(String(params["missingProperty"]));
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~")).join(".") || "body";
}

const maxNamedValues = 20;

/** A rule in plain words. The rule's own description follows where it says more than the rule. */
function messageOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  const description: unknown = Object(parentSchema)["description"];
  const meaning = typeof description === "string" ? ` (${description})` : "";
  switch (keyword) {
    case "required":
      return "is required";
    case "enum":
      return `must be one of ${namesOf(params["allowedValues"])}`;
    case "const":
      return `must be ${String(params["allowedValue"])}`;
    case "type":
      return `must be ${/^[aeiou]/.test(String(params["type"])) ? "an" : "a"} ${String(params["type"])}`;
    case "minLength":
      return "must not be empty";
    case "maxLength":
      return `must have at most ${String(params["limit"])} characters`;
    case "minItems":
      return "must have at least one element";
    case "minimum":
      return `must be at least ${String(params["limit"])}`;
    case "maximum":
      return `must be at most ${String(params["limit"])}`;
    case "anyOf":
      return `has none of the allowed forms${meaning}`;
    case "pattern":
      return `must match ${String(params["pattern"])}${meaning}`;
    default:
      return message ?? "is not valid";
  }
}

function namesOf(values: unknown): string {
  const names = Array.isArray(values) ? values.map(String) : [];
  const others = names.length - maxNamedValues;
  return names.slice(0, maxNamedValues).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

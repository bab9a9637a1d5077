import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { monotonicMs } from "./clock";
import { DomainError, type FieldViolation } from "./errors";
import type { JsonObject } from "./json";

/** How long the list of present versions may be used before the schema service is asked again. */
const freshMs = 30_000;
/** More than there are present schemas, so that only superseded versions are ever forgotten. */
const maxCompiled = 200;
const maxViolations = 100;

/** The schema service as its clients see it. */
export interface SchemaSource {
  listSchemas(request: object): Promise<{ schemas: readonly { name: string; version: string }[] }>;
  getSchema(request: { name: string; version: string }): Promise<{ documentJson: Uint8Array }>;
}

export interface SchemaChecker {
  /** Every rule of the named schema that the body breaks. Throws COUNTRY_UNSUPPORTED when there is no such schema. */
  check(name: string, body: JsonObject): Promise<readonly FieldViolation[]>;
  isServed(name: string): Promise<boolean>;
}

/** A compiled document; the document itself is what the compiler knows it by. */
interface Compiled {
  document: object;
  validate: ValidateFunction;
}

/**
 * Checks bodies against the very documents that the schema service publishes. Which version of each is present is asked
 * again after 30 seconds; a version is fetched and compiled when it is first needed, and then kept.
 */
export function makeSchemaChecker(client: SchemaSource): SchemaChecker {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictRequired: false, keywords: ["version"] });
  addFormats(ajv);
  const compiled = new Map<string, Compiled>();
  let present: { versions: Promise<ReadonlyMap<string, string>>; askedAtMs: number } | undefined;

  const presentVersions = (): Promise<ReadonlyMap<string, string>> => {
    if (present !== undefined && monotonicMs() - present.askedAtMs < freshMs) return present.versions;
    const versions = listVersions(client);
    const asked = { versions, askedAtMs: monotonicMs() };
    present = asked;
    versions.catch(() => {
      if (present === asked) present = undefined;
    });
    return versions;
  };
  const compile = (key: string, documentJson: Uint8Array): ValidateFunction => {
    const parsed: unknown = JSON.parse(Buffer.from(documentJson).toString("utf8"));
    const document = typeof parsed === "object" && parsed !== null ? parsed : {};
    const validate = ajv.compile(document);
    const [[oldestKey, oldest] = []] = compiled;
    if (compiled.size >= maxCompiled && oldestKey !== undefined && oldest !== undefined) {
      compiled.delete(oldestKey);
      ajv.removeSchema(oldest.document);
    }
    compiled.set(key, { document, validate });
    return validate;
  };
  const validatorOf = async (name: string): Promise<ValidateFunction> => {
    const version = (await presentVersions()).get(name);
    if (version === undefined) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no schema of this name");
    const key = `${name}@${version}`;
    const known = compiled.get(key);
    if (known !== undefined) return known.validate;
    const { documentJson } = await client.getSchema({ name, version });
    return compiled.get(key)?.validate ?? compile(key, documentJson);
  };
  return {
    async check(name, body) {
      const validate = await validatorOf(name);
      return validate(body) ? [] : toViolations(validate.errors ?? []);
    },
    isServed: async (name) => (await presentVersions()).has(name),
  };
}

async function listVersions(client: SchemaSource): Promise<ReadonlyMap<string, string>> {
  const { schemas } = await client.listSchemas({});
  return new Map(schemas.map(({ name, version }) => [name, version]));
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

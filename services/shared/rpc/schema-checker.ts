import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { monotonicMs } from "../kernel/clock";
import { DomainError, type FieldViolation } from "../kernel/errors";
import type { JsonObject } from "../kernel/json";

/** How long the list of current versions is used before the schema service is asked again, milliseconds. */
const freshMs = 30_000;
/** More than the current schemas that one client needs, so that only superseded versions are dropped. */
const maxCompiled = 200;
const maxViolations = 100;

/** The schema service as its clients see it. */
export interface SchemaSource {
  listSchemas(request: object): Promise<{ schemas: readonly { name: string; version: string }[] }>;
  getSchema(request: { name: string; version: string }): Promise<{ documentJson: Uint8Array }>;
}

export interface SchemaChecker {
  /** Returns every rule of the named schema that the body breaks. Throws COUNTRY_UNSUPPORTED when there is no such schema. */
  check(name: string, body: JsonObject): Promise<readonly FieldViolation[]>;
  isServed(name: string): Promise<boolean>;
  /** The names of the current schemas. */
  names(): Promise<readonly string[]>;
}

/** A compiled document; the compiler identifies it by the document object. */
interface Compiled {
  document: object;
  validate: ValidateFunction;
}

/** The last answer of the schema service, and the validators found since. */
interface Present {
  versions: Promise<ReadonlyMap<string, string>>;
  askedAtMs: number;
  validators: Map<string, ValidateFunction>;
}

/**
 * Checks bodies against the documents that the schema service publishes. The current version of each is looked up again
 * after 30 seconds; a version is fetched and compiled when first needed, and then kept.
 */
export function makeSchemaChecker(client: SchemaSource): SchemaChecker {
  const rules = { allErrors: true, verbose: true, strict: true, strictRequired: false, keywords: ["version"] };
  // Optimizing the generated code takes as long as generating it, and the code then runs no faster.
  const ajv = new Ajv({ ...rules, code: { optimize: false } });
  addFormats(ajv);
  const compiled = new Map<string, Compiled>();
  let present: Present | undefined;

  const listPresent = (): Present => {
    if (present !== undefined && monotonicMs() - present.askedAtMs < freshMs) return present;
    const asked: Present = { versions: listVersions(client), askedAtMs: monotonicMs(), validators: new Map() };
    present = asked;
    asked.versions.catch(() => {
      if (present === asked) present = undefined;
    });
    return asked;
  };
  const compile = (key: string, documentJson: Uint8Array): ValidateFunction => {
    const parsed: unknown = JSON.parse(Buffer.from(documentJson).toString("utf8"));
    const document = typeof parsed === "object" && parsed !== null ? parsed : {};
    const before = compiled.get(key);
    if (before !== undefined) return before.validate;
    const validate = ajv.compile(document);
    const [[oldestKey, oldest] = []] = compiled;
    if (compiled.size >= maxCompiled && oldestKey !== undefined && oldest !== undefined) {
      compiled.delete(oldestKey);
      ajv.removeSchema(oldest.document);
    }
    compiled.set(key, { document, validate });
    return validate;
  };
  const findValidator = async (name: string, { versions, validators }: Present): Promise<ValidateFunction> => {
    const version = (await versions).get(name);
    if (version === undefined) throw new DomainError("COUNTRY_UNSUPPORTED", "there is no schema of this name");
    const key = `${name}@${version}`;
    const known = compiled.get(key)?.validate;
    const validate = known ?? compile(key, (await client.getSchema({ name, version })).documentJson);
    validators.set(name, validate);
    return validate;
  };
  return {
    async check(name, body) {
      const listed = listPresent();
      const validate = listed.validators.get(name) ?? (await findValidator(name, listed));
      return validate(body) ? [] : toViolations(validate.errors ?? []);
    },
    isServed: async (name) => (await listPresent().versions).has(name),
    names: async () => [...(await listPresent().versions).keys()],
  };
}

async function listVersions(client: SchemaSource): Promise<ReadonlyMap<string, string>> {
  const { schemas } = await client.listSchemas({});
  return new Map(schemas.map(({ name, version }) => [name, version]));
}

/** Plain words for ajv's errors: one per field, those of a failed condition rather than the condition itself. */
function toViolations(errors: readonly ErrorObject[]): FieldViolation[] {
  const byField = new Map<string, FieldViolation>();
  for (const error of errors) {
    // A rule that a property's name breaks is reported for the name.
    const isPart = error.schemaPath.includes("/anyOf/") || error.propertyName !== undefined;
    if (error.keyword === "if" || isPart) continue;
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, message: knownMessageOf(error) });
    if (byField.size === maxViolations) break;
  }
  return [...byField.values()];
}

/** The property that an error is about, where it is not the value itself. */
const propertyParams: Readonly<Record<string, string>> = {
  required: "missingProperty",
  additionalProperties: "additionalProperty",
  propertyNames: "propertyName",
};

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const property = propertyParams[keyword];
  const path = property === undefined ? instancePath : `${instancePath}/${String(params[property])}`;
  const field = path.slice(1).replaceAll("/", ".");
  return (field.includes("~") ? field.replaceAll("~1", "/").replaceAll("~0", "~") : field) || "body";
}

/** The message of each rule, made once since it does not depend on the value. Dropped together with its schema. */
const messages = new WeakMap<object, Map<string, string>>();

function knownMessageOf(error: ErrorObject): string {
  const rule = Object(error.parentSchema) as object;
  const known = messages.get(rule) ?? new Map<string, string>();
  const message = known.get(error.keyword) ?? messageOf(error);
  messages.set(rule, known.set(error.keyword, message));
  return message;
}

const maxNamedValues = 20;

/** A rule in plain words: its own description if it has one, otherwise the bare pattern. */
function messageOf({ keyword, params, message, parentSchema }: ErrorObject): string {
  const description: unknown = Object(parentSchema)["description"];
  const form = typeof description === "string" ? description : undefined;
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
    case "propertyNames":
    case "false schema":
      return "is not known";
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
      return form === undefined ? "has none of the allowed forms" : `must have the form: ${form}`;
    case "pattern":
    case "format":
      return `must have the form: ${form ?? String(params[keyword])}`;
    default:
      return message ?? "is not valid";
  }
}

function namesOf(values: unknown): string {
  const names = Array.isArray(values) ? values.map(String) : [];
  const others = names.length - maxNamedValues;
  return names.slice(0, maxNamedValues).join(", ") + (others > 0 ? ` and ${others} more` : "");
}

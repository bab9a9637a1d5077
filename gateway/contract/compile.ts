import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { parseInstant } from "../../services/shared/clock";
import { type FieldViolation, hasReason, invalid } from "../../services/shared/errors";
import { decodeUtf8, type JsonValue, type ParsedJson, parseJson } from "../../services/shared/json";
import { currencyDigits } from "../../services/shared/money";
import { type CheckContext, exactDecimalKeyword } from "./exact-decimal";
import { forValidation } from "./for-validation";
import type { Draft, Infer } from "./infer";
import { instantOfQuery } from "./instant-of-query";
import type { BodySchema, Schema } from "./schema";
import { toViolations } from "./violations";

/**
 * What a value breaks of a schema. The value that has passed is what its type says: defaults are filled in, and exact numbers are
 * Decimals.
 */
type Check = (value: JsonValue, numbers: ParsedJson["numbers"]) => readonly FieldViolation[];

const ajv = addFormats(
  new Ajv2020({
    allErrors: true,
    verbose: true,
    messages: false,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    useDefaults: true,
    passContext: true,
    keywords: ["rule"],
  }),
  ["date", "date-time", "uuid", "email", "uri"],
);
ajv.addKeyword(exactDecimalKeyword);

/** The lists of the keyword `isA`. */
const lists = {
  currency: (text: string) => currencyDigits(text) !== undefined,
  instant: (text: string) => parseInstant(text) !== undefined,
  instantInQuery: (text: string) => instantOfQuery(text) !== undefined,
};
ajv.addKeyword({
  keyword: "isA",
  type: "string",
  schemaType: "string",
  errors: false,
  compile: (list: keyof typeof lists) => lists[list],
});

const checks = new WeakMap<Schema, Check>();

/** Compiles a schema, each once. */
export function compileSchema(schema: Schema): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(forValidation(schema));
  const check: Check = (value, numbers) => {
    const context: CheckContext = { numbers };
    return validate.call(context, value) ? [] : toViolations(validate.errors ?? [], schema);
  };
  checks.set(schema, check);
  return check;
}

/** What was read of a request: the value when there are no violations, else what is left of it without these. */
export type Read<T> =
  | { value: T; violations?: never; draft?: never }
  | { value?: never; violations: readonly FieldViolation[]; draft?: Draft<T> | undefined };

/** Reads the JSON text of a body by its schema. */
export function bodyReader<const S extends BodySchema>(schema: S): (body: Uint8Array) => Read<Infer<S>> {
  const check = compileSchema(schema);
  return (body) => {
    let parsed: ParsedJson;
    try {
      parsed = parseJson(decodeUtf8(body));
    } catch (error) {
      // The text is no JSON, or breaks its limits: nothing in it can be looked at.
      if (hasReason(error, "INVALID_ARGUMENT")) return { violations: error.violations };
      throw error;
    }
    const violations = check(parsed.value, parsed.numbers);
    // The schema has passed the value, and has made it what `Infer` says.
    const value = parsed.value as unknown as Infer<S>;
    return violations.length > 0 ? { violations, draft: draftOf(parsed.value, violations) } : { value };
  };
}

/** What is left of a value when all that breaks the schema is taken out: every member that is there is as its type says. */
export function draftOf<T>(value: unknown, violations: readonly FieldViolation[]): Draft<T> | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  for (const { field } of violations) {
    const path = field.split(".");
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, value);
    if (isHolder(holder)) Reflect.deleteProperty(holder, path.at(-1) ?? "");
  }
  return value as Draft<T>;
}

const isHolder = (value: unknown): value is object => typeof value === "object" && value !== null;

const memberOf = (holder: unknown, name: string): unknown => (isHolder(holder) ? Reflect.get(holder, name) : undefined);

/** Everything that is wrong with the parts of a request, or nothing. */
export function requireRead(...parts: readonly (Read<unknown> | undefined)[]): void {
  const violations = parts.flatMap((part) => part?.violations ?? []);
  if (violations.length > 0) throw invalid(violations);
}

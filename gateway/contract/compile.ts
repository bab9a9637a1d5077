import { isIP } from "node:net";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { alpha3ToAlpha2, isValid } from "i18n-iso-countries";
import { parseInstant } from "../../services/shared/kernel/clock";
import { type FieldViolation, hasReason } from "../../services/shared/kernel/errors";
import { decodeUtf8, type JsonValue, type ParsedJson, parseJson } from "../../services/shared/kernel/json";
import { currencyDigits } from "../../services/shared/kernel/money";
import { type Draft, prune } from "./draft";
import { type CheckContext, exactDecimalKeyword } from "./exact-decimal";
import { forValidation } from "./for-validation";
import type { Infer } from "./infer";
import { instantOfQuery } from "./instant-of-query";
import type { BodySchema, Schema } from "./schema";
import { toViolations } from "./violations";

/**
 * Returns the rules of a schema that a value breaks. A value that passes has its inferred type: defaults are filled in, and exact numbers
 * are Decimals.
 */
type Check = (value: JsonValue, numbers: Numbers) => readonly FieldViolation[];

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

/** The rules that the keyword `isA` can name. */
const lists = {
  currency: (text: string) => currencyDigits(text) !== undefined,
  instant: (text: string) => parseInstant(text) !== undefined,
  instantInQuery: (text: string) => instantOfQuery(text) !== undefined,
  ipAddress: (text: string) => isIP(text) !== 0,
  alpha2: (text: string) => text.length === 2 && isValid(text),
  alpha3: (text: string) => alpha3ToAlpha2(text) !== undefined,
};
ajv.addKeyword({
  keyword: "isA",
  type: "string",
  schemaType: "string",
  errors: false,
  compile: (list: keyof typeof lists) => lists[list],
});

type Numbers = ParsedJson["numbers"];

const checks = new WeakMap<Schema, Check>();

/** Compiles a schema; each is compiled once. */
function compileSchema(schema: Schema): Check {
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

/** The result of reading a request: the value, or the violations and what remains without the members that they name. */
export type Read<T> =
  | { value: T; draft?: never; violations?: never; isUnreadable?: never }
  | { value?: never; draft: Draft<T>; violations: readonly FieldViolation[]; isUnreadable?: boolean };

/** Checks a value by a schema. */
export function readValue<const S extends Schema>(schema: S): (value: JsonValue, numbers: Numbers) => Read<Infer<S>> {
  const check = compileSchema(schema);
  return (value, numbers) => {
    const violations = check(value, numbers);
    // The schema has accepted the value, or what remains of it, and has given it the type that `Infer` derives.
    if (violations.length === 0) return { value: value as unknown as Infer<S> };
    const isUnreadable = violations.some(({ field }) => field === "body");
    return { violations, draft: prune(value, violations) as unknown as Draft<Infer<S>>, isUnreadable };
  };
}

/** Reads the JSON text of a body by its schema. */
export function bodyReader<const S extends BodySchema>(schema: S): (body: Uint8Array) => Read<Infer<S>> {
  const read = readValue(schema);
  return (body) => {
    try {
      const { value, numbers } = parseJson(decodeUtf8(body));
      return read(value, numbers);
    } catch (error) {
      // The text is not JSON, or breaks its limits: nothing in it can be checked.
      if (hasReason(error, "INVALID_ARGUMENT"))
        return { violations: error.violations, draft: {} as Draft<Infer<S>>, isUnreadable: true };
      throw error;
    }
  };
}

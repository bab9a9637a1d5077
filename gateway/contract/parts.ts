import { externalIdRule, externalIdSchema } from "../../services/shared/kernel/external-id";
import type { Schema } from "./schema";

/** Definitions of forms that several contracts share, each in one place. */

export const currency = {
  type: "string",
  description: "ISO 4217 code.",
  pattern: "^[A-Z]{3}$",
  isA: "currency",
  rule: "must be an ISO 4217 currency, three capital letters",
  examples: ["USD"],
} as const satisfies Schema;

export const alpha2 = {
  type: "string",
  description: "ISO 3166-1 alpha-2 code, capitals.",
  pattern: "^[A-Z]{2}$",
  rule: "must be an ISO 3166-1 alpha-2 code, two capital letters",
  examples: ["BR"],
} as const satisfies Schema;

export const alpha3 = {
  type: "string",
  description: "ISO 3166-1 alpha-3 code, capitals.",
  pattern: "^[A-Z]{3}$",
  rule: "must be an ISO 3166-1 alpha-3 code, three capital letters",
  examples: ["BRA"],
} as const satisfies Schema;

export const text = <const D extends string>(description: D) =>
  ({ type: "string", description }) as const satisfies Schema;

/** A text that is not empty. */
export const words = <const D extends string>(description: D) =>
  ({ type: "string", description, minLength: 1 }) as const satisfies Schema;

/** A name that is screened, in a time that grows with its length; none is longer. */
export const screenedName = <const D extends string>(description: D) =>
  ({ type: "string", description, minLength: 1, maxLength: 255 }) as const satisfies Schema;

/** An id that the platform assigns. */
export const uuid = <const D extends string>(description: D) =>
  ({ type: "string", description, format: "uuid" }) as const satisfies Schema;

export const instant = <const D extends string>(description: D) =>
  ({ type: "string", description, format: "date-time" }) as const satisfies Schema;

/** A bound in time of a query. */
export const instantInQuery = <const D extends string>(description: D) =>
  ({
    type: "string",
    description,
    isA: "instantInQuery",
    rule: "must be an ISO 8601 date, or a time with its offset",
    examples: ["2026-02-03T04:05:06Z", "2026-02-03"],
  }) as const satisfies Schema;

/** An instant that a caller sends. */
export const givenInstant = <const D extends string>(description: D) =>
  ({
    type: "string",
    description,
    isA: "instant",
    rule: "must be an ISO 8601 time",
    examples: ["2026-02-03T04:05:06Z"],
  }) as const satisfies Schema;

/** Whole minor units as text, so that no digit is lost. */
export const minor = <const D extends string>(description: D) =>
  ({ ...text(description), pattern: "^-?[0-9]{1,18}$", rule: "must be text of a whole number" }) as const;

export const integer = <const D extends string>(description: D) =>
  ({ type: "integer", description }) as const satisfies Schema;

export const flag = <const D extends string>(description: D) =>
  ({ type: "boolean", description }) as const satisfies Schema;

/** A number of an answer, written with all its digits. */
export const exact = <const D extends string>(description: D) =>
  ({ type: "number", description, exactDecimal: "plain" }) as const satisfies Schema;

export const oneOf = <const D extends string, const V extends string>(description: D, values: readonly V[]) =>
  ({ type: "string", description, enum: values }) as const satisfies Schema;

interface ListOf<D, I> {
  readonly type: "array";
  readonly description: D;
  readonly items: I;
}

export const listOf = <const D extends string, const I extends Schema>(description: D, items: I): ListOf<D, I> => ({
  type: "array",
  description,
  items,
});

type Properties = Readonly<Record<string, Schema>>;

/** An object of an answer: all its members are present. */
export const answer = <const P extends Properties, const T extends string>(
  title: T,
  description: string,
  properties: P,
) => ({ type: "object", title, description, properties, required: namesOf(properties) }) as const satisfies Schema;

/** An object of an answer in which some members may be missing: those that the last argument names. */
export const answerWith = <const P extends Properties, const T extends string, const O extends Properties>(
  title: T,
  description: string,
  properties: P,
  optional: O,
) =>
  ({
    type: "object",
    title,
    description,
    properties: { ...properties, ...optional },
    required: namesOf(properties),
  }) as const satisfies Schema;

/** An object of a request: only its members are accepted, and all of them are required. */
export const request = <const P extends Properties, const T extends string>(
  title: T,
  description: string,
  properties: P,
) => ({ ...answer(title, description, properties), additionalProperties: false }) as const satisfies Schema;

/** An object of a request: only its members are accepted, and those that the last argument names may be missing. */
export const requestWith = <const P extends Properties, const T extends string, const O extends Properties>(
  title: T,
  description: string,
  properties: P,
  optional: O,
) =>
  ({ ...answerWith(title, description, properties, optional), additionalProperties: false }) as const satisfies Schema;

/** Parameters of a query. Others are refused: ignoring a misspelt filter would show everything. */
export const closedQuery = <const O extends Properties>(description: string, properties: O) =>
  ({ type: "object", description, properties, additionalProperties: false }) as const satisfies Schema;

const namesOf = <P extends object>(properties: P) => Object.keys(properties) as (keyof P & string)[];

/** An amount of an answer. */
export const amount = answer("Amount", "An exact amount.", { total: exact("Exact amount."), currency });

/** An id that the caller chooses. */
export const externalId = {
  ...externalIdSchema,
  description: "Id that the caller chooses.",
  rule: externalIdRule,
} as const satisfies Schema;

/** The same schema with a description of its own. */
export const described = <const S extends Schema, const D extends string>(schema: S, description: D) =>
  ({ ...schema, description }) as { readonly [Name in keyof S]: Name extends "description" ? D : S[Name] };

/** The same schema, or null, also for a schema that lists its values. */
export const orNull = <const S extends { readonly type: string }>(schema: S) =>
  ({
    ...schema,
    type: [schema.type, "null"],
    ...("enum" in schema ? { enum: [...(schema.enum as readonly string[]), null] } : {}),
  }) as OrNull<S>;

type OrNull<S extends { readonly type: string }> = {
  readonly [Name in keyof S]: Name extends "type"
    ? readonly [S["type"], "null"]
    : Name extends "enum"
      ? readonly [...(S[Name] extends readonly string[] ? S[Name] : never), null]
      : S[Name];
};

/** The answer of a list: a page of it, or the whole list for a caller that accepts comma-separated text. */
export const pageOrText = <const S extends Schema>(schema: S, order: string) =>
  ({
    status: 200,
    description: "A page; or the whole list as text.",
    schema,
    also: {
      mediaType: "text/csv",
      schema: {
        type: "string",
        description: `All of the list, ${order}, in UTF-8 with a byte order mark and the columns' names in its first line. What a spreadsheet would run begins with an apostrophe.`,
      },
    },
  }) as const;

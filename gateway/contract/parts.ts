import { externalIdRule, externalIdSchema } from "../../services/shared/external-id";
import type { Schema } from "./schema";

/** The one place of each form that several contracts share. */

export const currency = {
  type: "string",
  description: "ISO 4217 code.",
  pattern: "^[A-Z]{3}$",
  rule: "must be an ISO 4217 currency, three capital letters",
  examples: ["USD"],
} as const satisfies Schema;

/** An id that the caller chooses. */
export const externalId = {
  ...externalIdSchema,
  description: "Id that the caller chooses.",
  rule: externalIdRule,
} as const satisfies Schema;

/** The same schema with a description of its own. */
export const described = <const S extends Schema, const D extends string>(schema: S, description: D) =>
  ({ ...schema, description }) as { readonly [Name in keyof S]: Name extends "description" ? D : S[Name] };

/** The same schema, or null: also where it lists its values. */
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

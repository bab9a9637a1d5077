import { Schema, type SchemaDefinition } from "mongoose";

/**
 * Building blocks of schemas, so that all of them define what is stored in the same way. A field with a bare type, such as `Date`, may be
 * absent.
 */

/** A text that must not be empty: mongoose takes "required" of a text to mean that. */
export const text = { type: String, required: true } as const;
/** A text that may be empty. */
export const anyText = { type: String, default: "" } as const;
export const number = { type: Number, required: true } as const;
/** Minor units of money, or another whole number of any size. */
export const integer = { type: BigInt, required: true } as const;
export const date = { type: Date, required: true } as const;
export const flag = { type: Boolean, required: true } as const;
export const oneOf = <T extends string>(words: readonly T[]) =>
  ({ type: String, enum: [...words], required: true }) as const;

/** Returns the words of a type; a missing one does not compile. */
export const literalsOf = <T extends string>(words: Readonly<Record<T, true>>): T[] => Object.keys(words) as T[];

/** A list that is always present. */
export const listOf = <T>(items: T) => ({ type: [items], required: true });
/** A list that may be absent, which differs from an empty one: mongoose would otherwise store an empty list. */
export const mayListOf = <T>(items: T) => ({ type: [items], default: undefined });

/** Defines a part of a document. It has no id of its own, and no fields other than the defined ones. */
export const part = (definition: SchemaDefinition): Schema =>
  new Schema(definition, { _id: false, id: false, strict: "throw", minimize: false });

/** Adds the variants of a list of parts: a word in a field distinguishes them, and each has its own fields besides the common ones. */
export function addVariants(schema: Schema, list: string, variants: Readonly<Record<string, Schema>>): void {
  const path = schema.path<Schema.Types.DocumentArray>(list);
  for (const [word, variant] of Object.entries(variants)) path.discriminator(word, variant);
}

/** Options of the schema of a whole document. */
export const strictDocument = { versionKey: false, strict: "throw", minimize: false } as const;

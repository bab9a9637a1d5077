import { Schema, type SchemaDefinition } from "mongoose";

/** How schemas say what is stored, so that each says it in the same way. What is a bare type, such as `Date`, may be absent. */

/** A text that says something: mongoose takes "required" of a text for "not empty". */
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

/** The words of a type, of which none can be left out. */
export const literalsOf = <T extends string>(words: Readonly<Record<T, true>>): T[] => Object.keys(words) as T[];

/** A list that is always there. */
export const listOf = <T>(items: T) => ({ type: [items], required: true });
/** A list that may be absent, which is not the same as an empty one: mongoose would make it one. */
export const mayListOf = <T>(items: T) => ({ type: [items], default: undefined });

/** A part of a document. It has no id of its own, and nothing that is not said here. */
export const part = (definition: SchemaDefinition): Schema =>
  new Schema(definition, { _id: false, id: false, strict: "throw", minimize: false });

/** Says of a list of parts which of them are told apart by the word in a field, and what each has beside what all have. */
export function addVariants(schema: Schema, list: string, variants: Readonly<Record<string, Schema>>): void {
  const path = schema.path<Schema.Types.DocumentArray>(list);
  for (const [word, variant] of Object.entries(variants)) path.discriminator(word, variant);
}

/** Options of the schema of a whole document. */
export const strictDocument = { versionKey: false, strict: "throw", minimize: false } as const;

import type { DocumentSchema } from "../route";

/** An object with all fields required except the named ones. */
export function objectSchema(
  properties: Readonly<Record<string, DocumentSchema>>,
  optional: readonly string[] = [],
): DocumentSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

export const arrayOf = (items: DocumentSchema, limits: DocumentSchema = {}): DocumentSchema => ({
  type: "array",
  items,
  ...limits,
});

export const textSchema = (description: string, rules: DocumentSchema = {}): DocumentSchema => ({
  type: "string",
  description,
  ...rules,
});

export const numberSchema = (description: string, rules: DocumentSchema = {}): DocumentSchema => ({
  type: "number",
  description,
  ...rules,
});

export const integerSchema = (description: string, rules: DocumentSchema = {}): DocumentSchema => ({
  type: "integer",
  description,
  ...rules,
});

export const booleanSchema = (description: string): DocumentSchema => ({ type: "boolean", description });

export const enumSchema = (description: string, values: readonly string[]): DocumentSchema => ({
  type: "string",
  description,
  enum: values,
});

/** The same schema, or null, also for a schema that lists its values. */
export const nullable = (schema: DocumentSchema): DocumentSchema => ({
  ...schema,
  type: [schema["type"], "null"],
  ...(Array.isArray(schema["enum"]) ? { enum: [...(schema["enum"] as unknown[]), null] } : {}),
});

export const currencySchema = textSchema("ISO 4217 code.", { pattern: "^[A-Z]{3}$", examples: ["USD"] });

export const amountSchema = objectSchema({ total: numberSchema("Exact amount."), currency: currencySchema });

export const instantSchema = (description: string): DocumentSchema => textSchema(description, { format: "date-time" });

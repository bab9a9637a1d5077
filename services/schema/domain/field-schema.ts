import type { FieldRule } from "./corridor-pack";
import type { JsonSchema } from "./json-schema";

/** The published part of a rule. A checksum is advice and left out. */
export const textOf = ({ description, pattern, enum: values, example }: FieldRule): JsonSchema => ({
  type: "string",
  description,
  ...(pattern === undefined && values === undefined ? { minLength: 1 } : {}),
  ...(pattern !== undefined && { pattern }),
  ...(values !== undefined && { enum: values }),
  examples: [example],
});

import { readCallerText } from "../../services/shared/kernel/caller-text";
import type { JsonObject, JsonValue } from "../../services/shared/kernel/json";
import type { QueryParameter } from "../route";
import { type Read, readValue } from "./compile";
import type { Draft } from "./draft";
import type { Infer } from "./infer";
import type { ObjectSchema, Schema } from "./schema";

const noNumbers: ReadonlyMap<string, string> = new Map();

/**
 * Reads the text after the question mark by a schema, one member for each parameter. A parameter that is given twice is refused, since it
 * would be a guess which one is meant. So is one that the schema does not name, unless it has `additionalProperties: true`.
 */
export function queryReader<const S extends ObjectSchema>(schema: S): (query: string) => Read<Infer<S>> {
  const isOpen = schema.additionalProperties === true;
  const readTyped = readValue(isOpen ? schema : { ...schema, additionalProperties: false });
  const refused = (field: string, message: string) => ({
    violations: [{ field, message }],
    draft: {} as Draft<Infer<S>>,
  });
  const properties: Readonly<Record<string, Schema>> = schema.properties ?? {};
  return (query) => {
    const values: JsonObject = {};
    const given = new Set<string>();
    for (const [name, sent] of new URLSearchParams(query)) {
      const named = readCallerText(name);
      if ("problem" in named) return refused("query", named.problem);
      const field = name.slice(0, 64) || "query";
      if (given.has(name)) return refused(field, "must be given once");
      given.add(name);
      const read = readCallerText(sent);
      if ("problem" in read) return refused(field, read.problem);
      const isKnown = Object.hasOwn(properties, name);
      if (isKnown || !isOpen) values[field] = typedValue(read.value, properties[name]);
    }
    return readTyped(values, noNumbers);
  };
}

/** Converts the text to the parameter's type; a text that does not convert stays a text, for the schema to refuse. */
function typedValue(text: string, schema: Schema | undefined): JsonValue {
  if (schema?.type === "integer" && /^\d{1,15}$/.test(text)) return Number.parseInt(text, 10);
  if (schema?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** The parameters as the OpenAPI document shows them. */
export function describedQuery({ properties = {}, required = [] }: ObjectSchema): Record<string, QueryParameter> {
  const rows = Object.entries(properties).map(([name, { description, ...schema }]) => [
    name,
    { description, ...(required.includes(name) ? { required: true } : {}), schema },
  ]);
  return Object.fromEntries(rows) as Record<string, QueryParameter>;
}

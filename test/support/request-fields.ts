import { randomUUID } from "node:crypto";
import type { Json } from "./corridor-payloads";

/** Path of a text in a JSON body. */
export type FieldPath = readonly (string | number)[];

/** The paths of all texts of a body. */
export function textFields(value: unknown, path: FieldPath = []): FieldPath[] {
  if (typeof value === "string") return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => textFields(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textFields(item, [...path, name]));
}

/** The body with another text at a path. */
export function withText<T>(body: T, path: FieldPath, text: string): T {
  const copy = structuredClone(body);
  const last = path.at(-1) ?? "";
  let parent = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
  parent[last] = text;
  return copy;
}

type Schema = Readonly<Record<string, unknown>>;

const schemaOf = (value: unknown): Schema => (typeof value === "object" && value !== null ? (value as Schema) : {});

/** A value that a JSON Schema describes, every property given; texts without rules are words. */
function exampleOf(schema: Schema): unknown {
  const { type, format, items, properties } = schema;
  const [first] = [schema["examples"], schema["enum"]].flatMap((list) => (Array.isArray(list) ? list : []));
  if (first !== undefined) return first;
  const [option] = ["oneOf", "anyOf", "allOf"].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
  if (option !== undefined) return exampleOf(schemaOf(option));
  switch (Array.isArray(type) ? type[0] : type) {
    case "object": {
      const own = Object.entries(schemaOf(properties)).map(([name, property]) => [name, exampleOf(schemaOf(property))]);
      return own.length === 0 ? { note: "words" } : Object.fromEntries(own);
    }
    case "array":
      return [exampleOf(schemaOf(items))];
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return false;
    default:
      return format === "uuid" ? randomUUID() : format === "uri" ? "https://example.com/" : "words";
  }
}

export const exampleBody = (schema: Schema): Json => schemaOf(exampleOf(schema));

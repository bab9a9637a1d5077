import type { DocumentSchema } from "../../gateway/route";

/** The direction of a value: a file is sent as a `Blob` and received as bytes. */
export type Way = "sent" | "told";

const text = (value: unknown): string => JSON.stringify(value);
const named = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name));

/** Returns the TypeScript type of the values of a schema of the OpenAPI document. */
export function typeOf(schema: DocumentSchema, way: Way, indent = ""): string {
  const { $ref, type, oneOf } = schema;
  if (typeof $ref === "string") return $ref.replace("#/components/schemas/", "");
  if (Array.isArray(schema["enum"])) return (schema["enum"] as unknown[]).map(text).join(" | ");
  if ("const" in schema) return text(schema["const"]);
  if (Array.isArray(oneOf)) return (oneOf as DocumentSchema[]).map((one) => typeOf(one, way, indent)).join(" | ");
  const types = Array.isArray(type) ? (type as string[]) : [String(type)];
  return [...new Set(types.map((one) => typeOfKind(one, schema, way, indent)))].join(" | ");
}

function typeOfKind(kind: string, schema: DocumentSchema, way: Way, indent: string): string {
  switch (kind) {
    case "string":
      return schema["contentMediaType"] === undefined ? textType(schema) : way === "sent" ? "Blob" : "Uint8Array";
    case "number":
      return "Decimal";
    case "integer":
      return "number";
    case "array":
      return listType(schema["items"] as DocumentSchema, way, indent);
    case "object":
      return objectType(schema, way, indent);
    case "null":
    case "boolean":
      return kind;
    default:
      return "unknown";
  }
}

/** A number may be sent as a text too: then it is exact in both forms. */
const textType = ({ type }: DocumentSchema): string =>
  Array.isArray(type) && type.includes("number") ? "Decimal" : "string";

function listType(items: DocumentSchema, way: Way, indent: string): string {
  const item = typeOf(items, way, indent);
  return / \| /.test(item) && !item.startsWith("{") ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectType(schema: DocumentSchema, way: Way, indent: string): string {
  const members = Object.entries((schema["properties"] ?? {}) as Record<string, DocumentSchema>);
  const more = schema["additionalProperties"];
  const others = typeof more === "object" && more !== null ? typeOf(more as DocumentSchema, way, indent) : undefined;
  if (members.length === 0) return `{ readonly [name: string]: ${others ?? "unknown"} }`;
  const required = new Set((schema["required"] ?? []) as string[]);
  const inner = `${indent}  `;
  const lines = members.flatMap(([name, member]) => [
    ...comment(member, inner),
    `${inner}readonly ${named(name)}${required.has(name) ? "" : "?"}: ${typeOf(member, way, inner)};`,
  ]);
  if (others !== undefined) lines.push(`${inner}readonly [name: string]: ${others} | undefined;`);
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** The document's description of a member, as a comment that editors show. */
function comment({ description }: DocumentSchema, indent: string): string[] {
  if (typeof description !== "string" || description === "") return [];
  return [`${indent}/** ${description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ")} */`];
}

/** A named type of a component. */
export const declaration = (name: string, schema: DocumentSchema, way: Way): string =>
  [...comment(schema, ""), `export type ${name} = ${typeOf(schema, way)};`].join("\n");

import type { DocumentSchema } from "../route";
import { sampleNumbers, sampleTexts } from "./sample-values";

const uuid = "5d2c7a10-8f3b-4c6e-9a41-7be02d9c1f53";

const formats: Readonly<Record<string, string>> = {
  uuid,
  date: "1990-04-15",
  "date-time": "2026-02-03T04:05:06Z",
  email: "ada@example.com",
  uri: "https://shop.example/hooks",
};

/**
 * Returns an example for a schema: its own if it has one, otherwise one composed from its parts, by their names. Optional members are left
 * out, unless no member is required.
 */
export function sampleOf(schema: DocumentSchema, name: string): unknown {
  const { examples, default: usual, const: only, enum: values } = schema;
  const variants = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (usual !== undefined) return usual;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(variants)) return sampleOf(variants[0] as DocumentSchema, name);
  const { type } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return sampleObject(schema);
    case "array":
      return [sampleOf(Object(schema["items"]) as DocumentSchema, name)];
    case "string":
      return sampleText(schema, name);
    case "integer":
    case "number":
      return sampleNumbers[name] ?? schema["minimum"] ?? (type === "number" ? 100 : 1);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return {};
  }
}

function sampleObject({ properties, required = [] }: DocumentSchema): Readonly<Record<string, unknown>> {
  const members = Object.entries(Object(properties) as Record<string, DocumentSchema>);
  const needed = required as readonly string[];
  const shown = needed.length === 0 ? members : members.filter(([name]) => needed.includes(name));
  return Object.fromEntries(shown.map(([name, member]) => [name, sampleOf(member, name)]));
}

function sampleText({ format, pattern, contentMediaType }: DocumentSchema, name: string): string {
  const byFormat = formats[String(format)];
  if (byFormat !== undefined) return byFormat;
  const named = sampleTexts[name];
  if (named !== undefined) return named;
  if (contentMediaType !== undefined) return "(bytes)";
  if (/Minor$/.test(name)) return "10000";
  if (/(?:At|Since|asOf)$/.test(name)) return formats["date-time"] ?? "";
  if (pattern === sampleTime.pattern) return sampleTime.value;
  return /(?:^id|Ids?)$/.test(name) ? uuid : fromName(name);
}

/** The time format of payment records. */
const sampleTime = { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$", value: "2026-02-03 04:05:06" };

/** For a member without a sample: its own name in words. */
const fromName = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

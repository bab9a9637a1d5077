type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Keywords that hold values, or conditions on values that are described elsewhere. */
const passedOver = new Set(["example", "examples", "enum", "const", "default", "if"]);

/**
 * Paths of the schemas without a title in an OpenAPI document or a JSON Schema. References are titled where they lead; a member that
 * only compares (`const`, `required`, `enum` alone) describes no value of its own.
 */
export function untitledSchemas(document: object): readonly string[] {
  const untitled: string[] = [];
  const schemaAt = (value: unknown, path: string): void => {
    if (!isObject(value)) return;
    const describes = "type" in value || "description" in value || "oneOf" in value;
    if (describes && !("$ref" in value) && typeof value["title"] !== "string") untitled.push(path);
    walk(value, path);
  };
  const walk = (value: unknown, path: string): void => {
    if (!isObject(value)) return;
    for (const [key, part] of Object.entries(value)) {
      const place = `${path}/${key}`;
      if (key === "schema" || key === "items" || key === "additionalProperties") schemaAt(part, place);
      else if (key === "properties" || place === "/components/schemas") eachOf(part, place, schemaAt);
      else if (key === "oneOf") eachOf(part, place, schemaAt);
      else if (!passedOver.has(key)) walk(part, place);
    }
  };
  if ("openapi" in document) walk(document, "");
  else schemaAt(document, "");
  return untitled;
}

function eachOf(parts: unknown, path: string, visit: (part: unknown, path: string) => void): void {
  for (const [name, part] of Object.entries(Object(parts) as Fields)) visit(part, `${path}/${name}`);
}

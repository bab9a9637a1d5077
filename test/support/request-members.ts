import { makeOpenApi } from "../../gateway/openapi";
import type { Route } from "../../gateway/route";

/** The parts of an OpenAPI schema that name members. */
interface Described {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Described>;
  additionalProperties?: boolean | Described;
  items?: Described;
  oneOf?: Described[];
  anyOf?: Described[];
  allOf?: Described[];
}

interface Operation {
  parameters?: { name?: string; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: Described }> };
}

/** True if a refusal of a route may name the field: the document says that the request has it. */
export type NamesMember = (route: Pick<Route, "method" | "path">, field: string) => boolean;

/** Whole parts of a request, and names from its head. */
const parts = new Set(["body", "query", "path", "request", "If-Match", "Idempotency-Key", "host", "transfer-encoding"]);

/** Makes the look-up in the document of a table. It is independent of the gateway's translation. */
export function makeNamesMember(table: readonly Route[]): NamesMember {
  const document = JSON.parse(JSON.stringify(makeOpenApi(table))) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Described> };
  };
  const resolved = (schema: Described): Described => {
    const name = schema.$ref?.replace("#/components/schemas/", "");
    return name === undefined ? schema : (document.components.schemas[name] ?? {});
  };
  const has = (given: Described | undefined, [name, ...rest]: readonly string[]): boolean => {
    if (given === undefined) return false;
    if (name === undefined) return true;
    const { properties = {}, additionalProperties, items, type, ...schema } = resolved(given);
    const variants = [schema.oneOf, schema.anyOf, schema.allOf].flatMap((list) => list ?? []);
    if (variants.some((variant) => has(variant, [name, ...rest]))) return true;
    if (items !== undefined) return /^\d+$/.test(name) && has(items, rest);
    if (Object.hasOwn(properties, name)) return has(properties[name], rest);
    if (typeof additionalProperties === "object") return has(additionalProperties, rest);
    const isOpen = additionalProperties === true || Object.keys(properties).length === 0;
    return variants.length === 0 && isOpen && [type ?? "object"].flat().includes("object");
  };
  return ({ method, path }, field) => {
    const { parameters = [], requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {};
    if (parts.has(field) || path.includes(`{${field}}`) || parameters.some(({ name }) => name === field)) return true;
    const bodies = Object.values(requestBody?.content ?? {});
    return bodies.some(({ schema }) => has(schema, field.split(".")));
  };
}

import fc from "fast-check";
import type { Json } from "./corridor-payloads";

/** A change of a payload at a dotted path; no value deletes it. */
interface Edit {
  path: string;
  value: unknown;
}

/** Random payloads near the given ones: up to three fields deleted or replaced by a value that a schema names, or by anything. */
export function payloadsNear(bases: readonly Json[], schema: Json): fc.Arbitrary<Json> {
  const paths = [...new Set([...schemaPaths(schema), ...bases.flatMap((base) => valuePaths(base))])];
  const edit = fc.record({ path: fc.constantFrom(...paths), value: valuesLike(schema) });
  return fc
    .record({ base: fc.constantFrom(...bases), edits: fc.array(edit, { maxLength: 3 }) })
    .map(({ base, edits }) => asJson(edits.reduce(applied, structuredClone(base))));
}

/** The payload after a round trip through JSON text: a deleted element becomes null. */
const asJson = (payload: Json): Json => JSON.parse(JSON.stringify(payload)) as Json;

/** Values, examples and texts of the patterns in a schema, and values outside every schema. */
function valuesLike(schema: Json): fc.Arbitrary<unknown> {
  const named = keywordValues(schema, ["enum", "const", "examples"]).filter((value) => typeof value === "string");
  const forms = [...new Set(keywordValues(schema, ["pattern"]).map(String))];
  const odd = [undefined, undefined, null, true, 0, -1, 1.5, "", " ", "x", [], {}, [{}], "2026-02-30", "1990-04-15"];
  return fc.oneof(
    fc.constantFrom<unknown>(...odd),
    fc.constantFrom<unknown>("", ...named),
    fc.string({ maxLength: 40 }),
    ...forms.map((form) => fc.stringMatching(new RegExp(form))),
  );
}

function keywordValues(value: unknown, keywords: readonly string[]): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    keywords.includes(key) && typeof child !== "object"
      ? [child]
      : [...listed(key, child), ...keywordValues(child, keywords)],
  );

  function listed(key: string, child: unknown): unknown[] {
    return keywords.includes(key) && Array.isArray(child) ? child : [];
  }
}

/** Dotted paths of the properties that a schema describes. */
function schemaPaths(schema: unknown, path = ""): string[] {
  const { properties, items } = Object(schema) as { properties?: Json; items?: unknown };
  const own = Object.entries(properties ?? {}).flatMap(([name, child]) => {
    const place = path === "" ? name : `${path}.${name}`;
    return [place, ...schemaPaths(child, place)];
  });
  return items === undefined ? own : [...own, ...schemaPaths(items, `${path}.0`)];
}

/** Dotted paths of everything in a value. */
function valuePaths(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const place = path === "" ? name : `${path}.${name}`;
    return [place, ...valuePaths(child, place)];
  });
}

/** Applies an edit where its parent is an object or a list; otherwise changes nothing. */
function applied(payload: Json, { path, value }: Edit): Json {
  const segments = path.split(".");
  const last = segments.pop() ?? "";
  let parent: unknown = payload;
  for (const segment of segments) parent = (Object(parent) as Json)[segment];
  if (typeof parent !== "object" || parent === null) return payload;
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return payload;
}

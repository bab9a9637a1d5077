import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { chartDir } from "./helm";

/** The part of a JSON Schema that the table needs. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  description?: string;
  properties?: Readonly<Record<string, Schema>>;
  definitions?: Readonly<Record<string, Schema>>;
}

interface Row {
  paths: readonly string[];
  meaning: string;
  fallback: string;
}

const readmeFile = join(chartDir, "README.md");
const [begin, end] = [/<!-- values: begin\.[^>]*-->\n/, /\n<!-- values: end -->/];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const child = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** A default as the table shows it: empty for none; long ones are left to values.yaml. */
function shown(value: unknown): string {
  if (value === undefined || value === "" || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 || text === "{}" || text === "[]" ? "" : `\`${text}\``;
}

/** Rows of the settings below a node; throws for one without a description. */
function rowsBelow(schema: Schema, path: string, value: unknown, whole: Schema): Row[] {
  const referred = schema.$ref ?? schema.allOf?.[0]?.$ref;
  const named = whole.definitions?.[referred?.replace("#/definitions/", "") ?? ""];
  const { description: meaning } = schema;
  if (meaning !== undefined) return [{ paths: [path], meaning, fallback: shown(value) }];
  const properties = named?.properties ?? schema.properties;
  if (properties === undefined) throw new Error(`values.schema.json: ${path} has no description`);
  return Object.entries(properties).flatMap(([key, inside]) =>
    rowsBelow(inside, path === "" ? key : `${path}.${key}`, child(value, key), whole),
  );
}

/** One row for the settings common to all services; each service also has them under its own name. */
function serviceRows(whole: Schema, defaults: unknown): Row[] {
  const common = child(defaults, "serviceDefaults");
  const rows = rowsBelow({ $ref: "#/definitions/service" }, "", common, whole);
  return rows.map(({ paths: [path = ""], ...row }) => {
    const isCommon = child(common, path.split(".")[0] ?? "") !== undefined;
    const own = `services.<name>.${path}`;
    return { ...row, paths: isCommon ? [`serviceDefaults.${path}`, own] : [own] };
  });
}

/** The table of all values, in the order of the schema. */
function valuesTable(): string {
  const whole = JSON.parse(readFileSync(join(chartDir, "values.schema.json"), "utf8")) as Schema;
  const defaults: unknown = parse(readFileSync(join(chartDir, "values.yaml"), "utf8"));
  const rows = Object.entries(whole.properties ?? {}).flatMap(([key, schema]): Row[] => {
    if (key === "global" || key === "serviceDefaults") return [];
    if (key === "services") return serviceRows(whole, defaults);
    if (key === "bundled") return rowsBelow({ $ref: "#/definitions/server" }, "bundled.<server>", undefined, whole);
    return rowsBelow(schema, key, child(defaults, key), whole);
  });
  const lines = rows.map(
    ({ paths, meaning, fallback }) =>
      `| ${paths.map((path) => `\`${path}\``).join(", ")} | ${meaning} |${fallback === "" ? "" : ` ${fallback}`} |`,
  );
  return ["| Value | Meaning | Default |", "| --- | --- | --- |", ...lines].join("\n");
}

/** The chart's README with the up-to-date table. */
export function readmeWithTable(): { file: string; present: string; wanted: string } {
  const present = readFileSync(readmeFile, "utf8");
  const from = begin.exec(present);
  const to = end.exec(present);
  if (from === null || to === null) throw new Error(`${readmeFile} lacks the markers of the table of values`);
  const head = present.slice(0, from.index + from[0].length);
  return { file: readmeFile, present, wanted: `${head}\n${valuesTable()}\n${present.slice(to.index)}` };
}

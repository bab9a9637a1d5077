import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { chartDir, valuesFiles } from "./helm";

type Values = Record<string, unknown>;

const textOf = (path: string): string => readFileSync(join(chartDir, path), "utf8");
const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Applies a file of values as helm does: merges objects, replaces anything else, and removes on null. */
function merged(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return structuredClone(over);
  const result: Values = structuredClone(base);
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

const defaults = parse(textOf("values.yaml")) as Values;
const production = merged(defaults, parse(textOf("ci/production-values.yaml"))) as Values;
const schema = new Ajv({ allErrors: false, strict: false });
const accepts = schema.compile(JSON.parse(textOf("values.schema.json")) as object);

/** Objects whose keys are data: labels, annotations, files of a bundled server. */
const isFree = (path: string): boolean =>
  /(^|\.)(labels|annotations|matchLabels|nodeSelector|podLabels)$/.test(path) ||
  /(Annotations|affinity)$/.test(path) ||
  /^bundled\.\w+\.secretFiles$/.test(path);

/** Paths of all objects in the values, the top included as an empty path. */
function objectsIn(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => objectsIn(item, `${path}.${index}`));
  }
  if (!isObject(value)) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => objectsIn(item, path === "" ? key : `${path}.${key}`));
  return [path, ...inside];
}

function at(values: unknown, path: string): Values {
  let here: unknown = values;
  for (const key of path === "" ? [] : path.split(".")) {
    here = Array.isArray(here) ? here[Number.parseInt(key, 10)] : isObject(here) ? here[key] : undefined;
  }
  if (!isObject(here)) throw new Error(`no object at ${path}`);
  return here;
}

/** What the API server checks, as it changes with Kubernetes. */
const isOfKubernetes = (key: string): boolean => key === "affinity";

describe("values.schema.json", () => {
  it.each(valuesFiles())("accepts $title", ({ file }) => {
    const values = merged(defaults, parse(readFileSync(file, "utf8")));

    expect([accepts(values), accepts.errors]).toEqual([true, null]);
  });

  it.each(["unknownKey", "UNKNOWN_KEY"])("refuses an unknown key at every level: %s", (key) => {
    const taken = objectsIn(production).filter((path) => {
      const values = structuredClone(production);
      at(values, path)[key] = "x";
      return !isFree(path) && accepts(values);
    });

    expect(taken).toEqual([]);
    expect(objectsIn(production).length).toBeGreaterThan(100);
  });

  it("refuses a value of another type at every leaf", () => {
    const taken = objectsIn(production).flatMap((path) =>
      Object.keys(at(production, path)).filter((key) => {
        const values = structuredClone(production);
        at(values, path)[key] = { of: { another: "type" } };
        return !isOfKubernetes(key) && accepts(values);
      }),
    );

    expect(taken).toEqual([]);
  });

  it.each([
    ["a sandbox in production", "services.sandbox", { enabled: true }],
    ["a small MongoDB in production", "bundled.mongodb", { enabled: true }],
    ["a test payment in production", "tests", { secretName: "x" }],
    ["calls without TLS in production", "rpcTls", { enabled: false }],
    ["a local profile", "", { profile: "local" }],
    ["plain HTTP", "", { publicUrl: "http://api.example.com" }],
    ["a moving tag", "image", { tag: "latest" }],
    ["no image", "image", { repository: "" }],
    ["a route without Gateways", "gatewayApi", { enabled: true }],
    ["a peer that is everybody", "networkPolicy.peers.mongodb", { selectors: [{ podSelector: { matchLabels: {} } }] }],
    ["a setting of another service", "services.fx.env", { RAIL_BASE_URL: "https://x" }],
  ])("refuses %s", (_what, path, change) => {
    const values = structuredClone(production);

    Object.assign(at(values, path), change);

    expect(accepts(values)).toBe(false);
  });
});

const readme = textOf("README.md");
const section = (title: string): string => readme.split(/^## /m).find((part) => part.startsWith(title)) ?? "";
const codeIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
const rows = [...section("Values").matchAll(/^\| (`.+?) \| (.*) \| ?(.*?) ?\|$/gm)].map(
  ([, paths = "", , fallback = ""]) => ({ paths: codeIn(paths), fallback }),
);

/** `services.<name>.env` as a pattern for the path of one service, and of what is below it. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/<\w+>/g, "\\w+")}(\\.|$)`);

/** Paths of everything in the values that is not an object. */
const leavesIn = (value: unknown, path: string): string[] =>
  isObject(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, item]) => leavesIn(item, path === "" ? key : `${path}.${key}`))
    : [path];

const valueAt = (path: string): unknown => {
  const names = path.split(".");
  const last = names.pop() ?? "";
  return at(defaults, names.join("."))[last];
};

describe("the README of the chart", () => {
  const documented = rows.flatMap(({ paths }) => paths);

  it("lists every value", () => {
    const patterns = documented.map(patternOf);
    const missing = leavesIn(defaults, "").filter((leaf) => !patterns.some((pattern) => pattern.test(leaf)));

    expect(missing).toEqual([]);
  });

  it("lists no other value", () => {
    const leaves = leavesIn(defaults, "");
    const optional = ["services.<name>.strategy", "services.<name>.autoscaling"];
    const unknown = documented.filter(
      (path) =>
        !leaves.some((leaf) => patternOf(path).test(leaf)) &&
        !optional.some((prefix) => path.startsWith(prefix)) &&
        // A service may have the same settings as serviceDefaults.
        !documented.includes(path.replace("services.<name>.", "serviceDefaults.")),
    );

    expect(unknown).toEqual([]);
  });

  it("names the defaults that they have", () => {
    const wrong = rows.flatMap(({ paths: [path = ""], fallback }) => {
      const [named] = codeIn(fallback);
      if (named === undefined || path.includes("<")) return [];
      const value = valueAt(path);
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return text === named ? [] : [`${path} is ${text}`];
    });

    expect(wrong).toEqual([]);
  });

  it("names the keys of every Secret", () => {
    const services = at(defaults, "services");
    const wanted = Object.keys(services).map((name) => {
      const { secretFiles = {}, secretEnv = {} } = at(defaults, `services.${name}`) as {
        secretFiles?: Record<string, string>;
        secretEnv?: Record<string, string>;
      };
      return [name, [...new Set([...Object.values(secretFiles), ...Object.values(secretEnv)])].toSorted()];
    });
    const listed = [...section("Secrets").matchAll(/^\| `<fullname>-(\w+)`[^|]*\| ([^|]*)\|$/gm)]
      .map(([, name = "", keys = ""]) => [name, codeIn(keys).toSorted()])
      .filter(([name]) => typeof name === "string" && name in services);

    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(wanted));
  });

  it("lists every set-up of ci/", () => {
    const listed = [...readme.matchAll(/^\| `([\w-]+)-values\.yaml`/gm)].map(([, title]) => title);

    expect(new Set(listed)).toEqual(new Set(valuesFiles().map(({ title }) => title)));
  });
});

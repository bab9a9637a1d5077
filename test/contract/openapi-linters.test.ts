import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeOpenApi, operatorWords } from "../../gateway/openapi";
import { uncalledOperatorTable, uncalledTable } from "../support/declared-access";

/** What strangers run over a published document before they use it, with its rules as they are. */
const plain = (document: object) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
const documents = [
  { name: "of tenants", document: plain(makeOpenApi(uncalledTable)) },
  { name: "of operators", document: plain(makeOpenApi(uncalledOperatorTable, operatorWords)) },
] as const;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

interface Media extends Fields {
  schema: Fields;
}

/** Everything in a document that has a schema: bodies, parameters and headers, each with its place. */
function mediaOf(part: unknown, place: readonly string[]): (readonly [readonly string[], Media])[] {
  if (!isObject(part)) return [];
  const inner = Object.entries(part)
    .filter(([key]) => key !== "schema" && key !== "example" && key !== "examples")
    .flatMap(([key, value]) => mediaOf(value, [...place, key]));
  return isObject(part["schema"]) ? [[place, part as Media], ...inner] : inner;
}

const pointer = (place: readonly string[]): string =>
  place.map((word) => encodeURIComponent(word.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");

describe.each(documents)("the OpenAPI document $name", ({ document }) => {
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  ajv.addSchema(document, "openapi");
  const { paths, webhooks, components } = document as Record<string, Fields>;
  const media = mediaOf({ paths, webhooks }, []);

  const examplesOf = ({ example, examples }: Media): readonly unknown[] => {
    if (!isObject(examples)) return example === undefined ? [] : [example];
    const named = Object(components?.["examples"]) as Record<string, Fields>;
    return Object.values(examples as Record<string, Fields>).map(
      ({ $ref, value }) => value ?? named[String($ref).split("/").at(-1) ?? ""]?.["value"],
    );
  };

  it("passes Spectral's recommended rules without a hint", async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [[oas as RulesetDefinition, "recommended"]], rules: {} });

    const found = await spectral.run(document);

    expect(found.map(({ code, message, path }) => `${path.join(".")}: ${code}: ${message}`)).toEqual([]);
  });

  it("passes Redocly's recommended rules, strictly", () => {
    const folder = mkdtempSync(join(tmpdir(), "openapi-"));
    try {
      writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
      writeFileSync(join(folder, "redocly.yaml"), "extends: [recommended-strict]\n");
      const cli = join(__dirname, "../../node_modules/@redocly/cli/bin/cli.js");
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "lint", "openapi.json"], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      });

      expect({ status, report: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, report: "" });
      expect(stdout + stderr).not.toMatch(/warning|ignored/i);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("has an example for every body and parameter", () => {
    const without = media.filter(([place, one]) => !place.includes("headers") && examplesOf(one).length === 0);

    expect(media.length).toBeGreaterThan(500);
    expect(without.map(([place]) => place.join(" "))).toEqual([]);
  });

  it("has only examples that their schemas allow", () => {
    const wrong = media.flatMap(([place, one]) => {
      const allows = ajv.compile({ $ref: `openapi#/${pointer([...place, "schema"])}` });
      const refused = examplesOf(one).filter((example) => !allows(example));
      return refused.map(
        (example) => `${place.join(" ")}: ${JSON.stringify(example)} ${ajv.errorsText(allows.errors)}`,
      );
    });

    expect(wrong).toEqual([]);
  });

  it("names every schema, header and example that it has", () => {
    const text = JSON.stringify(document);
    const sections = Object.entries(components ?? {}).filter(([section]) => section !== "securitySchemes");
    const unnamed = sections.flatMap(([section, all]) =>
      Object.keys(Object(all) as object)
        .map((name) => `#/components/${section}/${name}`)
        .filter((place) => !text.includes(`"${place}"`)),
    );

    expect(unnamed).toEqual([]);
  });

  it("writes patterns as every language reads them", () => {
    const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, pattern = '""']) => JSON.parse(pattern) as string,
    );

    expect(patterns.length).toBeGreaterThan(10);
    // `\/` is an escape that needs none: generators that write a regular expression escape it once more.
    expect(patterns.filter((pattern) => pattern.includes("\\/"))).toEqual([]);
  });
});

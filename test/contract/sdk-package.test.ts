import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { payloadCases } from "../support/corridor-payloads";
import { installSdk, readmeProgram, type SdkPackage } from "../support/sdk-package";

/** `BANK_DEPOSIT` is bankDeposit. */
const wayOf = (type: string): string =>
  type.toLowerCase().replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

interface Sample {
  name: string;
  /** The call that makes the payout, as an integrator writes it. */
  call: string;
}

/** Sample payloads of every country, as calls of the client: amounts are texts, and the country says itself what it is. */
const samples: readonly Sample[] = payloadCases
  .filter(({ expectField }) => expectField === undefined)
  .map(({ country, name, payload }) => {
    const { paymentType: _type, exchangeRate: _rate, ...body } = structuredClone(payload) as Record<string, never>;
    const recipient = body["recipient"] as unknown as { paymentMethod: { type: string; countryCode?: string } };
    const { type, countryCode: _country, ...paymentMethod } = recipient.paymentMethod;
    const call = { ...(body as object), recipient: { ...recipient, paymentMethod } };
    const text = JSON.stringify(call).replaceAll(/("total":)([\d.]+)/g, '$1"$2"');
    return { name: `${country} ${name}`, call: `payouts.${country}.${wayOf(type)}(${text})` };
  });

/** Programs that must not compile, each by one word. */
const wrong: readonly [why: string, from: RegExp | string, to: string][] = [
  ["a forgotten document", /,"documents":\[.*?\]/, ""],
  ["a document of another country", '"CPF"', '"CURP"'],
  ["a misspelt name", '"firstName":"Maria"', '"fristName":"Maria"'],
  ["a key without its kind", /"keyType":"\w+",/, ""],
  ["a kind of key that there is not", /"keyType":"\w+"/, '"keyType":"FAX"'],
  ["a field of another method", /"keyType":/, '"accountNumber":"1","keyType":'],
  ["a currency that the country does not pay", '"currency":"BRL"', '"currency":"EUR"'],
  ["a float", /"total":"100"/, '"total":100.5'],
  ["a method that the country has not", ".pix(", ".wallet("],
  ["a country that there is not", "payouts.BRA", "payouts.BRZ"],
];

describe("the package of the client", () => {
  let sdk: SdkPackage;
  beforeAll(() => {
    sdk = installSdk();
  });
  afterAll(() => sdk.remove());

  it("has what it is made of and its types, no tests, and needs nothing", () => {
    const manifest = JSON.parse(
      readFileSync(join(sdk.dir, "node_modules/@corridor/sdk/package.json"), "utf8"),
    ) as object;

    expect(manifest).not.toHaveProperty("dependencies");
    expect(sdk.files).toEqual(expect.arrayContaining(["package.json", "README.md", "dist/main.js", "dist/main.d.ts"]));
    expect(
      sdk.files.filter((path) => !/^(package\.json|README\.md|dist\/.*(?<!\.test)\.(js|d\.ts))$/.test(path)),
    ).toEqual([]);
    const code = sdk.files
      .filter((path) => path.endsWith(".js"))
      .map((path) => readFileSync(join(sdk.dir, "node_modules/@corridor/sdk", path), "utf8"))
      .join("\n");
    const foreign = [...code.matchAll(/(?:(?<!")\bfrom|import\()\s*["']([^"']+)["']/g)].filter(
      ([, name = ""]) => !name.startsWith("."),
    );
    expect(foreign).toEqual([]);
    expect(code).not.toMatch(/\bprocess\.|\bBuffer\b|\brequire\(/);
  });

  it("compiles the README for an integrator who is as strict as can be", () => {
    expect(sdk.compile(readmeProgram())).toBe("");
  });

  it("is one and the same for programs that require it", () => {
    const program = sdk.write(
      "program.cjs",
      `const { Corridor, CorridorError } = require("@corridor/sdk");
const { Operator } = require("@corridor/sdk/operator");
import("@corridor/sdk").then((sdk) => console.log(sdk.CorridorError === CorridorError, typeof Corridor, typeof Operator));`,
    );

    expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toBe("true function function\n");
  });

  it("types the operator API: its paths, queries, bodies and answers", () => {
    const head =
      'import { Operator } from "@corridor/sdk/operator";\nconst { call } = new Operator({ baseUrl: "http://a" });\n';
    const right =
      'const { tenants } = await call("GET /tenants");\nconst name: string | undefined = tenants[0]?.tenant;\n';
    const slips = [
      'await call("GET /tenant");',
      'await call("GET /cases/{caseId}");',
      'await call("GET /cases", { query: { state: "LOST" } });',
      'await call("POST /tenants", { body: { slug: "demo" } });',
      '(await call("GET /tenants")).tenant;',
    ];
    const said = sdk.compile([`${head}${right}`, ...slips].join("\n"));
    const lines = new Set([...said.matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 6));

    expect(sdk.compile(`${head}${right}export { name };`)).toBe("");
    expect(slips.filter((_row, at) => !lines.has(at))).toEqual([]);
  });

  it("takes every sample of every country and method", () => {
    const text = samples.map(({ call }) => `${call};`).join("\n");

    expect(samples.length).toBeGreaterThan(180);
    expect(sdk.compile(`import { payouts } from "@corridor/sdk";\n${text}\n`)).toBe("");
  });

  it("refuses what a payout to Brazil does not take, each by itself", () => {
    const right = samples.find(({ call }) => call.startsWith("payouts.BRA.pix("))?.call ?? "";
    const calls = wrong.map(([why, from, to]) => {
      const changed = right.replace(from, to);
      if (changed === right) throw new Error(`${why} cannot be planted in ${right}`);
      return `${changed};`;
    });
    const said = sdk.compile(['import { payouts } from "@corridor/sdk";', ...calls].join("\n"));
    const lines = new Set([...said.matchAll(/^program\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 2));

    expect(wrong.filter((_row, at) => !lines.has(at)).map(([why]) => why)).toEqual([]);
  });
});

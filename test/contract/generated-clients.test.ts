import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeOpenApi } from "../../gateway/openapi";
import { uncalledTable } from "../support/declared-access";

/** What strangers generate of the published document, with generators and a compiler that are not ours (test/clients). */
const home = resolve(__dirname, "../clients");
const generated = join(home, ".generated");
const root = resolve(__dirname, "../..");

function run(program: string, ...args: string[]): { status: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(join(home, "node_modules/.bin", program), args, {
    cwd: home,
    encoding: "utf8",
  });
  return { status, out: `${stdout}${stderr}` };
}

/** The body of the README's first payment, whose parts of the shell are a quote `q` and an `id`. */
function firstBody(): string {
  const [, body] =
    /console\.log\(JSON\.stringify\((\{.*?\n {2}additionalData: \{\} \})\)\)'/s.exec(
      readFileSync(join(root, "README.md"), "utf8"),
    ) ?? [];
  if (body === undefined) throw new Error("the README has no first payment");
  return body;
}

const head = `
import type { components, paths } from "./openapi-typescript";
import { type CreatePaymentData, createPayment, type FeedEvent } from "./hey-api";
import { createPayment as pay, type FeedEvent as EventOfFeed, type PaymentRequest } from "./oazapfts";
declare const q: { fxId: string; conversionRate: number };
declare const id: string;
type Asked = paths["/v2/payment"]["post"]["requestBody"]["content"]["application/json"];
type Capture = NonNullable<paths["/payments/{externalPaymentId}/capture"]["post"]["requestBody"]>["content"]["application/json"];
`;
const payment = (body: string): string =>
  `${head}${["asked: Asked", 'sent: CreatePaymentData["body"]', "paid: PaymentRequest"]
    .map((declared) => `export const ${declared} = ${body};`)
    .join("\n")}\n`;

/** A reader of the feed, who asks each event for its name before its members. */
const feed = (member: string): string =>
  `${head}${['components["schemas"]["FeedEvent"]', "FeedEvent", "EventOfFeed"]
    .map((type, index) => {
      const says = `payload.event === "TransactionPayoutStatusChanged" ? payload.${member} : payload.event`;
      return `export const read${index} = ({ payload }: ${type}): string => ${says};`;
    })
    .join("\n")}\n`;

const pullByCard = (paymentMethod: string): string => `{
  externalPaymentId: "pull-1", ipAddress: "203.0.113.7", paymentType: "PULL", capture: true,
  amount: { total: 10, currency: "USD" },
  sender: {
    firstName: "Ada", lastName: "Lovelace", email: "ada@example.com",
    address: { countryCode: "GBR", stateCode: "LND", city: "London", line1: "12 Hill Road", zipCode: "N1" },
    paymentMethod: ${paymentMethod},
  },
  additionalData: {},
}`;

const first = firstBody();
const withTypo = (from: string, to: string): string => {
  const changed = first.replace(from, to);
  if (changed === first) throw new Error(`the README's first payment has no ${from}`);
  return changed;
};

/** Name of a file, what stands in it, and whether it compiles. */
const files: readonly (readonly [name: string, text: string, compiles: boolean])[] = [
  ["readme", `${payment(first)}export const calls = () => [createPayment({ body: sent }), pay(paid)];\n`, true],
  ["card", payment(pullByCard('{ type: "CARD", cardTokenId: "8e9a1d0c-53b1-4a26-9d49-0f6d4d6f2a11" }')), true],
  ["card-without-token", payment(pullByCard('{ type: "CARD" }')), false],
  ["name", payment(withTypo("firstName", "fristName")), false],
  ["total", payment(withTypo("total: 100,", 'total: "100",')), false],
  ["method", payment(withTypo('type: "PIX"', 'type: "PIXX"')), false],
  ["capture", `${head}export const capture: Capture = { amount: 5 };\n`, true],
  ["feed", feed("newPayoutStatus"), true],
  ["feed-of-another-event", feed("newComplianceStatus"), false],
  ["captrue", payment(pullByCard('{ type: "CARD", cardTokenId: "x" }').replace("capture:", "captrue:")), false],
];

describe("clients that strangers generate of the document", () => {
  let compiled: { status: number | null; out: string };
  beforeAll(() => {
    rmSync(generated, { recursive: true, force: true });
    mkdirSync(generated);
    writeFileSync(join(generated, "openapi.json"), JSON.stringify(makeOpenApi(uncalledTable)));
    for (const made of [
      run("openapi-typescript", ".generated/openapi.json", "-o", ".generated/openapi-typescript.ts"),
      run("openapi-ts", "-i", ".generated/openapi.json", "-o", ".generated/hey-api"),
      run("oazapfts", ".generated/openapi.json", ".generated/oazapfts.ts"),
    ]) {
      if (made.status !== 0) throw new Error(made.out);
    }
    for (const [name, text] of files) writeFileSync(join(generated, `${name}.ts`), text);
    compiled = run("tsc", "-p", ".");
  });

  const errorsIn = (name: string): string[] =>
    compiled.out.split("\n").filter((line) => line.startsWith(`.generated/${name}`));

  it.each(["openapi-typescript", "hey-api"])("compile as they are: %s", (name) => {
    expect(errorsIn(name)).toEqual([]);
  });

  it("compile but for a flaw of oazapfts, which types further keys of an object without its optional ones", () => {
    expect(errorsIn("oazapfts")).toEqual([
      expect.stringMatching(/TS2411: Property 'paymentPurpose'/),
      expect.stringMatching(/TS2411: Property 'statementNarrative'/),
    ]);
  });

  it.each(files.filter(([, , compiles]) => compiles))("take what is right: %s", (name) => {
    expect(errorsIn(`${name}.ts`)).toEqual([]);
  });

  it.each(files.filter(([, , compiles]) => !compiles))("refuse what is wrong, each of them: %s", (name, text) => {
    const line = (error: string): number => Number(/\((\d+),/.exec(error)?.[1]);
    const declarations = (lines: readonly string[]): number => lines.filter((one) => one.startsWith("export ")).length;
    const lines = text.split("\n");
    const refused = errorsIn(`${name}.ts`).map((error) => declarations(lines.slice(0, line(error))));

    expect(new Set(refused).size).toBe(declarations(lines));
  });
});

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "csv-parse/sync";
import { offerOf } from "../../cli/commands/completion.ts";
import { commands } from "../../cli/commands.ts";
import { sharedOptions } from "../../cli/shared-options.ts";
import { compiled } from "../../local/compiled";
import { findProgram } from "../../local/find-program";
import type { Platform } from "../../local/platform";
import { type CommandLine, makeCommandLine } from "../support/command-line";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy";
import { freshId } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const uuid = "6f1c2d3e-0000-4000-8000-000000000000";
const harmless = /^(GET .*|POST \/(oauth\/token|v2\/foreign-exchange|v2\/payment\/validate))$/;

/** The command line takes care: of what it changes, of who reads what it writes, and of what it offers. */
describe("the command line, with care", () => {
  let platform: Platform;
  let run: CommandLine;
  let dir: string;
  const proxies: FaultProxy[] = [];
  /** Everything that reached the platform, its sandbox or its operator API. */
  const reached: string[] = [];
  /** The platform by other addresses, as somebody has it who is far from it; without a sandbox it is production. */
  let far: Record<string, string>;

  beforeAll(async () => {
    platform = await startTestPlatform();
    dir = mkdtempSync(join(tmpdir(), "corridor-care-"));
    const watch = async (url: string): Promise<string> => {
      const proxy = await startFaultProxy(url);
      proxy.plan((method, path) => {
        reached.push(`${method} ${path.split("?")[0]}`);
        return "pass";
      });
      proxies.push(proxy);
      return proxy.url;
    };
    const { credentials } = platform;
    const demo = credentials.tenants.find(({ tenant }) => tenant === "demo");
    const agent = demo?.agents.find(({ status }) => status === "ACTIVE");
    far = {
      CORRIDOR_URL: await watch(credentials.baseUrl),
      CORRIDOR_CLIENT_ID: demo?.clientId ?? "",
      CORRIDOR_CLIENT_SECRET: demo?.clientSecret ?? "",
      CORRIDOR_TENANT: "demo",
      CORRIDOR_API_KEY: demo?.apiKey ?? "",
      CORRIDOR_AGENT_ID: agent?.agentId ?? "",
      CORRIDOR_AGENT_API_KEY: agent?.apiKey ?? "",
      OPERATOR_URL: await watch(credentials.operatorUrl),
      OPERATOR_TOKEN: credentials.operatorToken,
      CORRIDOR_DIR: dir,
      CORRIDOR_CONFIG_DIR: dir,
    };
    const sandbox = await watch(credentials.sandboxUrl);
    const bare = makeCommandLine(platform);
    run = (words, circumstances = {}) =>
      bare(words, {
        ...circumstances,
        env: {
          ...far,
          ...(words.some((word) => /^(sandbox|trigger)$/.test(word)) ? { CORRIDOR_SANDBOX_URL: sandbox } : {}),
          ...circumstances.env,
        },
      });
  });
  beforeEach(() => {
    reached.length = 0;
  });
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true });
    await Promise.all(proxies.map((one) => one.stop()));
    await platform.stop();
  });

  const pay = async (...more: readonly string[]): Promise<string> => {
    const id = freshId();
    const end = await run([
      "payments",
      "create",
      "--country",
      "BRA",
      "--amount",
      "10.10",
      "--id",
      id,
      "--yes",
      ...more,
    ]);
    expect([end.code, end.stderr]).toEqual([0, end.stderr]);
    return id;
  };

  it("writes lists as lines of JSON and as a table for spreadsheets, with every member and exact digits", async () => {
    const id = await pay("--wait");
    const lines = (await run(["payments", "list", "--jsonl", "--limit", "5"])).stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { externalPaymentId: string }).externalPaymentId)).toContain(id);
    const table = await run(["payments", "list", "--csv", "--limit", "5"]);
    const rows = parse<Record<string, string>>(table.stdout, { columns: true });
    expect(rows.find(({ externalPaymentId }) => externalPaymentId === id)).toMatchObject({
      status: "CAPTURED",
      "amount.total": "10.1",
      "amount.currency": "USD",
    });
    for (const row of commands.filter(
      ({ isList, args = [] }) => isList === true && args.every(({ isOptional }) => isOptional),
    )) {
      if (row.words === "operator call" || row.words.startsWith("operator session")) continue;
      const end = await run([...row.words.split(" "), "--csv"]);
      // What is one thing and no list says so, and that alone.
      const isList = end.code === 0 || end.stderr.includes("no list");
      expect([row.words, isList, end.stderr]).toEqual([row.words, true, end.stderr]);
    }
    const tenants = parse((await run(["operator", "tenants", "list", "--csv"])).stdout, { columns: true });
    expect(tenants).toEqual(expect.arrayContaining([expect.objectContaining({ tenant: "demo" })]));
    expect((await run(["payments", "get", id, "--csv"])).code).toBe(2);
    // Nothing is done in a form in which its answer could not be shown.
    const body = JSON.stringify({ tenant: "by-csv" });
    const refused = await run(["operator", "call", "POST", "/tenants", "--body", "-", "--yes", "--csv"], {
      stdin: body,
    });
    expect([refused.code, reached.includes("POST /tenants")]).toEqual([2, false]);
  });

  it("shows in a dry run what each command would send, without a secret, and sends nothing", async () => {
    const changing = commands.filter(({ changes }) => changes === true);
    expect(changing.length).toBeGreaterThan(60);
    const file = join(dir, "body.json");
    writeFileSync(file, '{"tenant":"dry-run","clientSecret":"hidden-secret"}');
    const paid = await pay();
    reached.length = 0;
    for (const { words, args = [] } of changing) {
      const given = args.filter(({ isOptional }) => isOptional !== true).map(({ name }) => wordFor(name, paid));
      const more =
        { "payments create": ["--country", "BRA"], trigger: ["hold-reject"], "operator call": ["--body", file] }[
          words
        ] ?? [];
      const end = await run([...words.split(" "), ...given, ...more, "--dry-run", "--json"]);
      expect([words, end.code, end.stderr]).toEqual([words, 0, expect.stringContaining("nothing was sent")]);
      expect([words, end.json()]).toEqual([
        words,
        expect.objectContaining({
          dryRun: true,
          request: expect.objectContaining({
            method: expect.stringMatching(/^(POST|PUT|PATCH|DELETE)$/) as unknown,
          }) as unknown,
        }),
      ]);
      for (const secret of [
        far["CORRIDOR_CLIENT_SECRET"],
        far["CORRIDOR_API_KEY"],
        far["CORRIDOR_AGENT_API_KEY"],
        far["OPERATOR_TOKEN"],
        "hidden-secret",
      ]) {
        expect([words, `${end.stdout}${end.stderr}`.includes(String(secret))]).toEqual([words, false]);
      }
    }
    expect(reached.filter((one) => !harmless.test(one))).toEqual([]);
  });

  it("asks the platform what it would say of a payment, and shows a command that sends it", async () => {
    const id = freshId();
    const words = ["payments", "create", "--country", "BRA", "--amount", "10.10", "--id", id, "--dry-run"];
    const good = await run([...words, "--json"]);
    expect(good.json()).toMatchObject({
      request: {
        method: "POST",
        url: `${far["CORRIDOR_URL"]}/v2/payment`,
        body: { externalPaymentId: id, amount: { total: "10.10" } },
      },
      preflight: { valid: true },
    });
    expect((await run(["payments", "get", id])).code).toBe(1);
    const shownCurl = await run(words);
    expect(shownCurl.stdout).toMatch(
      /^curl -X POST 'http\S+\/v2\/payment' \\\n {2}-H 'authorization: Bearer <access token>'/,
    );
    // With the token filled in it is the request, to the digit.
    const token = await output("curl", [
      "-s",
      `${far["CORRIDOR_URL"]}/oauth/token`,
      "-u",
      `${far["CORRIDOR_CLIENT_ID"]}:${far["CORRIDOR_CLIENT_SECRET"]}`,
      "-d",
      "grant_type=client_credentials",
    ]);
    const { access_token: value } = JSON.parse(token) as { access_token: string };
    const sent = await output("bash", ["-c", `${shownCurl.stdout.trimEnd()} -s`.replace("<access token>", value)]);
    expect(JSON.parse(sent)).toMatchObject({ externalPaymentId: id });

    const example = JSON.parse((await run(["schema", "BRA", "--example", "--method", "PIX"])).stdout) as Record<
      string,
      object
    >;
    const bad = JSON.stringify({ ...example, recipient: { ...example["recipient"], documents: [] } });
    const refused = await run(["payments", "create", "--file", "-", "--quote", "--dry-run", "--json"], { stdin: bad });
    expect([refused.code, refused.json()]).toEqual([
      1,
      expect.objectContaining({ preflight: expect.objectContaining({ valid: false }) as unknown }),
    ]);
  });

  it("asks before it changes production, and refuses where there is no terminal to confirm at", async () => {
    const id = freshId();
    const words = ["payments", "create", "--country", "BRA", "--id", id];
    const unasked = await run([...words, "--json"]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("add --yes to change it")]);
    expect(unasked.json()).toMatchObject({ error: "Usage" });
    expect(await run(words, { answer: "" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Go on? [y/N]") as unknown,
    });
    expect((await run(words, { answer: "no" })).code).toBe(1);
    expect((await run(["webhooks", "test", uuid])).code).toBe(2);
    expect((await run(["operator", "tenants", "add", "asked"])).code).toBe(2);
    expect(reached.filter((one) => !harmless.test(one))).toEqual([]);
    // Looking is never asked about.
    expect((await run(["payments", "list"])).code).toBe(0);
    expect((await run(words, { answer: "y" })).code).toBe(0);
    expect((await run(["payments", "create", "--country", "BRA", "--yes"])).code).toBe(0);
    expect((await run(["payments", "create", "--country", "BRA"], { env: { CORRIDOR_PRODUCTION: "no" } })).code).toBe(
      0,
    );
    // A sandbox is no production, unless somebody says so.
    const { sandboxUrl } = platform.credentials;
    expect(
      (await run(["payments", "create", "--country", "BRA"], { env: { CORRIDOR_SANDBOX_URL: sandboxUrl } })).code,
    ).toBe(0);
    const both = { CORRIDOR_SANDBOX_URL: sandboxUrl, CORRIDOR_PRODUCTION: "yes" };
    expect((await run(["payments", "create", "--country", "BRA"], { env: both })).code).toBe(2);
    expect(
      (await run(["payments", "create", "--country", "BRA"], { env: { CORRIDOR_PRODUCTION: "maybe" } })).code,
    ).toBe(2);
  });

  it("offers commands, options, and ids of the caller's own lists, which it keeps for a moment", async () => {
    const offered = (...words: readonly string[]): readonly string[] => offerOf(commands, words, sharedOptions).words;
    expect(offered()).toEqual(expect.arrayContaining(["payments", "operator", "doctor"]));
    expect(offered("payments")).toEqual(expect.arrayContaining(["create", "refund"]));
    expect(offered("payments", "create")).toEqual(
      expect.arrayContaining(["--country", "--json", "--dry-run", "--yes"]),
    );
    const id = await pay();
    const hostile = `a$(touch ${join(dir, "run")})`;
    await run(["payments", "create", "--country", "BRA", "--id", hostile, "--yes"]);
    const complete = async (...words: readonly string[]): Promise<string[]> =>
      (await run(["__complete", "--", ...words])).stdout.trimEnd().split("\n");
    reached.length = 0;
    expect(await complete("payments", "get")).toContain(id);
    const asked = reached.length;
    expect(await complete("payments", "refund")).toContain(id);
    expect([asked > 0, reached.length]).toEqual([true, asked]);
    expect(await complete("payments", "get", id)).not.toContain(id);
    expect(await complete("payments", "create", "--country")).toContain("BRA");
    expect(await complete("payments", "list", "--status")).not.toContain("--json");
    expect(await complete("trigger")).toContain("hold-reject");
    const file = join(dir, "recent-ids.json");
    const kept = readFileSync(file, "utf8");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([kept.includes(hostile), kept.includes(String(far["CORRIDOR_API_KEY"])), kept.includes("demo")]).toEqual([
      false,
      false,
      false,
    ]);
    // What cannot be read, or asked, is no reason to disturb who types.
    writeFileSync(file, "{");
    expect(await complete("payments", "get")).toContain(id);
    const away = await run(["__complete", "--", "wallets", "get"], { env: { CORRIDOR_URL: "http://127.0.0.1:1" } });
    expect([away.code, away.stderr, away.stdout]).toEqual([0, "", expect.stringContaining("--json")]);

    const bin = join(dir, "corridor");
    writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${compiled("cli/main")}' "$@"\n`);
    chmodSync(bin, 0o755);
    const path = `${dir}${delimiter}${process.env["PATH"]}`;
    for (const [shell, script] of shells) {
      if (findProgram(shell, path) === undefined) {
        process.stderr.write(`no ${shell} on PATH: its completion is not run\n`);
        continue;
      }
      const flags = shell === "bash" ? ["--norc"] : shell === "zsh" ? ["-f"] : ["--no-config"];
      const said = await output(shell, [...flags, "-c", script.replaceAll("ID", id.slice(0, -4))], {
        ...far,
        PATH: path,
        HOME: dir,
      });
      expect([shell, said.trim().split("\n")]).toEqual([shell, [id]]);
    }
    expect(existsSync(join(dir, "run"))).toBe(false);
    expect((await run(["completion", "powershell"])).code).toBe(2);
  });
});

/** What a program writes. It asks proxies of this process, which go on meanwhile. */
const output = async (
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> => (await promisify(execFile)(program, args, { env, timeout: 60_000 })).stdout;

/** What each shell does when somebody presses the key behind the first letters of an id. */
const shells = [
  [
    "bash",
    `eval "$(corridor completion bash)"; COMP_WORDS=(corridor payments get ID); COMP_CWORD=3; _corridor; printf "%s\\n" "\${COMPREPLY[@]}"`,
  ],
  [
    "zsh",
    `compdef() { :; }; compadd() { print -l -- \${(M)offered:#ID*}; }; eval "$(corridor completion zsh)"; words=(corridor payments get ID); CURRENT=4; _corridor`,
  ],
  ["fish", 'corridor completion fish | source; complete -C "corridor payments get ID"'],
] as const;

/** A word that is well formed. */
function wordFor(name: string, payment: string): string {
  if (name === "id" || name === "externalPaymentId") return payment;
  if (name === "tenant" || name === "slug") return "nobody";
  if (name === "service") return "payment";
  if (name === "amount") return "1.10";
  if (name === "url") return "https://shop.example/hooks";
  if (name === "method") return "POST";
  if (name === "path") return "/tenants";
  if (/currency|asset/i.test(name)) return "USD";
  if (name === "day") return "2026-01-01";
  return uuid;
}

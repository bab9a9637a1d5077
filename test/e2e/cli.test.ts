import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands } from "../../cli/commands.ts";
import { matchRoute } from "../../cli/operator/commands.ts";
import { compiled } from "../../local/compiled";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { uncalledOperatorTable } from "../../local/sdk/route-tables";
import { verifyWebhook } from "../../sdk/src/main.ts";
import { httpCall } from "../integration/gateway/http-call";
import { type CommandLine, makeCommandLine } from "../support/command-line";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy";
import { cardPullBody } from "../support/payment-bodies";
import { freshId, until } from "../support/platform-client";
import { visitDevicePage, visitIssuer } from "../support/sandbox-login";
import { startTestPlatform } from "../support/test-platform";

const uuid = "6f1c2d3e-0000-4000-8000-000000000000";

describe("the command line", () => {
  let platform: Platform;
  let proxy: FaultProxy;
  let dir: string;
  let run: CommandLine;
  /** Commands that have done what they say, or were refused by the platform. */
  const done = new Set<string>();

  beforeAll(async () => {
    platform = await startTestPlatform();
    proxy = await startFaultProxy(platform.credentials.baseUrl);
    dir = mkdtempSync(join(tmpdir(), "corridor-cli-"));
    const bare = makeCommandLine(platform);
    run = async (words, circumstances) => {
      const end = await bare(words, circumstances);
      const row = commands.findLast(({ words: own }) => own.split(" ").every((word, at) => words[at] === word));
      if (row !== undefined && end.code < 2) done.add(row.words);
      return end;
    };
  });
  beforeEach(() => proxy.plan(() => "pass"));
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true });
    await proxy.stop();
    await platform.stop();
  });

  /** Runs a command that has to do what it says, and reads its document. */
  const good = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const end = await run([...words, "--json"]);
    expect([words.join(" "), end.code, end.stderr]).toEqual([words.join(" "), 0, end.stderr]);
    return end.json();
  };

  it("pays out in one command, and finds, lists and tells the payment", async () => {
    const id = freshId();
    const paid = await good(..."payments create --country BRA --method PIX --amount 100.10 --wait --id".split(" "), id);
    expect(paid).toMatchObject({ status: "CAPTURED", amount: "100.1", externalId: id });

    expect(await good("payments", "get", id)).toMatchObject({ status: "CAPTURED" });
    const listed = await run(["payments", "list", "--status", "CAPTURED", "--limit", "3"]);
    expect(listed.stdout).toMatch(/^externalPaymentId +status +amount/);
    expect(listed.stdout).toContain(id);
    expect(await good("payments", "timeline", id)).toMatchObject({ states: expect.any(Array) as unknown });
    const watched = await run(["payments", "watch", id]);
    expect(watched.stderr).toContain("Completed");
    expect(await good("search", id)).toMatchObject({ found: [{ kind: "payment" }] });
    // A decided one cannot be stopped, and that is a refusal.
    const cancelled = await run(["payments", "cancel", id, "--json"]);
    expect(cancelled).toMatchObject({ code: 1 });
    expect(cancelled.json()).toMatchObject({ error: expect.stringMatching(/^(PAY_409|TX_404)$/) as unknown });
  });

  it("takes a payout from a file or stdin, to the digit, and once by its id", async () => {
    const example = (await run(["schema", "BRA", "--example", "--method", "PIX"])).stdout;
    const file = join(dir, "payout.json");
    writeFileSync(file, example.replace('"100.00"', "250.33"));
    const id = freshId();
    const words = ["payments", "create", "--file", file, "--quote", "--id", id];
    expect(await good(...words)).toMatchObject({ amount: "250.33" });
    const other = await run([...words, "--json"]);
    // Another quote makes it another payment under the same id, which is refused.
    expect(other.code).toBe(1);
    expect(other.json()).toMatchObject({ error: "IDM_002", details: { fields: expect.any(Array) as unknown } });
    const piped = await run(["payments", "create", "--file", "-", "--quote", "--json"], { stdin: example });
    expect(piped.code).toBe(0);
    expect(await good("payments", "validate", "--file", file, "--quote")).toMatchObject({ valid: true });
    expect(await good("schema", "BRA")).toMatchObject({ title: "Brazil (BRA)" });
  });

  it("captures, voids and refunds a card", async () => {
    const card = async (): Promise<string> => {
      const body = cardPullBody("1", { capture: false });
      const end = await run(["payments", "create", "--file", "-", "--json"], { stdin: JSON.stringify(body) });
      expect([end.code, end.stderr]).toEqual([0, end.stderr]);
      return String(body["externalPaymentId"]);
    };
    const [captured, voided] = [await card(), await card()];
    expect(await good("payments", "capture", captured, "--amount", "60.50")).toMatchObject({ amount: "60.5" });
    expect(await good("payments", "refund", captured, "--amount", "0.50", "--reason", "broken")).toMatchObject({
      amount: "0.5",
    });
    expect(await good("payments", "void", voided)).toMatchObject({ voided: true });
  });

  it("tells by its exit code what is true: refused, wrong usage, unreachable, unknown, declined", async () => {
    const refused = await run(["payments", "get", "no-such", "--json"]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("errors.md, PAY_404") as unknown });
    expect(refused.json()).toMatchObject({ error: "PAY_404", status: 404 });

    expect((await run(["payments", "burn"])).code).toBe(2);
    expect((await run(["payments", "get"])).code).toBe(2);
    expect((await run(["payments", "create"])).code).toBe(2);
    expect((await run(["payments", "refund", "x", "--amount", "ten"])).code).toBe(2);
    expect((await run(["payments", "list"], { env: { CORRIDOR_PROFILE: "nobody" } })).code).toBe(2);

    const [port = 0] = await freePorts(1);
    const { clientId, clientSecret } = platform.credentials.tenants[0] ?? { clientId: "", clientSecret: "" };
    const env = {
      CORRIDOR_URL: `http://127.0.0.1:${port}`,
      CORRIDOR_CLIENT_ID: clientId,
      CORRIDOR_CLIENT_SECRET: clientSecret,
    };
    const away = await run(["payments", "get", "x"], { env });
    expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining("ECONNREFUSED") as unknown });

    proxy.plan((method, path) => (method === "POST" && path === "/v2/payment" ? "lostAfter" : "pass"));
    const id = freshId();
    const lost = await run(["payments", "create", "--country", "ECU", "--id", id, "--json", "--yes"], {
      env: { ...env, CORRIDOR_URL: proxy.url },
    });
    expect(lost.code).toBe(4);
    expect(lost.json()).toMatchObject({ error: "OutcomeUnknown", id, next: `corridor payments get ${id}` });
    expect(await good("payments", "get", id)).toMatchObject({ externalId: id });

    const declined = await run(["trigger", "hold-reject", "--wait", "--json"]);
    expect(declined.code).toBe(5);
    expect(declined.json()).toMatchObject({ status: "DECLINED" });
    const endOf = (...words: string[]): Promise<number> =>
      new Promise((resolve) => {
        const child = execFile(process.execPath, [compiled("cli/main"), ...words], {
          env: { ...process.env, CORRIDOR_DIR: platform.dir, CORRIDOR_CONFIG_DIR: dir },
        });
        child.once("exit", (code) => resolve(code ?? -1));
      });
    expect(await Promise.all([endOf("doctor"), endOf("payments", "get", "x"), endOf("burn")])).toEqual([0, 1, 2]);
  });

  it("keeps credentials that were accepted where only their owner reads them, and shows them to nobody", async () => {
    const demo = platform.credentials.tenants.find(({ tenant }) => tenant === "demo");
    const secret = demo?.clientSecret ?? "";
    const env = { CORRIDOR_DIR: dir, CORRIDOR_CONFIG_DIR: dir };
    const url = ["--url", platform.credentials.baseUrl, "--client-id", demo?.clientId ?? ""];
    expect((await run(["login", ...url], { env, secrets: ["wrong"] })).code).toBe(1);
    expect((await run(["payments", "list"], { env })).code).toBe(2);
    const login = await run(["login", ...url, "--tenant", "demo", "--profile", "shop"], {
      env,
      secrets: [secret, demo?.apiKey ?? ""],
    });
    expect([login.code, login.stderr]).toEqual([0, ""]);
    expect(login.stdout).not.toContain(secret);
    const file = join(dir, "config.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(secret);
    expect((await run(["payments", "list", "--profile", "shop"], { env })).code).toBe(0);
    expect((await run(["webhooks", "list", "--profile", "shop"], { env })).code).toBe(0);
    const options = commands.flatMap(({ options: own = [] }) => own.map(({ flags }) => flags));
    expect(options.filter((flags) => /secret|api-?key|token|password/i.test(flags))).toEqual([]);
    expect((await run(["logout", "--profile", "shop"], { env })).code).toBe(0);
    expect((await run(["payments", "list", "--profile", "shop"], { env })).code).toBe(2);
  });

  it("logs an operator in by a browser that comes back", async () => {
    const person = async (said: string): Promise<void> => {
      const [address] = /http:\S+/.exec(said) ?? [];
      if (address === undefined) return;
      const { code, state, iss } = await visitIssuer(address, "support");
      const { port } = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
      await httpCall(Number(port), `/callback?${new URLSearchParams({ code, state, iss }).toString()}`);
    };
    for (const words of [
      ["login", "--operator"],
      ["operator", "login"],
    ]) {
      const visits: Promise<void>[] = [];
      const end = await run([...words, "--no-browser", "--json"], { heard: (said) => visits.push(person(said)) });
      await Promise.all(visits);
      expect([end.code, end.stderr]).toEqual([0, end.stderr]);
      expect(end.json()).toMatchObject({ roles: ["support"] });
      expect(await good("operator", "session", "show")).toMatchObject({ roles: ["support"] });
      expect((await run(["operator", "logout"])).code).toBe(0);
    }
  });

  it("logs an operator in by a code, also where no browser is or opens, and ends with 1 when it is denied", async () => {
    const visits: Promise<string>[] = [];
    const enter = (person: string | undefined) => (said: string) => {
      const [, address, userCode] = /Open (http:\S+\/oidc\/device) in .* code (\S+)/.exec(said) ?? [];
      if (address !== undefined && userCode !== undefined) visits.push(visitDevicePage(address, userCode, person));
    };
    const noOpener = { DISPLAY: ":1", PATH: dir, SSH_CONNECTION: undefined };
    const ways: [string[], Record<string, string | undefined>][] = [
      [["login", "--operator", "--device"], { DISPLAY: ":1" }],
      [["operator", "login"], {}],
      [["operator", "login"], noOpener],
      [["login", "--operator"], { DISPLAY: ":1", SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" }],
    ];
    for (const [words, env] of ways) {
      const end = await run([...words, "--json"], { env, heard: enter("support") });
      expect([words, env, end.code, end.stderr]).toEqual([words, env, 0, end.stderr]);
      expect(end.json()).toMatchObject({ roles: ["support"] });
      expect(await good("operator", "session", "show")).toMatchObject({ roles: ["support"] });
      const kept = readFileSync(join(platform.dir, "config", "operator-session.json"), "utf8");
      const { session } = JSON.parse(kept) as { session: string };
      expect(end.stdout + end.stderr).not.toContain(session);
      expect(end.stdout + end.stderr).not.toMatch(/device_[\w-]{43}/);
      expect((await run(["operator", "logout"])).code).toBe(0);
    }
    expect(await Promise.all(visits)).toEqual(ways.map(() => expect.stringContaining("logged in") as unknown));

    const denied = await run(["login", "--operator", "--device", "--json"], { heard: enter(undefined) });
    expect([denied.code, denied.json()]).toEqual([1, { error: "NotLoggedIn", message: expect.any(String) as string }]);
    const over = AbortSignal.timeout(1_000);
    expect((await run(["login", "--operator", "--device"], { signal: over })).code).toBe(1);
  }, 120_000);

  it("sends what happens to an endpoint of this machine, in order and signed as the platform signs", async () => {
    const got: { headers: Record<string, string>; body: string }[] = [];
    const secret = Buffer.alloc(32, 7).toString("base64");
    let failures = 1;
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const isDown = failures > 0;
        failures -= 1;
        if (!isDown) got.push({ headers: request.headers as never, body: Buffer.concat(chunks).toString("utf8") });
        response.writeHead(isDown ? 500 : 204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const before = (await good("events", "list", "--limit", "1000")) as never as { cursor: string }[];
    const since = before.at(-1)?.cursor ?? "0";
    const id = freshId();
    await good("payments", "create", "--country", "ECU", "--id", id, "--wait");
    const types = ["--types", "TransactionStatusChanged", "--since", since];
    const told = await until(
      async () => (await run(["events", "list", ...types.slice(0, 2), "--since", since])).stdout,
      (text) => text.includes(id),
    );
    expect(told).toContain("TransactionStatusChanged");
    const words = ["webhooks", "listen", "--forward-to", url, ...types, "--count", "7", "--body"];
    const end = await run(words, { env: { CORRIDOR_WEBHOOK_SECRET: secret } });
    server.close();

    expect([end.code, end.stderr]).toEqual([0, expect.stringMatching(/go on with --since \d+/)]);
    expect(end.stdout).toContain("500");
    const states: string[] = [];
    for (const { headers, body } of got) {
      const event = await verifyWebhook(body, headers, secret);
      // Each form has to be right by itself.
      const { "webhook-signature": standard = "", ...own } = headers;
      await verifyWebhook(body, own, secret);
      await verifyWebhook(body, { ...headers, "x-service-signature": "", "webhook-signature": standard }, secret);
      if ("newStatus" in event) states.push(event.newStatus);
      await expect(verifyWebhook(`${body} `, headers, secret)).rejects.toThrow("the signature is wrong");
    }
    expect(states.slice(0, 3)).toEqual(["Created", "ProcessingPayout", "PayoutAccepted"]);
    expect(got.map(({ headers }) => Number(headers["x-service-sequence"]))).toEqual(
      got.map(({ headers }) => Number(headers["x-service-sequence"])).toSorted((a, b) => a - b),
    );
    const tail = await run(["events", "tail", ...types, "--count", "2", "--json"]);
    expect(
      tail.stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(got.slice(0, 2).map(({ headers }) => headers["x-service-event-id"]));
    const stopped = new AbortController();
    const listening = run(["webhooks", "listen", "--forward-to", url], {
      signal: stopped.signal,
      heard: (said) => said.startsWith("from ") && stopped.abort(),
    });
    expect((await listening).code).toBe(0);
  });

  it("works with webhooks, wallets, prices and the sandbox", async () => {
    const { sinkUrl } = platform.credentials;
    const { id } = (await good("webhooks", "create", `${sinkUrl}/cli`)) as { id: string };
    expect(await good("webhooks", "secret", "rotate", id)).toMatchObject({ signatureVersion: "v1" });
    await good("webhooks", "test", id);
    const [delivery] = await until(
      async () => (await good("webhooks", "deliveries", "--webhook-id", id)) as never as { id: string }[],
      (list) => list.length > 0,
    );
    await good("webhooks", "deliveries", "--status", "DELIVERED");
    expect(await good("webhooks", "delivery", id, String(delivery?.id))).toMatchObject({ id: delivery?.id });
    await good("webhooks", "redeliver", id, String(delivery?.id));
    await good("webhooks", "recover", id);
    await good("webhooks", "secret", "drop", id);
    await good("webhooks", "list");
    await good("webhooks", "delete", id);

    const open = async () => String((await good("wallets", "create", "USD", "--owner", "cli"))["walletId"]);
    const [from, to] = [await open(), await open()];
    await good("wallets", "credit", from, "70.10");
    const held = async () => String((await good("wallets", "debit", from, "0.10", "--hold"))["transactionId"]);
    await good("wallets", "confirm", await held());
    await good("wallets", "void", await held());
    await good("wallets", "transfer", "create", from, to, "20.00", "--id", `move-${from}`);
    expect(await good("wallets", "balance", from)).toMatchObject({ availableBalance: "50" });
    await good("wallets", "transfer", "get", `move-${from}`);
    await good("wallets", "transfer", "void", `move-${from}`);
    const [last] = (await good("wallets", "transactions", "--wallet-id", from, "--type", "DEBIT")) as never as {
      id: string;
    }[];
    await good("wallets", "transaction", String(last?.id));
    for (const words of [
      ["get", from],
      ["list", "--asset", "USD"],
      ["statement", from],
    ])
      await good("wallets", ...words);

    expect(await good("quote", "USD", "BRL", "BRA")).toMatchObject({ fxId: expect.any(String) as unknown });
    for (const words of ["destinations", "banks BR", "sandbox clock", "sandbox clock +30s", "sandbox cards"]) {
      await good(...words.split(" "));
    }
    for (const words of [
      "sandbox values",
      "sandbox values scenarios",
      "sandbox faults list",
      "sandbox book",
      "trigger --list",
    ]) {
      await good(...words.split(" "));
    }
    expect(
      await good("sandbox", "faults", "add", "pix", "prepare", "--status", "503", "--times", "1", "--mark", "cli"),
    ).toMatchObject({ provider: "pix", times: 1 });
    await good("sandbox", "faults", "clear", "--mark", "cli");
    for (const event of ["AgentUpdatedEvents", "DocumentUpdatedEvents", "TransactionComplianceStatusChangedEvent"]) {
      await good("trigger", event);
    }
    expect(await good("doctor")).toMatchObject({ isGood: true });
    // An endpoint that takes everything fails; test/e2e/guides.test.ts has one that passes.
    const certified = await run(["certify", `${platform.credentials.sandboxUrl}/sink/certify`, "--json"], {
      env: { CORRIDOR_WEBHOOK_SECRET: Buffer.alloc(32, 1).toString("base64") },
    });
    expect([certified.code, certified.json()]).toEqual([1, expect.objectContaining({ failed: 4 })]);
  });

  it("reaches every route of operators, and tells a wrong path before it calls", async () => {
    for (const { method, path } of uncalledOperatorTable) {
      const filled = path.replaceAll(/\{\w+\}/g, "some");
      expect([path, matchRoute(method, filled).route.name]).toEqual([path, `${method} ${path}`]);
    }
    expect(await good("operator", "call", "GET", "/tenants?")).toMatchObject({ tenants: [{ tenant: "demo" }, {}] });
    const body = JSON.stringify({ tenant: "made-by-call" });
    const made = await run(["operator", "call", "POST", "/tenants", "--body", "-"], { stdin: body });
    expect(made.json()).toMatchObject({ tenant: "made-by-call" });
    expect((await run(["operator", "call", "GET", "/nothing"])).code).toBe(2);
    expect(JSON.stringify(await good("operator", "routes", "cases"))).toContain("POST /cases/{caseId}/commands");
    const audit = (await run(["operator", "audit", "export"])).stdout.trim().split("\n");
    expect(audit.map((line) => (JSON.parse(line) as { sequence: number }).sequence)).toEqual(
      audit.map((_line, at) => at + 1),
    );

    // A document of a person, from the list to the file.
    const { entityId } = (await good("trigger", "DocumentUpdatedEvents")) as { entityId: string };
    const { documents } = (await good("operator", "documents", "list", "demo")) as {
      documents: { documentId?: string; id?: string }[];
    };
    const documentId = String(documents[0]?.documentId ?? documents[0]?.id);
    expect(entityId).toMatch(/./);
    const out = join(dir, "scan");
    const content = await run(["operator", "documents", "content", "demo", documentId, "--out", out]);
    expect([content.code, content.stderr]).toEqual([0, expect.stringContaining("bytes")]);
    expect(statSync(out).size).toBeGreaterThan(50);
  });

  it("has a command for every word of operators that reaches the platform", async () => {
    const rows = commands.filter(({ words }) => words.startsWith("operator ") && !done.has(words));
    for (const { words, args = [] } of rows) {
      const given = args.filter(({ isOptional }) => isOptional !== true).map(({ name }) => wordFor(name));
      const end = await run([...words.split(" "), ...given, "--json"]);
      expect([words, end.code < 2, end.stderr]).toEqual([words, true, end.stderr]);
      expect([words, Object.keys(end.json()).length > 0 || end.code === 0]).toEqual([words, true]);
    }
  });

  it("completes words, and prints the script of each shell", async () => {
    expect((await run(["__complete", "--", "sandbox"])).stdout.split("\n")).toContain("clock");
    for (const shell of ["bash", "zsh", "fish"]) {
      expect((await run(["completion", shell])).stdout).toContain("__complete");
    }
  });

  // What the tests above have done counts, so this one stands for the whole file and cannot be run alone.
  it("has run every command, and helps with every option and an example of each", async () => {
    expect(commands.map(({ words }) => words).filter((words) => !done.has(words))).toEqual([]);
    for (const { words, options = [], example } of commands) {
      const { code, stdout } = await run([...words.split(" "), "--help"]);
      expect([words, code]).toEqual([words, 0]);
      expect(stdout).toContain(`$ corridor ${example}`);
      expect(example.startsWith(words)).toBe(true);
      for (const { flags } of options) expect(stdout).toContain(flags);
    }
  });
});

/** A word that is well formed and names nothing that is there. */
function wordFor(name: string): string {
  if (name === "tenant" || name === "slug") return "nobody";
  if (name === "service") return "payment";
  if (/currency/i.test(name)) return "USD";
  if (name === "day") return "2026-01-01";
  return uuid;
}

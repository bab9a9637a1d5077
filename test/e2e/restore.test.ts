import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../local/find-program";
import type { Platform } from "../../local/platform";
import { runOperator } from "../support/operator-command";
import {
  connectClient,
  freshId,
  type PlatformClient,
  pushBody,
  type Quote,
  type SinkItem,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

interface FeedRow {
  /** Position in the feed. */
  cursor: string;
  id: string;
  sequence: number;
  occurredAt: string;
  payload: { transactionId: string; newStatus: string };
}
interface StatementLine {
  reference: string;
  kind: string;
  amount: string;
}
interface Report {
  mayStart: boolean;
  restoredTo: string;
  findings: { code: string; weight: string; text: string; examples?: string[] }[];
}

const hasEmbeddedStore =
  process.env["MONGODB_URI"] === undefined && findProgram("mongod", process.env["PATH"] ?? "") === undefined;
/** A copy of the embedded store is what is tested here. */
const describeEmbedded = hasEmbeddedStore ? describe : describe.skip;
const json = { "content-type": "application/json" };
const [before, during, after] = [4, 6, 4];

describeEmbedded("a platform that is brought back to an earlier time", () => {
  const dir = mkdtempSync(join(tmpdir(), "corridor-restore-"));
  const backup = join(mkdtempSync(join(tmpdir(), "corridor-backup-")), "copy");
  const databasePrefix = "restored";
  const anchors = { WALLET_ANCHOR_FILE: join(dir, "ledger-anchors"), AUTH_ANCHOR_FILE: join(dir, "audit-anchors") };
  const options = {
    dir,
    databasePrefix,
    env: {
      wallet: { ...anchors, WALLET_CHECKPOINT_SECONDS: "1", WALLET_STATEMENT_GRACE_SECONDS: "1" },
      auth: { ...anchors, AUTH_ANCHOR_SECONDS: "1" },
    },
  };
  let platform: Platform;
  let client: PlatformClient;

  const start = async (sandboxTls: number): Promise<void> => {
    const ports = { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls };
    platform = await startTestPlatform({ ...options, ports });
    client = connectClient(platform);
  };
  afterAll(async () => {
    await client?.close();
    for (const one of platform?.processes ?? []) await one.end("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
    rmSync(backup, { recursive: true, force: true });
  });

  const operatorCall = async (
    method: "GET" | "POST",
    path: string,
    body: object = {},
  ): Promise<Record<string, unknown>> => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const response = await fetch(`${operatorUrl}${path}`, {
      method,
      headers: { ...json, authorization: `Bearer ${operatorToken}` },
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
  };
  const feedPage = async (position?: string) => {
    const [tenant] = platform.credentials.tenants;
    const query = position === undefined ? "?limit=200" : `?limit=200&after=${position}`;
    const reply = await client.send("GET", `/organizations/demo/events${query}`, { "x-api-key": tenant?.apiKey ?? "" });
    return { status: reply.status, rows: (reply.body["events"] ?? []) as FeedRow[] };
  };
  const wholeFeed = async (): Promise<FeedRow[]> => {
    const rows: FeedRow[] = [];
    for (;;) {
      const page = await feedPage(rows.at(-1)?.cursor);
      expect(page.status).toBe(200);
      rows.push(...page.rows);
      if (page.rows.length < 200) return rows;
    }
  };
  const statement = async (): Promise<StatementLine[]> => {
    const authorization = `Bearer ${readFileSync(join(dir, "keys", "rail-api"), "utf8")}`;
    const url = `${platform.credentials.sandboxUrl}/statements/pix?limit=1000`;
    const { lines } = (await (await fetch(url, { headers: { authorization } })).json()) as { lines: StatementLine[] };
    return lines.filter(({ kind }) => kind === "PAYOUT");
  };
  const anchored = (file: string): number => {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return (JSON.parse(lines.at(-1) ?? "{}") as { number: number }).number;
  };
  const check = async (...words: string[]) => {
    const { sandboxUrl } = platform.credentials;
    const places = [{ kind: "rail", providers: ["pix"], form: "pages", url: `${sandboxUrl}/statements/{provider}` }];
    const env = {
      CORRIDOR_DIR: dir,
      DATABASE_PREFIX: databasePrefix,
      WALLET_STATEMENTS: JSON.stringify(places),
      ...anchors,
    };
    const end = await runOperator(["restore-check", ...words], env);
    return { ...end, report: (end.stdout === "" ? undefined : JSON.parse(end.stdout)) as Report | undefined };
  };

  it("has one instruction per payment, books like the providers', and no number twice", async () => {
    await start(0);
    await client.subscribe("shop");
    const quotes: Quote[] = [];
    while (quotes.length < before + during + after) quotes.push(await client.quote());
    const bodies = quotes.map((quote) => pushBody(freshId(), quote));
    const idOf = (body: Record<string, unknown>): string => String(body["externalPaymentId"]);
    const pay = async (from: number, to: number): Promise<void> => {
      for (const body of bodies.slice(from, to)) expect((await client.pay(body)).status).toBe(200);
    };
    await pay(0, before);

    // The copy is taken while payments are on their way.
    const paying = pay(before, before + during);
    const copied = await runOperator(["backup", backup], { CORRIDOR_DIR: dir });
    await paying;
    expect(copied).toMatchObject({ code: 0, stderr: "" });
    const places = Object.values(anchors);
    const anchoredThen = places.map(anchored);
    expect(await operatorCall("POST", "/tenants", { tenant: "forgotten" })).toMatchObject({ status: 201 });
    await pay(before + during, bodies.length);
    const told = (items: readonly SinkItem[]): number =>
      items.filter(({ body }) => body.includes('"Completed"')).length;
    const firstSink = await until(
      () => client.sink("shop"),
      (items) => told(items) >= bodies.length,
    );
    expect(told(firstSink)).toBe(bodies.length);
    const isLater = (numbers: readonly number[]): boolean => numbers.every((one, at) => one > (anchoredThen[at] ?? 0));
    expect(isLater(await until(async () => places.map(anchored), isLater))).toBe(true);
    const firstFeed = await wholeFeed();

    // Everything dies but the outside world, and the store is replaced by the copy.
    const lineOf = platform.processes.filter(({ name }) => name !== "sandbox");
    await Promise.all(lineOf.map((one) => one.end("SIGKILL")));
    await client.close();
    rmSync(join(dir, "store"), { recursive: true });
    cpSync(join(backup, "store"), join(dir, "store"), { recursive: true });

    const first = await check();
    const codes = first.report?.findings.map(({ code }) => code) ?? [];
    expect({ codes, stderr: first.stderr }).toMatchObject({
      codes: expect.arrayContaining(["LEDGER_OLDER", "AUDIT_OLDER", "BUS_AHEAD", "NUMBERS_IN_USE", "PROVIDER_AHEAD"]),
    });
    expect(first.report?.findings.filter(({ weight }) => weight === "refused")).toEqual([]);
    expect(first).toMatchObject({ code: 1, report: { mayStart: false } });
    const refused = await check("--accept", "LEDGER_OLDER", "--note", "drill");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("it lacks") });

    const open = [
      ...new Set(first.report?.findings.filter(({ weight }) => weight === "accept").map(({ code }) => code)),
    ];
    const accepted = await check("--accept", open.join(","), "--note", "drill");
    expect(accepted).toMatchObject({ code: 0, stderr: "", report: { mayStart: true } });
    expect(await platform.process("sandbox").end("SIGTERM")).toBe(0);

    await start(Number(new URL(platform.credentials.sinkUrl).port));
    // The id of a forgotten payment with another quote would be a second instruction.
    const last = bodies.at(-1) ?? {};
    const otherwise = await client.pay(pushBody(idOf(last), await client.quote()));
    expect(otherwise).toMatchObject({ status: 422, body: { code: "IDM_002" } });
    // Every caller repeats, but for one whose payment only its provider knows.
    for (const body of bodies.slice(0, -1)) expect((await client.pay(body)).status).toBe(200);
    const reconcile = () => operatorCall("POST", "/ledger/reconciliations");
    const openItems = ({ statements }: Record<string, unknown>): number =>
      ((statements ?? []) as { openItems: number }[]).reduce((sum, { openItems: open }) => sum + open, 0);
    const breaksOf = ({ breaks }: Record<string, unknown>): unknown[] => (Array.isArray(breaks) ? breaks : [undefined]);
    const withBreak = await until(reconcile, (told) => breaksOf(told).length === 1 && openItems(told) === 1);
    const lines = await statement();
    const references = lines.map(({ reference }) => reference);
    expect(breaksOf(withBreak)).toMatchObject([{ class: "MISSING_HERE", provider: "pix", caseId: expect.any(String) }]);

    expect((await client.pay(last)).status).toBe(200);
    const even = await until(reconcile, (told) => breaksOf(told).length === 0 && openItems(told) === 0);
    expect(even).toMatchObject({ breaks: [] });

    // One instruction for each payment, released once, and the providers' own sums are ours.
    const book = await client.book();
    expect(book.map(({ releases }) => releases)).toEqual(bodies.map(() => 1));
    expect(new Set(references).size).toBe(bodies.length);
    const cents = lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
    const balance = (await operatorCall("GET", "/ledger/trial-balance")) as {
      accounts: { path: string; asset: string; amount: string }[];
    };
    const clearing = balance.accounts.find(({ path, asset }) => path === "provider/pix/clearing" && asset === "BRL");
    expect(Math.abs(Math.round(Number(clearing?.amount) * 100))).toBe(cents);

    // No id, number or position stands for two things, before the restore and after it.
    const endsOf = (feed: readonly FeedRow[]) => feed.filter(({ payload }) => payload.newStatus === "Completed");
    const endedIn = (feed: readonly FeedRow[]): number =>
      new Set(endsOf(feed).map(({ payload }) => payload.transactionId)).size;
    const secondFeed = await until(wholeFeed, (feed) => endedIn(feed) === bodies.length);
    expect(endedIn(secondFeed)).toBe(bodies.length);
    const eventIds = (items: readonly SinkItem[]) => new Set(items.map(({ headers }) => headers["x-service-event-id"]));
    const hasAll = (items: readonly SinkItem[]): boolean =>
      endsOf(secondFeed).every(({ id }) => eventIds(items).has(id));
    const secondSink = await until(() => client.sink("shop"), hasAll);
    expect(hasAll(secondSink)).toBe(true);
    const contents = new Map<string, Set<string>>();
    const stand = (name: string, content: string): void =>
      void contents.set(name, (contents.get(name) ?? new Set()).add(content));
    for (const { headers, body } of secondSink) {
      const { transactionId } = JSON.parse(body) as { transactionId: string };
      stand(`delivery ${headers["x-service-event-id"]}`, body);
      stand(`number ${transactionId}/${headers["x-service-sequence"]}`, `${headers["x-service-event-id"]}`);
    }
    for (const { cursor, id, ...event } of [...firstFeed, ...secondFeed]) {
      stand(`position ${cursor}`, id);
      stand(`number ${event.payload.transactionId}/${event.sequence}`, id);
      stand(`event ${id}`, JSON.stringify(event));
    }
    expect([...contents].filter(([, said]) => said.size > 1)).toEqual([]);
    // A reader who had read everything before goes on, and misses nothing that is new.
    const read = firstFeed.at(-1)?.cursor ?? "0";
    const news = secondFeed.filter(({ cursor }) => Number(cursor) > Number(read));
    const { status, rows } = await feedPage(read);
    expect({ status, rows }).toEqual({ status: 200, rows: news.slice(0, 200) });
    expect(news.length).toBeGreaterThan(0);

    expect(await operatorCall("GET", "/audit/verify")).toMatchObject({ status: 200, brokenAt: null });
    const log = JSON.stringify(await operatorCall("GET", "/audit?after=0&limit=500"));
    expect(log).toContain("acceptRestore");
    const walk = await operatorCall("POST", "/ledger/verifications");
    expect(walk).toMatchObject({ findings: [] });
  });
});

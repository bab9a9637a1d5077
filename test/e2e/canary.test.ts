import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Route } from "../../gateway/route";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { type Canaries, type CanaryHit, makeCanaries } from "../support/canaries";
import { goodBodies, person, samePush } from "../support/canary-bodies";
import { pathOf, requestsOf, type Sent } from "../support/canary-requests";
import type { Json } from "../support/corridor-payloads";
import { uncalledOperatorTable, uncalledTable } from "../support/declared-access";
import { fieldOf, sendTo } from "../support/log-in";
import { cardPullBody } from "../support/payment-bodies";
import { connectClient, type PlatformClient, type Reply, until } from "../support/platform-client";
import { logInAtSandbox } from "../support/sandbox-login";
import { startTestPlatform } from "../support/test-platform";
import { startTraceSink } from "../support/trace-sink";

const measured = ["gateway", "auth", "schema", "fx", "webhook", "payment", "wallet", "identity"];
const clients = 12;
/** What stands in clear all the same, and why. */
const exceptions: readonly { why: string; where: readonly string[]; place: RegExp }[] = [
  {
    why: "ids that callers choose: payments are found by them, and events carry them as externalTransactionId",
    where: ["store", "bus"],
    place: / (externalPaymentId|externalId|externalRefundId|externalTransferId) \(/,
  },
  {
    why: "every log line of a request about a payment names it by its caller's id",
    where: ["logs"],
    place: / \{?(externalPaymentId|externalId)\}? \(/,
  },
  {
    why: "AgentUpdatedEvents show the agent, on the bus and in deliveries that may have to be sent again",
    where: ["store", "bus"],
    place: /^POST \/organizations\/\{tenant\}\/agents (email|businessName|externalId) /,
  },
  {
    why: "the audit log names the object of every privileged call, also of one that does not exist",
    where: ["store"],
    place: / \{\w+\} \(/,
  },
  {
    why: "names that operators and admins give to tenants and clients",
    where: ["store"],
    place:
      /^(POST \/tenants tenant|POST \/tenants\/\{tenant\}\/clients clientId|POST \/organizations\/\{tenant\}\/clients name) /,
  },
  {
    why: "what operators say of a correction is part of the journal; the document asks for no data of persons there",
    where: ["store"],
    place: /^POST \/ledger\/corrections (entryId|reason|links)\b/,
  },
];

describe("what nobody may read", () => {
  let platform: Platform;
  let client: PlatformClient;
  let canaries: Canaries;
  let traces: Awaited<ReturnType<typeof startTraceSink>>;
  let metricsPorts: number[];
  const secrets: string[] = [];
  const errorBodies: string[] = [];
  const cardsInAnswers: CanaryHit[] = [];
  const statuses = new Map<string, Map<number, number>>();
  let ids: Record<string, string> = {};

  beforeAll(async () => {
    canaries = makeCanaries();
    traces = await startTraceSink();
    metricsPorts = await freePorts(measured.length);
    const env = Object.fromEntries(
      measured.map((name, index) => [name, { METRICS_PORT: String(metricsPorts[index]), RATE_LIMIT_FACTOR: "100" }]),
    );
    platform = await startTestPlatform({ traceEndpoint: traces.url, env });
    client = connectClient(platform);
    secrets.push(await client.token());
    secrets.push(
      await client.subscribe("canaries", [
        "TransactionStatusChanged",
        "TransactionComplianceStatusChangedEvent",
        "TransactionPayoutStatusChanged",
        "DocumentUpdatedEvents",
        "AgentUpdatedEvents",
      ]),
    );
    await prepare();
  }, 300_000);
  afterAll(async () => {
    await client?.close();
    await platform?.stop();
    traces.server.closeAllConnections();
    traces.server.close();
  });

  async function headersFor({ scheme, body }: Route): Promise<Record<string, string>> {
    const [tenant] = platform.credentials.tenants;
    const agent = tenant?.agents[0];
    const types = {
      none: undefined,
      json: "application/json",
      optionalJson: "application/json",
      form: "application/x-www-form-urlencoded",
      bytes: "application/octet-stream",
    };
    const type = Object.entries(types).find(([kind]) => kind === body)?.[1];
    const own: Record<string, string> = type === undefined ? {} : { "content-type": type };
    switch (scheme) {
      case "none":
        return own;
      case "bearer":
        return { ...own, authorization: `Bearer ${await client.token()}` };
      case "person": {
        // Each time anew: one of the routes ends the session.
        const send = sendTo(() => Number(new URL(platform.credentials.baseUrl).port));
        const session = fieldOf(await logInAtSandbox(send, "demo-admin", { tenant: "demo" }), "session");
        return { ...own, authorization: `Bearer ${session}` };
      }
      case "operator":
        return { ...own, authorization: `Bearer ${platform.credentials.operatorToken}` };
      case "agent":
        return {
          ...own,
          "x-api-key": tenant?.apiKey ?? "",
          "x-agent-id": agent?.agentId ?? "",
          "x-agent-api-key": agent?.apiKey ?? "",
        };
      case "tenant":
        return { ...own, "x-api-key": tenant?.apiKey ?? "" };
    }
  }

  async function call(sent: Omit<Sent, "place">, operator = false): Promise<Reply> {
    const base = operator ? platform.credentials.operatorUrl : platform.credentials.baseUrl;
    const response = await fetch(`${base}${sent.path}`, {
      method: sent.method,
      headers: sent.headers,
      body: sent.body ?? null,
      redirect: "manual",
    });
    const text = await response.text();
    let body: Record<string, unknown> = {};
    try {
      body = Object(JSON.parse(text)) as Record<string, unknown>;
    } catch {
      // What is no JSON has no fields.
    }
    return { status: response.status, headers: {}, text, body };
  }

  /** Objects that the paths of other routes name. */
  async function prepare(): Promise<void> {
    const make = async (name: string, body: Json): Promise<Json> => {
      const route = uncalledTable.find((one) => `${one.method} ${one.path}` === name);
      if (route === undefined) throw new Error(`no route ${name}`);
      const path = pathOf(route, { tenant: "demo" });
      const reply = await until(
        async () => call({ method: route.method, path, headers: await headersFor(route), body: JSON.stringify(body) }),
        ({ status }) => status < 500,
      );
      if (reply.status >= 300) throw new Error(`${name}: ${reply.status} ${reply.text}`);
      return reply.body;
    };
    const wallet = await make("POST /wallets", {
      accountAsset: "USD",
      ownerId: "o",
      beneficiaryId: "b",
      type: "PERSONAL",
    });
    const kept = await make("POST /people", person);
    const company = await make("POST /companies", { companyName: "Acme" });
    const session = await make("POST /v1/sessions", { userRef: "user" });
    const account = await make("POST /check-account", goodBodies["POST /check-account"]?.[0]?.({}) ?? {});
    const webhooks = await call({
      method: "GET",
      path: "/organizations/demo/webhooks",
      headers: { "x-api-key": platform.credentials.tenants[0]?.apiKey ?? "" },
      body: undefined,
    });
    const [, webhookId = ""] = /"id":"([^"]+)"/.exec(webhooks.text) ?? [];
    const otherWallet = await make("POST /wallets", {
      accountAsset: "USD",
      ownerId: "o",
      beneficiaryId: "b",
      type: "PERSONAL",
    });
    const pull = await make("POST /v2/payment", cardPullBody("1"));
    const sent = await make("POST /fx/transactions", samePush());
    secrets.push(String(account["accessToken"]));
    ids = {
      tenant: "demo",
      document: "passport",
      walletId: String(wallet["walletId"]),
      otherWallet: String(otherWallet["walletId"]),
      externalPaymentId: String(pull["externalPaymentId"]),
      transactionId: String(sent["transactionId"]),
      id: String(kept["id"]),
      personId: String(kept["id"]),
      companyId: String(company["id"]),
      sessionId: String(session["sessionId"]),
      webhookId,
      agentId: platform.credentials.tenants[0]?.agents[0]?.agentId ?? "",
    };
  }

  async function sendAll(requests: readonly Sent[], operator: boolean): Promise<void> {
    const queue = requests.values();
    const worker = async (): Promise<void> => {
      for (const request of queue) {
        const reply = await call(request, operator).catch((error: unknown) => ({ status: 599, text: String(error) }));
        const seen = statuses.get(request.place) ?? new Map<number, number>();
        statuses.set(request.place, seen.set(reply.status, (seen.get(reply.status) ?? 0) + 1));
        secrets.push(...secretsOf(reply.text));
        cardsInAnswers.push(...canaries.find(reply.text).filter(({ kind }) => kind === "pan"));
        if (reply.status >= 400) errorBodies.push(reply.text);
      }
    };
    await Promise.all(Array.from({ length: clients }, worker));
  }

  /** Waits until no new webhook has come for two seconds: every accepted payment has been announced. */
  async function settled(): Promise<void> {
    let before = -1;
    await until(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        return (await client.sink("canaries")).length;
      },
      (count) => {
        const isStill = count === before;
        before = count;
        return isStill;
      },
      120_000,
    );
  }

  /** Every secret that an answer shows, which it does this once. */
  const secretsOf = (text: string): string[] =>
    [...text.matchAll(/"(?:apiKey|signingSecret|credential|access_token|accessToken)":"([^"]{16,})"/g)].map(
      ([, one = ""]) => one,
    );

  const filesBelow = (dir: string): string[] =>
    readdirSync(dir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  const places = (hits: readonly CanaryHit[]): string[] =>
    [...new Set(hits.map(({ kind, place }) => `${place} (${kind})`))].toSorted();

  it("stands nowhere in clear", async () => {
    for (const [table, operator] of [
      [uncalledTable, false],
      [uncalledOperatorTable, true],
    ] as const) {
      for (const route of table) {
        if (route.isQuiet === true || route.path.startsWith("/docs")) continue;
        await sendAll(requestsOf(route, await headersFor(route), { canaries, ids }), operator);
      }
    }
    await settled();
    const metrics = await Promise.all(
      metricsPorts.map((port) => fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())),
    );
    for (const one of platform.processes.toReversed()) await one.end(one.stopSignal);
    const found = (texts: readonly string[]): string[] => places(texts.flatMap((text) => canaries.find(text)));
    const inFiles = (folder: string): string[] =>
      found(filesBelow(join(platform.dir, folder)).map((file) => readFileSync(file, "latin1")));
    const report = {
      metrics: found(metrics),
      traces: found(traces.texts),
      errors: found(errorBodies),
      logs: inFiles("logs"),
      bus: inFiles("nats"),
      store: inFiles("store"),
    };
    const shown = (text: string): string[] =>
      secrets.filter((one) => text.includes(one)).map((one) => one.slice(0, 24));
    const everywhere = ["logs", "nats", "store"].flatMap((folder) => filesBelow(join(platform.dir, folder)));
    const secretsIn = (texts: readonly string[]): string[] => [...new Set(texts.flatMap(shown))];
    const unexplained = Object.entries(report).flatMap(([where, hits]) =>
      hits
        .filter((hit) => !exceptions.some((one) => one.where.includes(where) && one.place.test(hit)))
        .map((hit) => `${where}: ${hit}`),
    );
    expect(unexplained).toEqual([]);
    // For card numbers there is no exception.
    const cards = Object.entries(report).map(([where, hits]) => [where, hits.filter((hit) => hit.endsWith("(pan)"))]);
    expect(Object.fromEntries(cards)).toEqual(Object.fromEntries(Object.keys(report).map((where) => [where, []])));
    // A number of an identity document is shown to its tenant again: many of them cannot be distinguished from card numbers.
    const told = ["POST /companies identification (pan)", "POST /people identification (pan)"];
    expect(places(cardsInAnswers).filter((place) => !told.includes(place))).toEqual([]);
    expect(secretsIn([...errorBodies, ...metrics, ...traces.texts])).toEqual([]);
    expect(everywhere.flatMap((file) => shown(readFileSync(file, "latin1")).map((one) => `${file}: ${one}`))).toEqual(
      [],
    );
    const accepted = [...statuses].filter(([, seen]) => [...seen.keys()].some((status) => status < 300));
    const refused = Object.keys(goodBodies).filter((name) => !accepted.some(([place]) => place.startsWith(`${name} `)));
    expect(refused).toEqual([]);
    // The search finds what is there: ids of payments are kept in clear, and events carry them.
    expect(report.store.some((hit) => hit.startsWith("POST /v2/payment externalPaymentId"))).toBe(true);
    expect(report.bus.some((hit) => hit.startsWith("POST /v2/payment externalPaymentId"))).toBe(true);
    expect(traces.texts.length).toBeGreaterThan(0);
  }, 600_000);
});

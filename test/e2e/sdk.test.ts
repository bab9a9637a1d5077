import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import vectors from "../../docs/webhooks/vectors.json";
import { findProgram } from "../../local/find-program";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { uncalledTable } from "../../local/sdk/route-tables";
import {
  type Corridor,
  type CorridorOptions,
  eventsOf,
  isCode,
  type NewPayment,
  OutcomeUnknown,
  type PaymentRequest,
  toMinor,
  Unreachable,
  verifyWebhook,
} from "../../sdk/src/main.ts";
import { runInBrowser } from "../support/browser-page";
import { person } from "../support/canary-bodies";
import { type Fault, type FaultProxy, faults, startFaultProxy } from "../support/fault-proxy";
import { makeFindRoute } from "../support/find-route";
import { cardToken } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushStates, until } from "../support/platform-client";
import { runShell, startReceiver } from "../support/run-documents";
import { sampleFile } from "../support/sample-files";
import { connectSdk, dollarPayout, pixPayout } from "../support/sdk-client";
import { blocksOf, installSdk, readmeProgram, type SdkPackage } from "../support/sdk-package";
import { startTestPlatform } from "../support/test-platform";

const path = process.env["PATH"] ?? "";
const findRoute = makeFindRoute(uncalledTable);
/** True for an event that ends its payment. */
const isEnd = (body: string, externalId: string): boolean => body.includes(externalId) && body.includes('"Completed"');
const brl = {
  sourceCurrencyCode: "USD",
  destinationCurrencyCode: "BRL",
  destinationCountryCode: "BRA",
  paymentMethod: "BANK_ACCOUNT",
} as const;

/** A card is charged, or only authorised. */
const pull = (digit: string, more: { capture?: boolean } = {}): PaymentRequest => ({
  externalPaymentId: freshId(),
  ipAddress: "203.0.113.7",
  paymentType: "PULL",
  amount: { total: "100.00", currency: "USD" },
  sender: {
    firstName: "Ada",
    lastName: "Lovelace",
    address: { countryCode: "USA", stateCode: "FL", city: "Miami", line1: "Brickell Avenue 801", zipCode: "33131" },
    paymentMethod: { type: "CARD", cardTokenId: cardToken(digit) },
  },
  ...more,
});

/** The Node that runs this, the oldest that the client promises, and any other on PATH that is new enough. */
const oldest = join(__dirname, "../clients/node_modules/node22/bin");
const nodes = [
  ...new Map(
    [findProgram("node", path), findProgram("node22", path), findProgram("node", oldest), process.execPath]
      .filter((program) => program !== undefined)
      .map((program): [string, string] => [execFileSync(program, ["--version"], { encoding: "utf8" }).trim(), program]),
  ),
].filter(([version]) => Number.parseInt(version.slice(1), 10) >= 22);

if (!nodes.some(([version]) => version.startsWith("v22.")))
  process.stderr.write("no Node 22 beside the generators of clients: that the client runs in it is not tested\n");

const browser = findProgram("chromium", path);
const inBrowser = browser === undefined ? describe.skip : describe;
if (browser === undefined)
  process.stderr.write("no chromium on PATH: what the client does in a browser is not tested\n");
const lacking = ["bash", "curl", "openssl"].filter((name) => findProgram(name, path) === undefined);
const inShell = lacking.length > 0 ? describe.skip : describe;
if (lacking.length > 0)
  process.stderr.write(`no ${lacking.join(", ")} on PATH: what documents do in a shell is not tested\n`);

describe("the client", () => {
  let platform: Platform;
  let client: PlatformClient;
  let proxy: FaultProxy;
  let corridor: Corridor;
  /** Operations that were answered well. */
  const done = new Set<string>();
  const seen: string[] = [];
  /** Methods of the client, by their names, and those of them that were called. */
  const methods = new Map<string, boolean>();
  /** Has each method of a client tell that it was called. */
  function watchMethods(watchedClient: Corridor): void {
    for (const [resource, members] of Object.entries(watchedClient) as [string, unknown][]) {
      if (typeof members !== "object" || members === null) continue;
      for (const [name, method] of Object.entries(members) as [string, unknown][]) {
        if (typeof method !== "function") continue;
        methods.set(`${resource}.${name}`, false);
        const tell = (...given: unknown[]): unknown => {
          methods.set(`${resource}.${name}`, true);
          return Reflect.apply(method, members, given);
        };
        Object.assign(members, { [name]: tell });
      }
    }
  }
  const watched: NonNullable<CorridorOptions["fetch"]> = async (url, init) => {
    const response = await fetch(url, init);
    const path = url.slice(platform.credentials.baseUrl.length);
    const route = findRoute(init.method ?? "GET", path);
    seen.push(`${init.method} ${path}`);
    if (route !== undefined && response.ok) done.add(`${route.method} ${route.path}`);
    // The table of tests has another name for the provider.
    if (path === "/providers/plaid" && response.ok) done.add("POST /providers/linker");
    return response;
  };
  /** Waits that take no time, so that what is tested is not the waiting. */
  const hurried = {
    now: Date.now,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 5))),
  };
  const throughProxy = (changes: Partial<CorridorOptions> = {}): Corridor =>
    connectSdk(platform, { baseUrl: proxy.url, clock: hurried, attemptTimeoutMs: 1_000, tries: 6, ...changes });

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    proxy = await startFaultProxy(platform.credentials.baseUrl);
    corridor = connectSdk(platform, { fetch: watched });
    watchMethods(corridor);
  });
  beforeEach(() => proxy.plan(() => "pass"));
  afterAll(async () => {
    await proxy.stop();
    await client.close();
    await platform.stop();
  });

  const releasesOf = async (paymentId: string): Promise<number[]> => {
    const book = await client.book();
    return book.filter(({ reference }) => reference.startsWith(paymentId)).map(({ releases }) => releases);
  };
  const paid = async (id: string) => corridor.payments.wait(id, { until: ({ status }) => status === "CAPTURED" });

  it("pays a quoted payout by its country's types, and tells a repeat from a first time", async () => {
    const quote = await corridor.quotes.create(brl);
    const payout = pixPayout(quote);
    const first = await corridor.payments.create(payout);
    const again = await corridor.payments.create(payout);

    expect(first.$).toMatchObject({ status: 200, attempts: 1, replayed: false });
    expect(first.$.requestId).not.toBe("");
    expect(again).toEqual(first);
    expect(again.$.replayed).toBe(true);
    expect(Object.keys(first)).not.toContain("$");
    expect(await paid(payout.externalPaymentId)).toMatchObject({ status: "CAPTURED", amount: "100", currency: "USD" });
    expect(await releasesOf(first.paymentId)).toEqual([1]);
    expect((await corridor.quotes.get(quote.fxId)).paymentId).toBe(first.paymentId);
    expect((await corridor.payments.timeline(payout.externalPaymentId)).states.map(({ to }) => to)).toEqual(
      expect.arrayContaining(pushStates.slice(0, 3)),
    );
  });

  it("makes an id where none is given, and tells it before anything is sent", async () => {
    const { externalPaymentId: _id, ...payout } = dollarPayout();
    const told: string[] = [];
    const before = seen.length;
    const receipt = await corridor.payments.create(payout satisfies NewPayment, {
      onId: (id) => {
        told.push(id, ...seen.slice(before));
      },
    });

    expect(told).toEqual([receipt.externalPaymentId]);
  });

  it("verifies what the platform really sends, by the secret and by the public key, and a batch", async () => {
    const { sinkUrl } = platform.credentials;
    const events = ["TransactionStatusChanged", "TransactionPayoutStatusChanged"];
    const single = await corridor.webhooks.create({ url: `${sinkUrl}/sdk`, events });
    const batched = await corridor.webhooks.create({ url: `${sinkUrl}/sdk-batch`, events, isBatch: true });
    const { signingSecret } = await corridor.webhooks.rotateSecret(single.id);
    const secrets = [signingSecret, (await corridor.webhooks.rotateSecret(batched.id)).signingSecret];
    const [{ publicKey } = { publicKey: null }] = (await corridor.webhooks.list()).filter(({ id }) => id === single.id);
    const { externalPaymentId } = await corridor.payments.create(dollarPayout());
    const told = await until(
      () => client.sink("sdk"),
      (items) => items.some(({ body }) => isEnd(body, externalPaymentId)),
    );
    const batches = await until(
      () => client.sink("sdk-batch"),
      (items) => items.some(({ body }) => isEnd(body, externalPaymentId)),
    );

    for (const { headers, body } of told.filter((item) => item.body.includes(externalPaymentId))) {
      const event = await verifyWebhook(body, headers, secrets);
      expect(event).toMatchObject({ tenantId: "demo", externalTransactionId: externalPaymentId });
      expect(await verifyWebhook(body, headers, String(publicKey))).toEqual(event);
      await expect(verifyWebhook(`${body} `, headers, secrets)).rejects.toThrow("the signature is wrong");
    }
    const moves: string[] = [];
    for (const { headers, body } of batches) {
      if (!body.includes(externalPaymentId)) continue;
      for (const event of eventsOf(await verifyWebhook(body, headers, secrets))) {
        if (!("externalTransactionId" in event) || event.externalTransactionId !== externalPaymentId) continue;
        if (event.event === "TransactionStatusChanged") moves.push(event.newStatus);
        if (event.event === "TransactionPayoutStatusChanged" && event.amount) expect(event.amount.total).toBe("10");
      }
    }
    expect(moves).toEqual(pushStates);
    const delivery = (await corridor.webhooks.deliveriesOf(single.id).first(1))[0];
    const id = String(delivery?.id);
    expect((await corridor.webhooks.delivery(single.id, id)).log.length).toBeGreaterThan(0);
    await corridor.webhooks.redeliver(single.id, id);
    await corridor.webhooks.test(single.id);
    expect(await corridor.webhooks.recover(single.id, { since: new Date(0).toISOString() })).toMatchObject({
      isComplete: true,
    });
    expect((await corridor.webhooks.deliveries({ limit: 5 }).first(7)).length).toBe(7);
    await corridor.webhooks.dropSecret(batched.id);
    for (const one of [single, batched]) await corridor.webhooks.delete(one.id);
  });

  it("follows the feed: everything that happens, once and in order, from where it is told", async () => {
    const after = await corridor.events.end();
    const over = new AbortController();
    const ids = [freshId(), freshId()];
    const created = (async () => {
      for (const id of ids) await corridor.payments.create(dollarPayout(id));
    })();
    const states: Record<string, string[]> = {};
    const cursors: number[] = [];
    for await (const { payload, cursor } of corridor.events.follow({ after, signal: over.signal })) {
      cursors.push(Number(cursor));
      if (payload.event !== "TransactionStatusChanged") continue;
      const id = String(payload.externalTransactionId);
      states[id] = [...(states[id] ?? []), payload.newStatus];
      if (ids.every((one) => states[one]?.at(-1) === "Completed")) over.abort();
    }
    await created;

    expect(ids.map((id) => states[id])).toEqual([pushStates, pushStates]);
    expect(cursors).toEqual(cursors.map((_cursor, at) => Number(after) + 1 + at));
    const listed = await corridor.events.list({ after, types: ["TransactionStatusChanged"] }).first(1_000);
    const own = listed.filter(({ payload }) => ids.some((id) => JSON.stringify(payload).includes(id)));
    expect(own.length).toBe(2 * pushStates.length);
    await expect(
      corridor.events.follow({ after: "999999999999" })[Symbol.asyncIterator]().next(),
    ).rejects.toMatchObject({
      code: "VE_001",
    });
  });

  it("walks lists over their pages, and none twice", async () => {
    const prefix = `list-${freshId()}`;
    for (const part of ["a", "b", "c", "d", "e"]) await corridor.payments.create(dollarPayout(`${prefix}-${part}`));
    const pages: number[] = [];
    for await (const page of corridor.payments.list({ idPrefix: prefix, limit: 2 }).pages()) pages.push(page.length);
    const ids = new Set<string>();
    for await (const { externalPaymentId } of corridor.payments.list({ idPrefix: prefix, limit: 2 }))
      ids.add(externalPaymentId);

    expect(pages.slice(0, 3)).toEqual([2, 2, 1]);
    expect(ids.size).toBe(5);
    expect((await corridor.payments.list({ idPrefix: prefix, limit: 2 }).first(3)).length).toBe(3);
  });

  it("throws refusals with their code, fields and facts", async () => {
    const quote = await corridor.quotes.create(brl);
    await corridor.payments.create(pixPayout(quote));
    const used = await corridor.payments.create(pixPayout(quote)).catch((error: unknown) => error);
    const wrong = { ...dollarPayout(), ipAddress: "nowhere" };
    const unfit = await corridor.payments.create(wrong).catch((error: unknown) => error);
    const absent = await corridor.payments.get("no-such").catch((error: unknown) => error);

    expect(isCode(used, "PAY_411")).toBe(true);
    expect(unfit).toMatchObject({ code: "VE_001", status: 400, errors: [{ field: "ipAddress" }], attempts: 1 });
    expect(isCode(absent, "PAY_404", "TX_404") && absent.requestId).toMatch(/./);
    expect(await corridor.payments.validate(wrong)).toMatchObject({ valid: false, errors: [{ field: "ipAddress" }] });
  });

  it("asks for one token at a time, renews it once where it is refused, and shows no secret", async () => {
    const asked: string[] = [];
    const tokens: string[] = [];
    const fresh = connectSdk(platform, {
      fetch: async (url, init) => {
        asked.push(new URL(url).pathname);
        const response = await fetch(url, init);
        if (url.endsWith("/oauth/token"))
          tokens.push(((await response.clone().json()) as { access_token: string }).access_token);
        return response;
      },
    });
    await Promise.all([fresh.checks.balances(), fresh.quotes.create(brl), fresh.payments.list().first(1)]);
    expect(asked.filter((path) => path === "/oauth/token").length).toBe(1);
    const { clientId = "", clientSecret = "" } =
      platform.credentials.tenants.find(({ tenant }) => tenant === "demo") ?? {};
    const body = { token: String(tokens[0]), client_id: clientId, client_secret: clientSecret };
    await corridor.call("POST /oauth/revoke", { body });
    // It ends in every replica within a second.
    await until(
      () =>
        fetch(`${platform.credentials.baseUrl}/payer/balance`, { headers: { authorization: `Bearer ${tokens[0]}` } }),
      ({ status }) => status === 401,
    );
    await Promise.all([fresh.checks.balances(), fresh.checks.balances()]);

    expect(tokens.length).toBe(2);
    const shown = JSON.stringify(fresh) + (await import("node:util")).inspect(fresh, { depth: 9, showHidden: true });
    expect(shown).not.toContain(clientSecret);
    expect(shown).not.toContain(tokens[1]);
    const stranger = connectSdk(platform, { clientSecret: "wrong" });
    await expect(stranger.checks.balances()).rejects.toMatchObject({ code: "invalid_client", status: 401 });
  });

  describe("on a bad line", () => {
    it("says of a payment whose answer never came that nobody knows, and how to ask; sent again, it is the same one", async () => {
      proxy.plan((method, path) => (method === "POST" && path === "/v2/payment" ? "lostAfter" : "pass"));
      const far = throughProxy({ tries: 2 });
      const payout = dollarPayout();
      const unknown = await far.payments.create(payout).catch((error: unknown) => error);

      expect(unknown).toBeInstanceOf(OutcomeUnknown);
      expect(unknown).toMatchObject({
        operation: "POST /v2/payment",
        id: payout.externalPaymentId,
        ask: `GET /v2/payment/${payout.externalPaymentId}`,
        attempts: 2,
      });
      proxy.plan(() => "pass");
      const receipt = await far.payments.create(payout);
      expect(receipt.$.replayed).toBe(true);
      await paid(payout.externalPaymentId);
      expect(await releasesOf(receipt.paymentId)).toEqual([1]);
    });

    it("never sends again what might be done twice", async () => {
      const ownerId = freshId();
      const body = { accountAsset: "USD", ownerId, beneficiaryId: "b", type: "PERSONAL" };
      const far = throughProxy();
      for (const fault of ["lostAfter", "awayAfter", "half", "silent"] as const) {
        proxy.plan((_method, path) => (path === "/wallets" ? fault : "pass"));
        const before = proxy.handled.filter((one) => one === "POST /wallets").length;
        await expect(far.wallets.create(body)).rejects.toMatchObject({
          name: "OutcomeUnknown",
          attempts: 1,
          ask: undefined,
        });
        expect(proxy.handled.filter((one) => one === "POST /wallets").length).toBe(before + 1);
      }
      // What was turned away was not done, and a connection that was never made carried nothing.
      let turnedAway = 0;
      proxy.plan((_method, path) => {
        turnedAway += path === "/wallets" ? 1 : 0;
        return path === "/wallets" && turnedAway < 3 ? "busy" : "pass";
      });
      expect((await far.wallets.create(body)).$.attempts).toBe(3);
      const [port = 0] = await freePorts(1);
      const nowhere = connectSdk(platform, { baseUrl: `http://127.0.0.1:${port}`, clock: hurried });
      await expect(nowhere.people.create(person as never)).rejects.toBeInstanceOf(Unreachable);
    });

    it("knows that nothing happened where only a question was lost, and ends in time", async () => {
      proxy.plan(() => "silent");
      const startedAt = Date.now();
      await expect(throughProxy({ attemptTimeoutMs: 200 }).schemas.list({ timeoutMs: 700 })).rejects.toBeInstanceOf(
        Unreachable,
      );
      expect(Date.now() - startedAt).toBeLessThan(5_000);
      const over = new AbortController();
      over.abort(new Error("the user left"));
      await expect(throughProxy().schemas.list({ signal: over.signal })).rejects.toThrow("the user left");
    });

    it("loses and doubles no money in random runs of faults", async () => {
      const runs = 40 * Number(process.env["RANDOM_FACTOR"] ?? "1");
      const plans = fc.sample(fc.array(fc.constantFrom<Fault>(...faults.slice(1)), { maxLength: 7 }), runs);
      const queues = new Map<string, Fault[]>(plans.map((plan) => [freshId(), [...plan]]));
      proxy.plan((_method, path, body) => {
        const id = path === "/v2/payment" ? (JSON.parse(body) as { externalPaymentId: string }).externalPaymentId : "";
        return queues.get(id)?.shift() ?? "pass";
      });
      const far = throughProxy({ attemptTimeoutMs: 1_000 });
      const outcomes = new Map<string, unknown>();
      const waiting = [...queues.keys()].values();
      const worker = async (): Promise<void> => {
        for (const id of waiting)
          outcomes.set(id, await far.payments.create(dollarPayout(id)).catch((error: unknown) => error));
      };
      await Promise.all(Array.from({ length: 8 }, worker));

      let unknown = 0;
      for (const [id, outcome] of outcomes) {
        const record = await corridor.payments.get(id).catch((error: unknown) => error);
        const isThere = !isCode(record, "PAY_404");
        if (outcome instanceof OutcomeUnknown) unknown += 1;
        // A caller that is told that it was done, or was not, is told the truth.
        else expect([id, isThere]).toEqual([id, !(outcome instanceof Error)]);
        if (!isThere) continue;
        expect(await paid(id)).toMatchObject({ status: "CAPTURED" });
        expect(await releasesOf((record as { parentPaymentId: string }).parentPaymentId)).toEqual([1]);
      }
      expect(unknown).toBeLessThan(runs / 2);
    });
  });

  // What the tests above have done counts too, so this one stands for the whole file and cannot be run alone.
  it("has done every operation of the platform, by every method of the client", async () => {
    await corridor.payments.list().first(1);
    const card = pull("1", { capture: false });
    await corridor.payments.create(card);
    expect(await corridor.payments.capture(card.externalPaymentId, { amount: "60.50" })).toMatchObject({
      amount: "60.5",
    });
    const refund = { externalRefundId: freshId(), amount: "0.50" } as const;
    expect(
      toMinor({ total: (await corridor.payments.refund(card.externalPaymentId, refund)).amount, currency: "USD" }),
    ).toBe(50n);
    const voided = pull("1", { capture: false });
    await corridor.payments.create(voided);
    expect(await corridor.payments.void(voided.externalPaymentId)).toMatchObject({ voided: true });
    await corridor.call("GET /payments/{externalPaymentId}", { params: { externalPaymentId: card.externalPaymentId } });
    await corridor.call("POST /foreign-exchange", {
      body: { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL" },
    });
    await corridor.quotes.list().first(1);
    await useChecks();
    await useWallets();
    await useParticipants();
    await useTransactions();
    await useReference();
    // The client is for programs; people log in with a browser.
    const ofPrograms = uncalledTable.filter(({ tag, scheme }) => tag !== "People" && scheme !== "person");
    const missing = ofPrograms
      .filter(({ path, proof }) => proof !== "signature" && !path.startsWith("/docs") && path !== "/readyz")
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !done.has(name));
    expect(missing).toEqual([]);
    expect(methods.size).toBeGreaterThan(60);
    expect([...methods].filter(([, wasCalled]) => !wasCalled).map(([name]) => name)).toEqual([]);
  });

  describe("from its package", () => {
    let sdk: SdkPackage;
    beforeAll(() => {
      sdk = installSdk();
    });
    afterAll(() => sdk.remove());

    it.each(nodes)("runs the program of its README, twice, in %s", async (_name, node) => {
      const demo = platform.credentials.tenants.find(({ tenant }) => tenant === "demo");
      const program = sdk.write("program.ts", readmeProgram());
      const env = {
        CORRIDOR_URL: platform.credentials.baseUrl,
        CORRIDOR_CLIENT_ID: demo?.clientId,
        CORRIDOR_CLIENT_SECRET: demo?.clientSecret,
        CORRIDOR_TENANT: "demo",
        CORRIDOR_API_KEY: demo?.apiKey,
        CORRIDOR_OPERATOR_URL: platform.credentials.operatorUrl,
        CORRIDOR_OPERATOR_TOKEN: platform.credentials.operatorToken,
      };
      for (const time of ["first", "second"]) {
        const { stdout } = await promisify(execFile)(node, [program], { env, cwd: sdk.dir, timeout: 60_000 });
        const [, status] = /^\S+ (\w+) 1$/m.exec(stdout) ?? [];
        expect([time, status]).toEqual([time, "CAPTURED"]);
        expect(stdout).toContain("ask for a new one");
      }
    });

    inShell("in a shell", () => {
      it("has receivers of webhooks in its guide that take what is the platform's, once, and nothing else", async () => {
        const { credentials } = platform;
        const demo = credentials.tenants.find(({ tenant }) => tenant === "demo");
        const agent = demo?.agents.find(({ status }) => status === "ACTIVE");
        const [look = "", register = "", byHand = "", again = ""] = blocksOf("docs/guides/webhooks.md", "bash");
        const [withSdk = "", recover = ""] = blocksOf("docs/guides/webhooks.md", "ts");
        const [plain = ""] = blocksOf("docs/guides/webhooks.md", "js");
        const env = {
          BASE: credentials.baseUrl,
          TENANT: "demo",
          API_KEY: demo?.apiKey ?? "",
          AGENT_ID: agent?.agentId ?? "",
          AGENT_KEY: agent?.apiKey ?? "",
        };
        // What the platform of one machine trusts beside the public authorities.
        const looking = {
          RECEIVER_URL: `${credentials.sinkUrl}/look`,
          CURL_CA_BUNDLE: join(platform.dir, "tls/ca.crt"),
        };
        await expect(runShell(look, { ...looking, CURL_CA_BUNDLE: "" }, sdk.dir)).rejects.toThrow(/certificate/);
        for (const sink of ["guide-first", "guide"]) {
          expect((await runShell(look, looking, sdk.dir)).stdout).toMatch(/TLS is right, and the answer is 2\d\d/);
          await runShell(register, { ...env, RECEIVER_URL: `${credentials.sinkUrl}/${sink}` }, sdk.dir);
        }
        const kept = (name: string): unknown => JSON.parse(readFileSync(join(sdk.dir, name), "utf8"));
        const { signingSecret } = kept("secret.json") as { signingSecret: string };
        const { webhooks } = kept("subscriptions.json") as { webhooks: Record<"id" | "url" | "publicKey", string>[] };
        const { id = "", publicKey = "" } = webhooks.find(({ url }) => url.endsWith("/guide")) ?? {};
        const { externalPaymentId } = await corridor.payments.create(dollarPayout());
        const told = await until(
          () => client.sink("guide"),
          (items) => items.some(({ body }) => isEnd(body, externalPaymentId)),
        );
        const [first] = told;
        if (first === undefined) throw new Error("nothing was delivered");
        writeFileSync(join(sdk.dir, "body.json"), first.body);
        const shown = {
          OWN: first.headers["x-service-signature"] ?? "",
          ID: first.headers["webhook-id"] ?? "",
          TIME: first.headers["webhook-timestamp"] ?? "",
          STANDARD: first.headers["webhook-signature"] ?? "",
          WEBHOOK_SECRET: signingSecret,
          WEBHOOK_PUBLIC_KEY: publicKey,
        };
        for (const _time of ["first", "second"]) {
          expect((await runShell(byHand, shown, sdk.dir)).stdout.match(/.* is right/g)).toEqual([
            "x-service-signature is right",
            "webhook-signature v1 is right",
            "webhook-signature v1a is right",
          ]);
        }
        await expect(runShell(byHand, { ...shown, TIME: "1" }, sdk.dir)).rejects.toThrow();

        expect([sdk.compile(withSdk), sdk.compile(recover)]).toEqual(["", ""]);
        // The client reads amounts as texts of digits.
        const exactly = (body: string): string => body.replaceAll(/("total":)([\d.]+)/g, '$1"$2"');
        const onlyOwn = { "webhook-signature": "" };
        const onlyStandard = { "x-service-signature": "" };
        for (const [file, program, keys, read, less] of [
          ["receiver.ts", withSdk, { WEBHOOK_KEYS: signingSecret }, exactly, {}],
          ["public.ts", withSdk, { WEBHOOK_KEYS: `${"A".repeat(43)}= ${publicKey}` }, exactly, {}],
          ["own.mjs", plain, { WEBHOOK_SECRET: signingSecret }, String, onlyOwn],
          ["standard.mjs", plain, { WEBHOOK_SECRET: signingSecret }, String, onlyStandard],
          ["public.mjs", plain, { WEBHOOK_PUBLIC_KEY: publicKey }, String, onlyStandard],
        ] as const) {
          const receiver = await startReceiver(sdk.write(file, program), keys, sdk.dir);
          try {
            // Each of them twice, as may happen, and an old one once more when newer ones have come.
            for (const { headers, body } of [...told, ...told]) {
              expect([file, await receiver.send({ ...headers, ...less }, body)]).toEqual([file, 204]);
            }
            const late = { ...first.headers, ...less, "x-service-event-id": "another" };
            expect(await receiver.send(late, first.body)).toBe(204);
            expect(await receiver.send({ ...first.headers, ...less }, `${first.body} `)).toBe(400);
            expect(await receiver.send({}, first.body)).toBe(400);
            expect([file, receiver.lines()]).toEqual([
              file,
              told.map(({ headers, body }) => [headers["x-service-event-id"], JSON.parse(read(body))]),
            ]);
          } finally {
            await receiver.stop();
          }
        }

        const recovering = { ...env, SUBSCRIPTION: id };
        for (const _time of ["first", "second"]) {
          expect((await runShell(again, recovering, sdk.dir)).stdout).toContain('"events":[');
          const { stdout } = await promisify(execFile)(process.execPath, [sdk.write("recover.ts", recover)], {
            env: recovering,
            cwd: sdk.dir,
            timeout: 60_000,
          });
          expect(stdout).toMatch(/^sent again; the feed begins with \d+/);
        }
        const repeated = await until(
          () => client.sink("guide"),
          (items) => items.length >= told.length + 4,
        );
        expect(repeated.length).toBeGreaterThan(told.length);
      });
    });

    inBrowser("in a browser", () => {
      it("pays, reads exact digits and verifies both kinds of signature", async () => {
        const demo = platform.credentials.tenants.find(({ tenant }) => tenant === "demo");
        const modules = join(sdk.dir, "node_modules/@corridor/sdk/dist");
        const program = `
const { Corridor, payouts, verifyWebhook } = await import("/modules/main.js");
const { clientId, clientSecret, apiKey, payout, vectors } = ${JSON.stringify({ ...demo, payout: dollarPayout(), vectors })};
const corridor = new Corridor({ baseUrl: location.origin, clientId, clientSecret, tenant: "demo", apiKey });
const receipt = await corridor.payments.create(payout);
const { status } = await corridor.payments.wait(payout.externalPaymentId);
const now = { nowSeconds: vectors.signedAt };
const bySecret = await verifyWebhook(vectors.body, vectors.headers, vectors.secret, now);
const byPublicKey = await verifyWebhook(vectors.body, vectors.headers, vectors.publicKey, now);
await report({ amount: receipt.amount, status, bySecret, byPublicKey });`;
        const event = JSON.parse(vectors.body) as unknown;

        expect(await runInBrowser(String(browser), modules, platform.credentials.baseUrl, program)).toEqual({
          amount: "10",
          status: "CAPTURED",
          bySecret: event,
          byPublicKey: event,
        });
      });
    });
  });

  async function useChecks(): Promise<void> {
    await corridor.checks.linkToken({ phoneNumber: "+551133334444" });
    const account = await corridor.checks.account({
      externalPaymentId: freshId(),
      sender: {
        paymentMethod: {
          type: "BANK_DEPOSIT",
          countryCode: "US",
          accountCheckToken: "public-sandbox-ok",
          accountCheckId: "acc-checking",
        },
      },
    });
    await corridor.checks.forgetAccount(String(account.accountTokenId));
    const { externalPaymentId, ipAddress, sender } = pull("1");
    const asked = {
      externalPaymentId,
      ipAddress,
      sender: { ...sender, email: "a@example.com", phoneNumber: "+441632960001" },
    };
    expect(await corridor.checks.card(asked as never)).toMatchObject({ card: {} });
    await corridor.checks.balances();
  }

  async function useWallets(): Promise<void> {
    const body = {
      accountAsset: "USD",
      ownerId: "o",
      beneficiaryId: "b",
      type: "PERSONAL",
      additionalInfo: { amount: 1.5 },
    };
    const [from, to] = [await corridor.wallets.create(body), await corridor.wallets.create(body)];
    expect((await corridor.wallets.get(from.walletId)).additionalInfo).toEqual({ amount: 1.5 });
    await corridor.wallets.list().first(1);
    const credit = { walletId: from.walletId, amount: "70.10", paymentType: "CREDIT" } as const;
    const { transactionId } = await corridor.wallets.transact({ ...credit, externalId: freshId() });
    const hold = { ...credit, paymentType: "DEBIT", amount: "0.10", hold: true } as const;
    const holds = [
      await corridor.wallets.transact({ ...hold, externalId: freshId() }),
      await corridor.wallets.transact({ ...hold, externalId: freshId() }),
    ];
    await corridor.wallets.confirm(holds[0]?.transactionId ?? "");
    await corridor.wallets.void(holds[1]?.transactionId ?? "");
    const externalId = freshId();
    await corridor.wallets.transfer({ fromWallet: from.walletId, toWallet: to.walletId, amount: "20", externalId });
    expect(await corridor.wallets.balance(from.walletId)).toMatchObject({ availableBalance: "50" });
    await corridor.wallets.getTransfer(externalId);
    await corridor.wallets.voidTransfer(externalId);
    expect(await corridor.wallets.balance(from.walletId)).toMatchObject({ availableBalance: "70" });
    await corridor.wallets.transaction(transactionId);
    await corridor.wallets.transactions({ walletId: from.walletId }).first(3);
    expect((await corridor.wallets.statement(from.walletId)).entries[0]).toMatchObject({ balanceAfter: "70.1" });
  }

  async function useParticipants(): Promise<void> {
    const facts = person as never;
    const kept = await corridor.people.create(facts);
    await corridor.people.update(kept.id, { nationality: "BR" });
    await corridor.people.get(kept.id);
    await corridor.people.list().first(1);
    await corridor.people.register(facts);
    await corridor.people.validate(facts);
    await corridor.people.levels(kept.id);
    await corridor.people.checkAddress({ countryCode: "BR", city: "Rio" });
    const company = await corridor.companies.create({ companyName: "Acme" });
    await corridor.companies.update(company.id, { companyName: "Acme Ltd" });
    await corridor.companies.get(company.id);
    await corridor.companies.list().first(1);
    const file = new Blob([new Uint8Array(sampleFile("jpeg"))], { type: "image/jpeg" });
    for (const [resource, { id }] of [
      [corridor.people, kept],
      [corridor.companies, company],
    ] as const) {
      const document = await resource.upload(id, "passport", { file });
      await resource.documents(id).first(1);
      await resource.document(id, document.id);
      expect((await resource.content(id, document.id)).length).toBe(file.size);
      expect(document.size).toBe(file.size);
    }
    const session = await corridor.sessions.create({ userRef: "user" });
    await corridor.sessions.get(session.sessionId);
    const { verificationId } = await corridor.sessions.verify({ sessionId: session.sessionId });
    await corridor.sessions.verification(verificationId);
    await corridor.accounts.addFunding(kept.id, { type: "CARD", cardTokenId: cardToken("1") } as never);
    await corridor.accounts.funding(kept.id);
    await corridor.accounts.addRecipient(kept.id, { recipient: dollarPayout().recipient } as never);
    await corridor.accounts.recipients(kept.id);
  }

  async function useTransactions(): Promise<void> {
    await corridor.accounts.quote({ ...brl, sourceCurrencyAmount: "100.00" });
    const { transactionId } = await corridor.transactions.create({
      ...dollarPayout(),
      externalId: freshId(),
      dynamicDescriptor: "SIM:hold-release",
    });
    await corridor.transactions.note(transactionId, { metadata: { amount: "5.10" } });
    expect((await corridor.transactions.get(transactionId)).metadata).toEqual({ amount: "5.10" });
    await corridor.transactions.history(transactionId);
    await corridor.transactions.list().first(1);
    await corridor.transactions.limits();
    // A decided one cannot be stopped: that is an answer of the operation too.
    const cancelled = await corridor.transactions.cancel(transactionId).catch((error: unknown) => error);
    if (isCode(cancelled, "PAY_409")) done.add("POST /fx/transactions/{id}/cancel");
    await corridor.agents.create({ email: "a@example.com", businessName: "Agent", externalId: freshId() });
    await corridor.agents.list().first(1);
  }

  async function useReference(): Promise<void> {
    expect(await corridor.schemas.get("BRA")).toMatchObject({ title: "Brazil (BRA)" });
    expect(await corridor.schemas.form("BRA", { lang: "pt" })).toMatchObject({ country: "BRA", language: "pt" });
    await corridor.schemas.person("BR");
    await corridor.schemas.list();
    expect((await corridor.reference.destinations()).length).toBeGreaterThan(100);
    const { banks } = await corridor.reference.banks("BR");
    await corridor.reference.bank("BR", banks[0]?.bankCode ?? "");
    await corridor.reference.bankDirectories("BR");
    await corridor.reference.transactionStates();
    expect(await corridor.reference.openApi()).toMatchObject({ openapi: "3.1.0" });
    for (const name of [
      "GET /.well-known/jwks.json",
      "GET /.well-known/oauth-authorization-server",
      "GET /healthz",
    ] as const) {
      await corridor.call(name);
    }
    const [found] = await corridor.payments.list().first(1);
    expect((await corridor.search(String(found?.externalPaymentId))).found.length).toBeGreaterThan(0);
  }
});

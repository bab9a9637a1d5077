import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { cardPullBody } from "../support/payment-bodies";
import {
  connectClient,
  freshId,
  insist,
  type PlatformClient,
  pushBody,
  type Reply,
  until,
} from "../support/platform-client";
import { readCsv } from "../support/read-csv";
import { startTestPlatform } from "../support/test-platform";

type Json = Record<string, unknown>;

const services = ["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook"] as const;
const traceId = "0af7651916cd43dd8448eb211c80319c";
const rejected = { additionalData: { statementNarrative: "SIM:reject-account" } };
const funding = "tenant/demo/funding";

interface Entry {
  label: string;
  moves: { account: string; currency: string; minor: string }[];
}

/** What entries have moved on an account, minor units. */
const movedOn = (account: string, currency: string, entries: readonly Entry[]): bigint =>
  entries
    .flatMap(({ moves }) => moves)
    .filter((move) => move.account === account && move.currency === currency)
    .reduce((sum, { minor }) => sum + BigInt(minor), 0n);

/** Exact sums by currency, in hundredths. */
function sumsOf(rows: readonly { [name in "amount" | "currency"]?: string }[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { amount = "", currency = "" } of rows) {
    const [units = "", cents = ""] = amount.split(".");
    sums[currency] = (sums[currency] ?? 0n) + BigInt(units + cents.padEnd(2, "0"));
  }
  return sums;
}

describe("stories of support and finance", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;
  const paid: { externalId: string; paymentId: string }[] = [];
  let refused: { externalId: string; paymentId: string };
  let pulled: string;

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
    for (const total of [100, 20.35, 7.1]) paid.push(await pay({ amount: { total, currency: "USD" } }, total));
    refused = await pay(rejected);
    const pull = cardPullBody("1");
    pulled = String(pull["externalPaymentId"]);
    await insist(() => demo.pay(pull));
    const ids = [...paid, refused].map(({ externalId }) => externalId);
    await until(
      () => Promise.all([...ids, pulled].map((id) => demo.payment(id))),
      (replies) => replies.every(({ body }) => ["CAPTURED", "DECLINED"].includes(String(body["status"]))),
    );
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const pay = async (changes: object, total = 100) => {
    const externalId = freshId();
    const quote = await demo.quote();
    const recipientAmount = { total: Number((total * quote.conversionRate).toFixed(2)), currency: "BRL" };
    const body = JSON.stringify({ ...pushBody(externalId, quote), recipientAmount, ...changes });
    const authorization = `Bearer ${await demo.token()}`;
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const headers = { authorization, traceparent, "content-type": "application/json", "x-request-id": externalId };
    const reply = await insist(() => demo.send("POST", "/v2/payment", headers, body));
    if (reply.status !== 200) throw new Error(`not accepted: ${reply.status} ${reply.text}`);
    return { externalId, paymentId: String(reply.body["paymentId"]) };
  };
  const get = async (path: string, client = demo, headers: Record<string, string> = {}): Promise<Reply> =>
    client.send("GET", path, { authorization: `Bearer ${await client.token()}`, ...headers });
  const operator = async (
    path: string,
    requestId = freshId(),
    method = "GET",
  ): Promise<{ status: number; body: Json }> => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const headers = { authorization: `Bearer ${operatorToken}`, "x-request-id": requestId };
    const answer = await fetch(`${operatorUrl}${path}`, { method, headers });
    return { status: answer.status, body: (await answer.json()) as Json };
  };

  /** Entries on the tenant's funding that something has moved. */
  const postedAs = async (label: string, after = ""): Promise<Entry[]> => {
    const { body } = await operator(`/ledger/entries?account=${funding}&currency=USD&limit=2${after}`);
    const { entries, next } = body as unknown as { entries: Entry[]; next: string | null };
    const own = entries.filter((entry) => entry.label === label);
    return next === null ? own : [...own, ...(await postedAs(label, `&after=${encodeURIComponent(next)}`))];
  };

  it('"this recipient says nothing came": from the caller\'s id to what the rail did, without a database', async () => {
    const [{ externalId, paymentId } = { externalId: "", paymentId: "" }] = paid;
    const { body: search } = await operator(`/search?q=${externalId}`);
    const [found] = search["found"] as Json[];
    const payment = await operator(String(found?.["href"]));
    const timeline = await operator(`${String(found?.["href"])}/timeline`);
    const [instruction] = (await demo.book()).filter(({ reference }) => reference.includes(paymentId));

    expect(found).toMatchObject({ kind: "payment", id: paymentId, tenant: "demo", externalId });
    expect(payment).toMatchObject({
      status: 200,
      body: { payment: { status: "CAPTURED", transactionState: "Completed", recipient: { method: "PIX" } } },
    });
    expect(timeline).toMatchObject({ status: 200, body: { externalPaymentId: externalId, payout: expect.any(Array) } });
    expect(JSON.stringify(timeline.body)).toContain("Paid");
    // What the platform reports is what the outside world has in its own book.
    expect(instruction).toMatchObject({ releases: 1 });
  });

  it('"which payments does this trace belong to": its tenant and operators are told, nobody else is', async () => {
    const ids = [...paid, refused].map(({ paymentId }) => paymentId).toSorted();
    const idsOf = ({ body }: { body: Json }) => (body["found"] as Json[]).map(({ id }) => String(id)).toSorted();
    const own = await get(`/search?q=${traceId}`);

    expect(idsOf(own)).toEqual(ids);
    expect(own.body["found"]).toContainEqual(
      expect.objectContaining({ kind: "trace", href: `/v2/payment/${refused.externalId}` }),
    );
    expect(idsOf(await operator(`/search?q=${traceId}`))).toEqual(ids);
    expect(idsOf(await get(`/search?q=${traceId}`, other))).toEqual([]);
  });

  it('"all rejected by AC03 yesterday": by reason and by day, for tenants and operators', async () => {
    const { body } = await get(`/v2/payments?idPrefix=${refused.externalId}`);
    const [payment] = body["payments"] as Json[];
    const day = String(payment?.["createdAt"]).slice(0, 10);
    const dayAfter = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    const idsOf = (reply: { body: Json }) => (reply.body["payments"] as Json[]).map(({ paymentId }) => paymentId);
    const query = (from: string, until: string) => `reasonCode=AC03&from=${from}&until=${until}`;

    expect(idsOf(await get(`/v2/payments?${query(day, dayAfter)}`))).toEqual([refused.paymentId]);
    expect(idsOf(await operator(`/payments?tenant=demo&${query(day, dayAfter)}`))).toEqual([refused.paymentId]);
    expect(idsOf(await get(`/v2/payments?${query("2020-01-01", "2020-01-02")}`))).toEqual([]);
    expect(idsOf(await get(`/v2/payments?${query(day, dayAfter)}`, other))).toEqual([]);
  });

  it('"all of the month as CSV, equal to the ledger": sums by currency are what was posted', async () => {
    const rows = readCsv((await get("/v2/payments", demo, { accept: "text/csv" })).text);
    const times = rows.map(({ createdAt = "" }) => createdAt).toSorted();
    const last = new Date(String(times.at(-1)));
    const nextMonth = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1)).toISOString().slice(0, 10);
    const span = `from=${String(times[0]).slice(0, 7)}-01&until=${nextMonth}`;
    const month = async (type: string) =>
      readCsv((await get(`/v2/payments?${span}&type=${type}&status=CAPTURED`, demo, { accept: "text/csv" })).text);
    const [pushes, pulls] = [await month("PUSH"), await month("PULL")];
    // What payments have moved is posted in groups, a moment later.
    const payouts = await until(
      () => postedAs("payout"),
      (entries) => movedOn(funding, "USD", entries) === -12_745n,
    );

    expect(new Set(pushes.map(({ paymentId }) => paymentId))).toEqual(new Set(paid.map(({ paymentId }) => paymentId)));
    expect(pushes).toHaveLength(paid.length);
    expect(sumsOf(pushes)).toEqual({ USD: 12_745n });
    expect(sumsOf(pushes)).toEqual({ USD: -movedOn(funding, "USD", payouts) });
    expect(sumsOf(pulls)).toEqual({ USD: movedOn(funding, "USD", await postedAs("capture")) });
    const received = pushes.map(({ recipientAmount = "", recipientCurrency = "" }) => ({
      amount: recipientAmount,
      currency: recipientCurrency,
    }));
    expect(sumsOf(received)).toEqual({ BRL: movedOn("provider/pix/clearing", "BRL", payouts) });
  });

  it("name the payment in every log line of its own, in all services", async () => {
    // Operators name it by our id alone.
    const path = `/tenants/demo/payments/${refused.paymentId}`;
    const asked = [freshId(), freshId(), freshId()];
    expect((await operator(path, asked[0])).status).toBe(200);
    expect((await operator(`${path}/timeline`, asked[1])).status).toBe(200);
    expect((await operator(`${path}/hold/rejection`, asked[2], "POST")).status).toBe(409);
    const named = new Set<string>();
    const unnamed: string[] = [];
    for (const service of services) {
      for (const line of readFileSync(join(platform.dir, "logs", `${service}.log`), "utf8").split("\n")) {
        const own = [...paid, refused].find(
          ({ externalId, paymentId }) => line.includes(`"requestId":"${externalId}"`) || line.includes(paymentId),
        );
        // What is said before it is looked up cannot say it; each of them looks it up first.
        const byOurs = asked.some((id) => line.includes(`"requestId":"${id}"`)) && /"rpc":"|"status":/.test(line);
        const payment = byOurs ? refused : own;
        // The share of the tenant is leased, and a command of an operator written down, before it is known what it is about.
        if (payment === undefined || /\/(LeaseTokens|AppendAuditRecords)"/.test(line)) continue;
        named.add(service);
        if (!line.includes(`"externalId":"${payment.externalId}"`)) unnamed.push(`${service}: ${line}`);
      }
    }

    expect(unnamed).toEqual([]);
    expect([...named]).toEqual(expect.arrayContaining(["gateway", "payment", "fx", "identity"]));
  });
});

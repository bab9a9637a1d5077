import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

type Json = Record<string, unknown>;
interface Listed {
  paymentId: string;
  externalPaymentId: string;
  transactionState: string;
  amount: { total: number; currency: string };
}
interface Page {
  payments: Listed[];
  next: string | null;
}

const rejected = { additionalData: { statementNarrative: "SIM:reject-account" } };

describe("lists of payments at the edge", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;
  const paid: string[] = [];
  let foreign: { externalId: string; paymentId: string };

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
    for (let at = 0; at < 9; at += 1) paid.push((await pay(demo, at === 4 ? rejected : {}, `-${at}`)).externalId);
    foreign = await pay(other, {});
    await until(
      () => list(""),
      ({ payments }) => payments.every(({ transactionState }) => /Completed|Cancelled/.test(transactionState)),
    );
  });
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const pay = async (client: PlatformClient, changes: object, begin = "") => {
    const externalId = `${begin}${freshId()}`;
    const reply = await until(
      async () => client.pay(pushBody(externalId, await client.quote(), changes)),
      ({ status }) => status !== 503,
    );
    if (reply.status !== 200) throw new Error(`not accepted: ${reply.status} ${reply.text}`);
    return { externalId, paymentId: String(reply.body["paymentId"]) };
  };
  const get = async (query: string, client = demo, headers: Record<string, string> = {}): Promise<Reply> =>
    client.send("GET", `/v2/payments${query}`, { authorization: `Bearer ${await client.token()}`, ...headers });
  const list = async (query: string, client = demo): Promise<Page> => {
    const reply = await get(query, client);
    if (reply.status !== 200) throw new Error(`no list: ${reply.status} ${reply.text}`);
    return reply.body as unknown as Page;
  };
  const idsOf = ({ payments }: Page): string[] => payments.map(({ externalPaymentId }) => externalPaymentId);
  const operator = async (path: string, accept = "application/json") => {
    const { operatorUrl, operatorToken } = platform.credentials;
    const answer = await fetch(`${operatorUrl}${path}`, {
      headers: { authorization: `Bearer ${operatorToken}`, accept },
    });
    const text = await answer.text();
    return { status: answer.status, text, body: (accept === "text/csv" ? {} : JSON.parse(text)) as Json };
  };

  it("show a tenant its payments, the newest first, with who was paid and how, masked", async () => {
    const page = await list("?limit=200");

    expect(idsOf(page).filter((id) => paid.includes(id))).toEqual(paid.toReversed());
    expect(page.payments.find(({ externalPaymentId }) => externalPaymentId === paid[4])).toMatchObject({
      paymentType: "PUSH",
      status: "DECLINED",
      transactionState: "Cancelled",
      amount: { total: 100, currency: "USD" },
      recipientAmount: { currency: "BRL" },
      recipient: { method: "PIX", countryCode: "BRA", name: "M*** S***", account: "****.com" },
      senderName: "A*** L***",
      reasonCode: "AC03",
      whoseMove: "recipient",
      source: null,
      agentId: null,
    });
    expect(JSON.stringify(page)).not.toMatch(/maria\.souza|Lovelace|390\.?533/);
    expect(idsOf(page)).not.toContain(foreign.externalId);
    expect(idsOf(await list("", other))).toContain(foreign.externalId);
  });

  it("neither skip nor repeat while payments arrive", async () => {
    const before = idsOf(await list("?limit=200"));
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const page = await list(`?limit=2${after}`);
      seen.push(...idsOf(page));
      if (page.next === null) break;
      after = `&after=${page.next}`;
      if (seen.length < 8) await pay(demo, {});
    }

    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((id) => !seen.includes(id))).toEqual([]);
  });

  it("answer support: all rejected by AC03 since an instant", async () => {
    const since = new Date(Date.now() - 86_400_000).toISOString();
    expect(idsOf(await list(`?reasonCode=AC03&status=DECLINED&from=${since}`))).toEqual([paid[4]]);
    expect(idsOf(await list(`?reasonCode=AC03&until=${since}`))).toEqual([]);
    expect(idsOf(await list(`?idPrefix=${paid[2]}`))).toEqual([paid[2]]);
    expect(idsOf(await list("?minAmount=100.01&currency=USD"))).toEqual([]);
    expect(idsOf(await list(`?country=BRA&method=PIX&type=PUSH&maxAmount=100&state=Cancelled`))).toEqual([paid[4]]);
  });

  it("show one that is rare behind many others on the first page, however short the page is", async () => {
    // More than a page of one reads before it asks what is kept in memory.
    for (let at = 0; at < 15; at += 1) await pay(demo, {});
    const first = await until(
      () => list("?reasonCode=AC03&limit=1"),
      (page) => page.payments.length > 0,
    );
    expect([idsOf(first), first.next]).toEqual([[paid[4]], null]);
    const none = await until(
      () => list("?reasonCode=AC04&type=PULL&limit=1"),
      (page) => page.next === null,
    );
    expect(none.payments).toEqual([]);
  });

  it.each([
    ["status=PAID", "status", "must be a payment status"],
    ["state=Gone", "state", "must be a transaction state"],
    ["currency=usd", "currency", "must be an ISO 4217 currency, three capital letters"],
    ["minAmount=1e3", "minAmount", "must be a plain decimal of at most 12 digits and 6 decimals"],
    ["minAmount=2&maxAmount=1", "maxAmount", "must not be less than minAmount"],
    ["from=yesterday", "from", "must be an ISO 8601 date, or a time with its offset"],
    ["from=2026-03-02&until=2026-03-01", "until", "must be after from"],
    ["reasonCode=a", "reasonCode", "must be a reason code, such as AC03"],
    ["limit=201", "limit", "must be a whole number from 1 to 200"],
    ["stauts=PENDING", "stauts", "is not known; did you mean status?"],
    ["overdue=true", "overdue", "is not known"],
    ["after=x", "after", "must be the cursor of a page"],
  ])("refuse ?%s by its field and rule", async (query, field, message) => {
    expect(await get(`?${query}`)).toMatchObject({
      status: 400,
      body: { code: "VE_001", errors: [{ field, message }] },
    });
  });

  it("go on by a cursor of the same list alone", async () => {
    const { next } = await list("?limit=1");
    const refused = { status: 400, body: { code: "VE_001", errors: [{ field: "after" }] } };

    expect(await get(`?limit=1&after=${next}`, other)).toMatchObject(refused);
    expect(await get(`?limit=1&status=CAPTURED&after=${next}`)).toMatchObject(refused);
  });

  it("are text with commas for who asks for it, which no spreadsheet runs", async () => {
    const all = await list("?limit=200");
    const reply = await get("", demo, { accept: "text/csv" });
    const [head = "", ...lines] = reply.text.split("\r\n").slice(0, -1);
    const rows = lines.map((line) => line.split(","));
    const column = (name: string): number => head.replace("\uFEFF", "").split(",").indexOf(name);

    expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(reply.headers["content-length"]).toBeUndefined();
    expect(rows.map((row) => row[column("paymentId")])).toEqual(all.payments.map(({ paymentId }) => paymentId));
    // An id may begin with a minus.
    expect(rows.map((row) => row[column("externalPaymentId")])).toContain(`'${paid[4]}`);
    const sum = rows.reduce((total, row) => total + Number(row[column("amount")]), 0);
    expect(sum).toBe(all.payments.reduce((total, { amount }) => total + amount.total, 0));
    expect((await get("?status=PAID", demo, { accept: "text/csv" })).status).toBe(400);
  });

  it("show operators every tenant's, by the same filters, and each with its story", async () => {
    const { body } = await operator("/payments?limit=200");
    const { payments } = body as unknown as { payments: (Listed & { tenant: string })[] };
    const paymentId = payments.find(({ externalPaymentId }) => externalPaymentId === paid[4])?.paymentId;

    expect(new Set(payments.map(({ tenant }) => tenant))).toEqual(new Set(["demo", "other"]));
    expect(idsOf((await operator("/payments?tenant=other")).body as unknown as Page)).toEqual(
      idsOf(await list("?limit=25", other)),
    );
    expect(idsOf((await operator("/payments?tenant=demo&reasonCode=AC03")).body as unknown as Page)).toEqual([paid[4]]);
    expect((await operator("/payments?overdue=true")).body).toMatchObject({ payments: [] });
    expect((await operator("/payments?stuck=true")).body).toMatchObject({ payments: [], next: null });
    expect((await operator("/payments?stuck=false")).status).toBe(400);
    expect((await operator("/payments", "text/csv")).text).toContain(`,'${paid[4]},`);
    expect(await operator(`/tenants/demo/payments/${paymentId}`)).toMatchObject({
      status: 200,
      body: {
        payment: { tenant: "demo", paymentId, recipient: { name: "M*** S***" } },
        operations: [{ status: "PENDING" }, { status: "DECLINED", reasonCode: "AC03" }],
        sender: { lastName: "Lovelace" },
      },
    });
    expect(await operator(`/tenants/demo/payments/${paymentId}/timeline`)).toMatchObject({
      status: 200,
      body: {
        externalPaymentId: paid[4],
        payout: expect.arrayContaining([expect.objectContaining({ to: "DECLINED" })]),
        attempts: expect.arrayContaining([expect.objectContaining({ provider: "pix" })]),
        cases: [],
      },
    });
    const done = payments.find(({ externalPaymentId }) => externalPaymentId === paid[0]);
    const { body: whole } = await operator(`/tenants/demo/payments/${done?.paymentId}/timeline`);
    // In the provider's own words.
    expect(whole["facts"]).toContainEqual(
      expect.objectContaining({
        provider: "pix",
        kind: "PAID",
        amount: expect.objectContaining({ currency: "BRL" }),
        evidenceHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        evidence: expect.stringContaining(String(done?.paymentId)),
      }),
    );
    for (const path of [`demo/payments/${foreign.paymentId}`, `other/payments/${paymentId}/timeline`]) {
      expect(await operator(`/tenants/${path}`)).toMatchObject({ status: 404, body: { code: "PAY_404" } });
    }
    const { body: audit } = await operator("/audit?limit=200");
    expect(JSON.stringify(audit)).toContain("GET /tenants/{tenant}/payments/{paymentId}/timeline");
  });
});

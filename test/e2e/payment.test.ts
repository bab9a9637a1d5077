import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "../../local/platform";
import { signCallback } from "../../services/shared/crypto/callback-signature";
import {
  connectClient,
  freshId,
  type PlatformClient,
  pushBody,
  pushStates,
  type Quote,
  statesOf,
  until,
} from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

describe("a payment through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let other: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    other = connectClient(platform, "other");
  });

  afterEach(() => client.clearFaults());

  afterAll(async () => {
    await client.close();
    await other.close();
    await platform.stop();
  });

  const final = (id: string) =>
    until(
      () => client.payment(id),
      ({ body }) => body["status"] !== "PENDING",
    );
  const push = async (changes: object = {}) => pushBody(freshId(), await client.quote(), changes);
  const anyQuote: Quote = { fxId: "none", conversionRate: 5 };

  it("answers the same request byte for byte, however its JSON is written", async () => {
    const body = await push();
    const first = await client.pay(body);

    const again = await client.pay(body);
    const reordered = await client.pay(JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), null, 2));

    expect(first).toMatchObject({
      status: 200,
      body: { status: "PENDING", approved: false, captured: false, amount: 100 },
    });
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    for (const replay of [again, reordered]) {
      expect(replay.text).toBe(first.text);
      expect(replay.headers["idempotency-replayed"]).toBe("true");
    }
  });

  it("refuses other content under a known id and names the fields, whatever else is wrong with it", async () => {
    const body = await push();
    await client.pay(body);

    const changed = await client.pay({ ...body, ipAddress: "not an address", dynamicDescriptor: "x" });

    expect(changed).toMatchObject({
      status: 422,
      body: { code: "IDM_002", details: { fields: ["dynamicDescriptor", "ipAddress"] } },
    });
  });

  it("makes one payment of the same request from 64 clients at once, with one answer", async () => {
    const body = await push();

    const replies = await Promise.all(Array.from({ length: 64 }, () => client.pay(body)));
    const paymentId = replies[0]?.body["paymentId"];
    await final(String(body["externalPaymentId"]));

    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
    expect((await client.book()).filter(({ reference }) => reference === paymentId)).toMatchObject([{ releases: 1 }]);
  });

  it("lets one of 16 payments that race for one quote win", async () => {
    const quote = await client.quote();

    const replies = await Promise.all(Array.from({ length: 16 }, () => client.pay(pushBody(freshId(), quote))));

    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body["code"]))).toEqual(
      new Set(["PAY_411"]),
    );
  });

  it("keeps tenants apart: the same id is another payment, and a foreign id or quote does not exist", async () => {
    const body = await push();
    await client.pay(body);

    const foreignQuote = await other.pay({ ...pushBody(freshId(), anyQuote), fxId: (await client.quote()).fxId });
    const ownPayment = await other.pay(pushBody(String(body["externalPaymentId"]), await other.quote()));
    const foreignRecord = await other.payment(String((await push())["externalPaymentId"]));

    expect(foreignQuote).toMatchObject({ status: 400, body: { code: "PAY_411" } });
    expect(ownPayment.status).toBe(200);
    expect(ownPayment.headers["idempotency-replayed"]).toBeUndefined();
    expect(foreignRecord).toMatchObject({ status: 404, body: { code: "PAY_404" } });
  });

  it("lists every failed field of a bad request at once and stores nothing", async () => {
    const body = pushBody(freshId(), anyQuote, {
      ipAddress: "256.1.1.1",
      amount: { total: -1, currency: "USD" },
      recipient: { firstName: "", paymentMethod: { type: "PIX", countryCode: "BRA", keyType: "EMAIL" } },
    });
    delete body["additionalData"];

    const { status, body: refusal } = await client.pay(body);
    const fields = (refusal["errors"] as { field: string }[]).map(({ field }) => field);

    expect([status, refusal["code"]]).toEqual([400, "VE_001"]);
    expect(fields).toEqual(
      expect.arrayContaining([
        "ipAddress",
        "amount.total",
        "recipient.firstName",
        "recipient.lastName",
        "recipient.documents",
        "recipient.paymentMethod.key",
        "additionalData",
      ]),
    );
    expect((await client.payment(String(body["externalPaymentId"]))).status).toBe(404);
  });

  it.each([
    ["amount.total", '"amount":{"total":1e2,"currency":"USD"}'],
    ["amount.total", '"amount":{"total":100.001,"currency":"USD"}'],
    ["amount.total", '"amount":{"total":"100","currency":"USD"}'],
    ["amount.total", '"amount":{"total":1000000000000,"currency":"USD"}'],
    ["recipientAmount.total", '"recipientAmount":{"total":500.123456789012345678,"currency":"BRL"}'],
    ["recipientAmount.currency", '"recipientAmount":{"total":500,"currency":"EUR"}'],
    [
      "recipient.paymentMethod.countryCode",
      '"recipient":{"firstName":"M","lastName":"S","paymentMethod":{"type":"PIX"}}',
    ],
    ["paymentType", '"paymentType":"PAY"'],
    ["externalPaymentId", '"externalPaymentId":"a/b"'],
    ["externalPaymentId", '"externalPaymentId":{"$gt":""}'],
  ])("refuses a wrong %s: %s", async (field, replacement) => {
    const fields = Object.entries(pushBody(freshId(), anyQuote)).map(
      ([key, value]) => `"${key}":${JSON.stringify(value)}`,
    );
    const name = /^"(\w+)"/.exec(replacement)?.[1] ?? "";
    const text = `{${[...fields.filter((one) => !one.startsWith(`"${name}"`)), replacement].join(",")}}`;

    const { status, body } = await client.pay(text);

    expect([status, body["code"]]).toEqual([400, "VE_001"]);
    expect((body["errors"] as { field: string }[]).map((error) => error.field)).toContain(field);
  });

  it("takes the exact product, and refuses an amount that is a minor unit off, giving the quote back", async () => {
    const quote = await client.quote();
    const wrong = pushBody(freshId(), quote, {
      recipientAmount: { total: 100 * quote.conversionRate + 0.02, currency: "BRL" },
    });

    const refused = await client.pay(wrong);
    const accepted = await client.pay(pushBody(freshId(), quote));

    expect(refused).toMatchObject({ status: 400, body: { code: "PAY_412" } });
    expect(accepted.status).toBe(200);
  });

  it("does not take another schema's name for a country", async () => {
    const body = await push({
      recipient: { firstName: "M", lastName: "S", paymentMethod: { type: "PIX", countryCode: "push" } },
    });

    const { status, body: refusal } = await client.pay(body);

    expect([status, refusal["code"]]).toEqual([400, "VE_001"]);
    expect((await client.payment(String(body["externalPaymentId"]))).status).toBe(404);
  });

  it("is DECLINED when the rail calls the instruction malformed: an amount of 0", async () => {
    const body = await push({ amount: { total: 0, currency: "USD" }, recipientAmount: { total: 0, currency: "BRL" } });

    const accepted = await client.pay(body);
    const record = await final(String(body["externalPaymentId"]));

    expect(accepted.status).toBe(200);
    expect(record.body).toMatchObject({ status: "DECLINED", capturedAmount: 0 });
  });

  it("gives the quote of a conflicting request back", async () => {
    const body = await push();
    await client.pay(body);
    const quote = await client.quote();

    const conflict = await client.pay({ ...body, fxId: quote.fxId });
    const later = await client.pay(pushBody(freshId(), quote));

    expect(conflict.body["code"]).toBe("IDM_002");
    expect(later.status).toBe(200);
  });

  it("is DECLINED when the rail refuses it, and nothing is released", async () => {
    const sink = `declined-${freshId()}`;
    await client.subscribe(sink);
    const body = await push({ additionalData: { statementNarrative: "SIM:reject-account" } });
    const accepted = await client.pay(body);

    const record = await final(String(body["externalPaymentId"]));
    const id = String(body["externalPaymentId"]);
    const items = await until(
      () => client.sink(sink),
      (found) => statesOf(found, id).includes("Cancelled"),
    );
    const entry = (await client.book()).find(({ reference }) => reference === accepted.body["paymentId"]);

    expect(record.body).toMatchObject({ status: "DECLINED", approved: false, capturedAmount: 0 });
    expect(statesOf(items, id)).toEqual(["Created", "ProcessingPayout", "PayoutRejected", "Cancelled"]);
    expect(entry).toMatchObject({ status: "REFUSED", releases: 0 });
  });

  it.each(["prepare", "release"])(
    "is paid once when the rail's answer to %s gets lost after it was executed",
    async (operation) => {
      await client.fault({ rail: "pix", operation, timeoutAfterExecute: true, times: 1 });
      const body = await push();
      const accepted = await client.pay(body);

      const record = await final(String(body["externalPaymentId"]));
      const entry = (await client.book()).find(({ reference }) => reference === accepted.body["paymentId"]);

      expect(record.body["status"]).toBe("CAPTURED");
      expect(entry).toMatchObject({ status: "PAID", releases: 1 });
    },
    240_000,
  );

  it("emits status, compliance and payout events, each chained from old to new", async () => {
    const sink = `all-${freshId()}`;
    await client.subscribe(sink, [
      "transactionstatuschanged",
      "TransactionComplianceStatusChangedEvent",
      "TransactionPayoutStatusChanged",
    ]);
    const body = await push();
    const id = String(body["externalPaymentId"]);
    await client.pay(body);

    const items = await until(
      () => client.sink(sink),
      (found) => statesOf(found, id).includes("Completed"),
    );
    const events = items
      .map((item) => JSON.parse(item.body) as Record<string, unknown>)
      .filter(({ externalTransactionId }) => externalTransactionId === id);
    const of = (name: string) => events.filter(({ event }) => event === name);

    expect(of("transactionstatuschanged").map(({ newStatus }) => newStatus)).toEqual(pushStates);
    expect(of("transactionstatuschanged").map(({ oldStatus }) => oldStatus)).toEqual([
      null,
      ...pushStates.slice(0, -1),
    ]);
    expect(
      of("TransactionComplianceStatusChangedEvent").map((event) => [
        event["oldComplianceStatus"],
        event["newComplianceStatus"],
      ]),
    ).toEqual([
      [null, "Pending"],
      ["Pending", "Approved"],
    ]);
    expect(
      of("TransactionPayoutStatusChanged").map((event) => [event["oldPayoutStatus"], event["newPayoutStatus"]]),
    ).toEqual([
      [null, "AUTHORIZED"],
      ["AUTHORIZED", "PENDING"],
      ["PENDING", "CAPTURED"],
    ]);
    expect(
      events.every(
        ({ tenantId, externalTransactionId }) =>
          tenantId === "demo" && externalTransactionId === body["externalPaymentId"],
      ),
    ).toBe(true);
  });

  it("leaves no name, document, account or secret in logs, store or bus", async () => {
    const canaries = ["Zebedeu", "Quixaba", "529.982.247-25", "canary.key@example.com"];
    const [firstName, lastName, document, key] = canaries;
    const sink = `canary-${freshId()}`;
    const secret = await client.subscribe(sink);
    const body = await push({
      sender: { firstName, lastName, address: { city: lastName } },
      recipient: {
        firstName,
        lastName,
        documents: [{ document, type: "CPF" }],
        paymentMethod: { type: "PIX", countryCode: "BRA", key, keyType: "EMAIL" },
      },
    });
    await client.pay(body);
    const record = await final(String(body["externalPaymentId"]));
    const [tenant] = platform.credentials.tenants;
    const secrets = [secret, tenant?.apiKey, tenant?.clientSecret, tenant?.agents[0]?.apiKey, await client.token()];

    const places = (words: readonly (string | undefined)[]): string[] =>
      ["logs", "store", "nats"].flatMap((folder) =>
        readdirSync(join(platform.dir, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .filter(({ parentPath, name }) => {
            const content = readFileSync(join(parentPath, name), "latin1");
            return words.some((word) => word !== undefined && content.includes(word));
          })
          .map(({ name }) => name),
      );

    expect(record.body["status"]).toBe("CAPTURED");
    expect(record.body["customer"]).toMatchObject({ firstName, lastName });
    expect(places([String(body["externalPaymentId"])])).not.toEqual([]);
    expect(places([...canaries, ...secrets])).toEqual([]);
  });

  it("refuses a callback whose signature is wrong, old, or of another body", async () => {
    const secretOf = (name: string): string => readFileSync(join(platform.dir, "keys", `callback-${name}`), "utf8");
    const report = JSON.stringify({
      eventId: "e1",
      reference: freshId(),
      railId: "r",
      status: "PAID",
      occurredAt: "2026-01-01T00:00:00Z",
    });
    const now = Math.floor(Date.now() / 1_000);
    const sign = (t: number, body: string, provider = "pix", secret = secretOf("pix")) =>
      signCallback(secret, provider, "e1", t, body);
    const send = (signature: string) =>
      client.send(
        "POST",
        "/provider-callbacks/pix",
        { "content-type": "application/json", "x-signature": signature },
        report,
      );

    const refused = await Promise.all([
      send("t=1,v1=00"),
      send(sign(now, `${report} `)),
      send(sign(now - 301, report)),
      send(""),
      send(sign(now, report, "debits")),
      send(sign(now, report, "debits", secretOf("debits"))),
      send(sign(now, report, "pix", secretOf("debits"))),
      send(sign(now, report).replace("id=e1", "id=e2")),
    ]);
    const taken = await send(sign(now, report));

    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(taken.status).toBe(204);
  });
});

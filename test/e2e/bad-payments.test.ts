import type { Platform } from "../../local/platform";
import { customerPayload, payloadCases } from "../support/corridor-payloads";
import { cardPullBody, cardSource, cardToken, pullPushBody } from "../support/payment-bodies";
import { connectClient, freshId, type PlatformClient, pushBody } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

const anyQuote = { fxId: "none", conversionRate: 5 };

describe("a payment with bad input", () => {
  let platform: Platform;
  let client: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
  });

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  /** Sends it, and says code, status, the failed fields, and whether anything is stored under its id. */
  async function judged(text: string, id: string) {
    const { status, body } = await client.pay(text);
    const fields = Array.isArray(body["errors"]) ? body["errors"].map((error: { field: string }) => error.field) : [];
    const stored = await client.payment(encodeURIComponent(id));
    return { status, code: body["code"], fields, isStored: stored.status !== 404 };
  }
  const refused = { status: 400, code: "VE_001", isStored: false };

  /** A body as text, with the raw text of one value put in the place of `"$RAW"`. */
  const withRaw = (body: object, raw: string): string => JSON.stringify(body).replace('"$RAW"', raw);

  const badAmounts = [
    "1e400",
    "1E2",
    "-0",
    "-1",
    "9007199254740993",
    "123456789012345678",
    "1.005",
    "1000000000000",
    '"1"',
    '{"$gt":""}',
    "null",
    "true",
    "[]",
    "1".repeat(400),
  ];
  it.each(badAmounts)("names amount.total when it is %.40s, and stores nothing", async (raw) => {
    for (const make of [
      (id: string) => pushBody(id, anyQuote, { amount: { total: "$RAW", currency: "USD" } }),
      (id: string) => cardPullBody("1", { externalPaymentId: id, amount: { total: "$RAW", currency: "USD" } }),
    ]) {
      const id = freshId();
      const verdict = await judged(withRaw(make(id), raw), id);

      expect(verdict).toMatchObject(refused);
      expect(verdict.fields).toContain("amount.total");
    }
  });

  it.each(["NaN", "+1", "01", "1.", ".5", "Infinity", "0x10"])(
    "refuses %s, which is no JSON, and stores nothing",
    async (raw) => {
      const id = freshId();
      const body = cardPullBody("1", { externalPaymentId: id, amount: { total: "$RAW", currency: "USD" } });

      expect(await judged(withRaw(body, raw), id)).toMatchObject(refused);
    },
  );

  it("refuses decimals that a currency does not have", async () => {
    const id = freshId();
    const body = cardPullBody("1", { externalPaymentId: id, amount: { total: 10.5, currency: "JPY" } });

    expect(await judged(JSON.stringify(body), id)).toMatchObject({ ...refused, fields: ["amount.total"] });
  });

  const pull = (changes: object) => (id: string) => cardPullBody("1", { externalPaymentId: id, ...changes });
  const push = (changes: object) => (id: string) => pushBody(id, anyQuote, changes);
  const both = (changes: object) => (id: string) =>
    pullPushBody(cardSource("1"), { externalPaymentId: id, ...changes });
  const sender = { firstName: "Ada", lastName: "Lovelace", address: {} };
  it.each([
    ["paymentType", push({ paymentType: "PUSHPULL" })],
    ["paymentType", push({ paymentType: null })],
    ["recipientAmount.currency", push({ recipientAmount: { total: 500, currency: "EUR" } })],
    ["recipient", push({ recipient: null })],
    ["sender", push({ sender: null })],
    [
      "recipient.paymentMethod.countryCode",
      push({ recipient: { firstName: "M", lastName: "S", paymentMethod: { type: "PIX", countryCode: "BR" } } }),
    ],
    ["sender.source", both({ sender: pushBody("x", anyQuote)["sender"] })],
    ["amount.currency", both({ amount: { total: 100, currency: "EUR" } })],
    [
      "recipient.paymentMethod",
      both({ recipient: { ...Object(customerPayload("BRA", { type: "CARD" })["recipient"]), paymentMethod: {} } }),
    ],
    [
      "sender.paymentMethod.cardTokenId",
      pull({ sender: { ...sender, paymentMethod: { type: "CARD", cardTokenId: "4111111111111111" } } }),
    ],
    [
      "sender.paymentMethod.cardTokenId",
      pull({ sender: { ...sender, paymentMethod: { type: "CARD", cardTokenId: "not-a-uuid" } } }),
    ],
    ["sender.paymentMethod.accountTokenId", pull({ sender: { ...sender, paymentMethod: { type: "BANK_DEPOSIT" } } })],
    ["ipAddress", pull({ ipAddress: undefined })],
    ["ipAddress", pull({ ipAddress: "010.0.0.1" })],
    ["ipAddress", pull({ ipAddress: "fe80::1%eth0" })],
    ["capture", pull({ capture: "yes" })],
  ])("names %s, and stores nothing (%#)", async (field, make) => {
    const id = freshId();
    const verdict = await judged(JSON.stringify(make(id)), id);

    expect(verdict).toMatchObject(refused);
    expect(verdict.fields).toContain(field);
  });

  it.each([
    ["unknown", "00000000-0000-4000-8000-000000000000"],
    ["another tenant's", "foreign"],
  ])("refuses a quote that is %s with PAY_411, and stores nothing", async (_case, fxId) => {
    const other = connectClient(platform, "other");
    const id = freshId();
    const quote = fxId === "foreign" ? await other.quote() : { fxId, conversionRate: 5 };
    await other.close();

    expect(await judged(JSON.stringify(pushBody(id, quote)), id)).toMatchObject({
      status: 400,
      code: "PAY_411",
      isStored: false,
    });
  });

  const nobodysCard = "12345678-1234-4234-8234-123456789012";
  const source = (method: object) => ({ sender: { ...sender, source: { type: "CARD", ...method } } });
  const cardPush = { type: "CARD", cardTokenId: nobodysCard };
  const unknownCards: [string, (id: string) => Record<string, unknown>][] = [
    ["sender.paymentMethod.cardTokenId", pull({ sender: { ...sender, paymentMethod: cardPush } })],
    ["sender.source.card.token", pull(source({ card: { token: nobodysCard } }))],
    [
      "sender.source.card.token",
      (id) => pullPushBody({ type: "CARD", card: { token: nobodysCard } }, { externalPaymentId: id }),
    ],
    ["recipient.destination.cardTokenId", (id) => ({ ...customerPayload("POL", cardPush), externalPaymentId: id })],
  ];
  it.each(unknownCards)("names %s when nobody made the token, and stores nothing (%#)", async (field, make) => {
    const id = freshId();

    expect(await judged(JSON.stringify(make(id)), id)).toEqual({ ...refused, fields: [field] });
  });

  it("leaves the quote free when a card push has an unknown token", async () => {
    const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
    const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: "PLN", paymentMethod: "CARD" };
    const { body: quote } = await client.send("POST", "/v2/foreign-exchange", headers, JSON.stringify(order));
    const sample = payloadCases.find(({ country, name }) => country === "POL" && name.includes("CARD"));
    if (sample === undefined) throw new Error("no sample");
    const recipient = Object(sample.payload["recipient"]) as Record<string, unknown>;
    const method = Object(recipient["paymentMethod"]) as object;
    const push = (id: string, cardTokenId: string): string =>
      JSON.stringify({
        ...sample.payload,
        recipient: { ...recipient, paymentMethod: { ...method, cardTokenId } },
        externalPaymentId: id,
        fxId: quote["fxId"],
        recipientAmount: { currency: "PLN", total: 100 * Number(quote["conversionRate"]) },
      });
    const id = freshId();

    const verdict = await judged(push(id, nobodysCard), id);
    const paid = await client.pay(push(freshId(), cardToken("1")));

    expect(verdict).toEqual({ ...refused, fields: ["recipient.paymentMethod.cardTokenId"] });
    expect(paid.status).toBe(200);
  });

  it("rules no token out while the acquirer does not say what it knows", async () => {
    await client.fault({ rail: "acquirer", operation: "card", times: 1, status: 503 });
    const [, make] = unknownCards[0] ?? [];
    const body = make?.(freshId()) ?? {};

    const reply = await client.pay(body);
    const again = await client.pay(body);

    expect(reply).toMatchObject({ status: 200, body: { status: "DECLINED", approved: false } });
    expect(again.text).toBe(reply.text);
  });

  it.each(["", "x".repeat(256), "a/b", "..%2f", "😀", "a\r\nb"])("refuses the id %j", async (id) => {
    const { status, body } = await client.pay(cardPullBody("1", { externalPaymentId: id }));

    expect([status, body["code"]]).toEqual([400, "VE_001"]);
  });
});

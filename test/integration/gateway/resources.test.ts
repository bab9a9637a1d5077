import type { CreateQuoteRequest } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { PaymentIntent } from "../../../proto/gen/corridor/payment/v1/payment_intent";
import type { PaymentRecord } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { httpCall } from "./http-call";
import { pendingReceipt, pullText } from "./sample-payment";
import { startTestGateway, type TestGateway } from "./test-gateway";

const document = Buffer.from('{ "title": "BRA",  "version": "1" }\n');

const at = (text: string): Date => new Date(`${text}Z`);

const record: PaymentRecord = {
  paymentId: "pay-1",
  parentPaymentId: "pay-1",
  externalPaymentId: "ext-1",
  requestedAt: at("2026-02-03T04:05:06.789"),
  capturedAt: undefined,
  amount: { amountMinor: 9_007_199_254_740_993n, currency: "USD" },
  capturedMinor: 0n,
  refundedMinor: 0n,
  status: "PENDING",
  approved: false,
  ipAddress: "203.0.113.7",
  billing: {
    stateCode: "NY",
    city: "New York",
    line1: "1 Main",
    line2: "Flat 2",
    state: "",
    zipCode: "10001",
    countryCode: "USA",
  },
  customer: { firstName: "Ann", lastName: "Lee", phoneNumber: "", email: "" },
  fees: [],
  history: [],
  transactionState: "Created",
  card: undefined,
};

describe("payments", () => {
  let platform: TestGateway;
  const seen: { tenant: string; intent: PaymentIntent | undefined; answerForm: number }[] = [];
  const reports: unknown[] = [];

  beforeAll(async () => {
    platform = await startTestGateway({
      payment: {
        acceptPayment({ tenant, intent, answerForm }) {
          seen.push({ tenant, intent, answerForm });
          return Promise.resolve({ receipt: pendingReceipt, replayed: seen.length > 1 });
        },
        getPayment({ tenant, externalPaymentId }) {
          if (tenant !== "demo" || externalPaymentId !== "ext/1") {
            return Promise.reject(new DomainError("PAYMENT_NOT_FOUND", "there is no such payment"));
          }
          return Promise.resolve({ payment: record });
        },
        receiveCallback({ rail, signature, body }) {
          if (signature !== "t=1,v1=ab") return Promise.reject(new DomainError("UNAUTHENTICATED", "bad signature"));
          reports.push({ rail, body: Buffer.from(body).toString() });
          return Promise.resolve({});
        },
      },
    });
  });

  it("sends the payment as a message and renders its receipt, the same for a replay, which it marks", async () => {
    const send = async () =>
      httpCall(platform.port, "/v2/payment", { method: "POST", body: pullText, headers: await platform.bearer() });

    const first = await send();
    const again = await send();

    expect(seen).toMatchObject([
      { tenant: "demo", answerForm: 1, intent: { externalPaymentId: "e", amount: { amountMinor: 110n } } },
      { tenant: "demo", answerForm: 1, intent: seen[0]?.intent },
    ]);
    expect(first).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(first.text).toContain('{"amount":1.1,"paymentId":"p"');
    expect(first.headers["idempotency-replayed"]).toBeUndefined();
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  it("shows the record of version 2 with exact amounts, times in UTC and nulls", async () => {
    const answer = await httpCall(platform.port, "/v2/payment/ext%2F1", { headers: await platform.bearer() });

    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      '{"parentPaymentId":"pay-1","externalId":"ext-1","requestedOn":"2026-02-03 04:05:06","capturedOn":null,' +
        '"refundedOn":null,"amount":90071992547409.93,"capturedAmount":0,"refundedAmount":0,' +
        '"amountRequested":90071992547409.93,"currency":"USD","status":"PENDING","approved":false,' +
        '"ipAddress":"203.0.113.7","billing":{"stateCode":"NY","city":"New York","line1":"1 Main","line2":"Flat 2",' +
        '"state":"","zipCode":"10001","countryCode":"USA"},"customer":{"firstName":"Ann","lastName":"Lee",' +
        '"phoneNumber":"","email":""},"transactionFees":[],"history":[]}',
    );
  });

  it("shows the record of version 1 without what version 2 added", async () => {
    const answer = await httpCall(platform.port, "/payments/ext%2F1", { headers: await platform.bearer() });

    expect(answer.json).toMatchObject({
      billing: { stateCode: "NY", city: "New York", line1: "1 Main", state: "", zipCode: "10001" },
    });
    expect(answer.text).not.toContain("line2");
    expect(answer.text).not.toContain("countryCode");
  });

  it("answers PAY_404 for an unknown payment and for another tenant's alike", async () => {
    const headers = { "x-request-id": "r" };
    const unknown = await httpCall(platform.port, "/payments/nope", {
      headers: { ...(await platform.bearer()), ...headers },
    });
    const foreign = await httpCall(platform.port, "/v2/payment/ext%2F1", {
      headers: { ...(await platform.bearer({ tenant: "other" })), ...headers },
    });

    expect(unknown.status).toBe(404);
    expect(unknown.json).toEqual({ code: "PAY_404", message: "there is no such payment", requestId: "r" });
    expect([foreign.status, foreign.json]).toEqual([unknown.status, unknown.json]);
  });

  it("takes a provider's report by its signature alone", async () => {
    const call = { method: "POST", body: '{"eventId":"e"}' };
    const taken = await httpCall(platform.port, "/provider-callbacks/pix", {
      ...call,
      headers: { "x-signature": "t=1,v1=ab" },
    });
    const refused = await httpCall(platform.port, "/provider-callbacks/pix", call);

    expect([taken.status, taken.text]).toEqual([204, ""]);
    expect(reports).toEqual([{ rail: "pix", body: '{"eventId":"e"}' }]);
    expect(refused).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    expect(refused.headers["www-authenticate"]).toContain("Signature");
  });
});

describe("schemas", () => {
  let platform: TestGateway;
  let asked: string[] = [];

  beforeAll(async () => {
    platform = await startTestGateway({
      schema: {
        getSchema({ name }) {
          asked.push(name);
          return name === "BRA"
            ? Promise.resolve({ name, version: "1", etag: '"bra-1"', documentJson: document })
            : Promise.reject(new DomainError("COUNTRY_UNSUPPORTED", "there is no such schema"));
        },
      },
    });
  });
  beforeEach(() => {
    asked = [];
  });

  const get = async (name: string, headers: Record<string, string> = {}) =>
    httpCall(platform.port, `/schema/${name}`, { headers: { ...(await platform.bearer()), ...headers } });

  it("serves the document as it is, from memory the second time", async () => {
    const first = await get("BRA");
    const second = await get("BRA");

    expect(first).toMatchObject({
      status: 200,
      headers: { "content-type": "application/schema+json", etag: '"bra-1"' },
    });
    expect(first.body.equals(document)).toBe(true);
    expect(second.body.equals(document)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it.each(['"bra-1"', 'W/"bra-1"', '"other", "bra-1"', "*"])("answers 304 to If-None-Match %s", async (tag) => {
    const answer = await get("BRA", { "if-none-match": tag });

    expect([answer.status, answer.text, answer.headers["etag"]]).toEqual([304, "", '"bra-1"']);
  });

  it("sends the document when the tag differs", async () => {
    expect(await get("BRA", { "if-none-match": '"bra-0"' })).toMatchObject({ status: 200 });
  });

  it.each(["ZZZ", "bra", "BR", "B%20A", "BRA.json"])("answers PAY_271 for %s", async (name) => {
    expect(await get(name)).toMatchObject({ status: 400, json: { code: "PAY_271" } });
  });
});

describe("quotes", () => {
  let platform: TestGateway;
  let asked: CreateQuoteRequest[] = [];

  beforeAll(async () => {
    platform = await startTestGateway({
      payment: { getQuoteUse: () => Promise.resolve({ paymentId: undefined }) },
      fx: {
        getQuote: ({ quoteId }) =>
          quoteId === "fx-1"
            ? Promise.resolve({ detail })
            : Promise.reject(new DomainError("QUOTE_NOT_FOUND", "there is no such quote")),
        createQuote(request) {
          asked.push(request);
          if (request.paymentMethod === "PIX") {
            return Promise.reject(new DomainError("PAYMENT_METHOD_UNKNOWN", "paymentMethod is not one of them"));
          }
          return Promise.resolve({
            quote: {
              quoteId: "fx-1",
              sourceCurrency: "USD",
              destinationCurrency: "BRL",
              rate: { mantissa: 5_123_456_789_012_345_678n, scale: 18 },
              midRate: undefined,
              expiresAt: at("2026-02-03T04:05:06.000"),
            },
          });
        },
      },
    });
  });
  beforeEach(() => {
    asked = [];
  });

  const detail = {
    quote: {
      quoteId: "fx-1",
      sourceCurrency: "USD",
      destinationCurrency: "BRL",
      rate: { mantissa: 5_123_456_789n, scale: 9 },
      midRate: undefined,
      expiresAt: at("2026-02-03T04:05:06.000"),
    },
    paymentMethod: "BANK_ACCOUNT",
    midRate: { mantissa: 52n, scale: 1 },
    spreadBps: 120,
    rateDate: "2026-02-03",
    createdAt: at("2026-02-03T03:50:06.000"),
    rateSource: "rates.example.com",
    rateReadAt: at("2026-02-03T03:45:00.000"),
    legs: [],
    isExpired: false,
  };

  const quote = async (body: string) =>
    httpCall(platform.port, "/v2/foreign-exchange", { method: "POST", body, headers: await platform.bearer() });
  const good = '"sourceCurrencyCode":"USD","destinationCurrencyCode":"BRL","paymentMethod":"BANK_ACCOUNT"';

  it("answers exactly five fields, the rate with every digit", async () => {
    const answer = await quote(`{${good},"destinationCountryCode":"BRA"}`);

    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      '{"fxId":"fx-1","conversionRate":5.123456789012345678,"sourceCurrencyCode":"USD",' +
        '"destinationCurrencyCode":"BRL","quoteIdExpiryDateTime":"2026-02-03T04:05:06.000Z"}',
    );
    expect(asked).toMatchObject([{ tenant: "demo", paymentMethod: "BANK_ACCOUNT", destinationCountry: "BRA" }]);
  });

  it.each(["100.50", '"100.50"', "0", "999999999999"])("takes the amount %s", async (amount) => {
    expect(await quote(`{${good},"sourceCurrencyAmount":${amount}}`)).toMatchObject({ status: 200 });
  });

  it.each(["-1", "1e3", '"1e3"', '"01"', '""', "null", "true", "{}", "1000000000000"])(
    "refuses the amount %s",
    async (amount) => {
      const answer = await quote(`{${good},"sourceCurrencyAmount":${amount}}`);

      expect(answer).toMatchObject({
        status: 400,
        json: { code: "VE_001", errors: [{ field: "sourceCurrencyAmount" }] },
      });
    },
  );

  it("names every failed field at once", async () => {
    const answer = await quote('{"sourceCurrencyCode":"usd","paymentMethod":"","destinationCountryCode":1}');

    expect(answer).toMatchObject({
      status: 400,
      json: {
        errors: [
          { field: "sourceCurrencyCode" },
          { field: "destinationCurrencyCode" },
          { field: "paymentMethod" },
          { field: "destinationCountryCode" },
        ],
      },
    });
    expect(asked).toEqual([]);
  });

  it("refuses a member that it does not know, and says which was meant", async () => {
    expect(await quote(`{${good},"destinationCuontryCode":"BRA","note":"x"}`)).toMatchObject({
      status: 400,
      json: {
        code: "VE_001",
        errors: [
          { field: "destinationCuontryCode", message: "is not known; did you mean destinationCountryCode?" },
          { field: "note", message: "is not known" },
        ],
      },
    });
    expect(asked).toEqual([]);
  });

  it("answers the earlier form with three fields, and asks for no method or country", async () => {
    const call = { method: "POST", headers: await platform.bearer() };
    const body = '{"sourceCurrencyCode":"USD","destinationCurrencyCode":"BRL"}';
    const answer = await httpCall(platform.port, "/foreign-exchange", { ...call, body });
    const refused = await httpCall(platform.port, "/foreign-exchange", {
      ...call,
      body: '{"sourceCurrencyCode":"us"}',
    });

    expect(answer.text).toBe(
      '{"fxId":"fx-1","conversionRate":5.123456789012345678,"quoteIdExpiryDateTime":"2026-02-03T04:05:06.000Z"}',
    );
    expect(asked).toEqual([
      { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "BANK_ACCOUNT" },
    ]);
    expect(refused).toMatchObject({
      status: 400,
      json: { errors: [{ field: "sourceCurrencyCode" }, { field: "destinationCurrencyCode" }] },
    });
  });

  it("looks a quote up", async () => {
    const headers = await platform.bearer();

    expect(await httpCall(platform.port, "/v2/foreign-exchange/fx-1", { headers })).toMatchObject({
      status: 200,
      json: {
        fxId: "fx-1",
        sourceCurrencyCode: "USD",
        destinationCurrencyCode: "BRL",
        paymentMethod: "BANK_ACCOUNT",
        conversionRate: 5.123456789,
        midRate: 5.2,
        marginBps: 120,
        rateDate: "2026-02-03",
        rounding: "HALF_EVEN",
        createdAt: "2026-02-03T03:50:06.000Z",
        quoteIdExpiryDateTime: "2026-02-03T04:05:06.000Z",
        status: "OPEN",
        paymentId: null,
      },
    });
    expect(await httpCall(platform.port, "/v2/foreign-exchange/fx-2", { headers })).toMatchObject({
      status: 404,
      json: { code: "FX_404" },
    });
  });

  it("answers PAY_005 for a method that there is not", async () => {
    expect(await quote(`{${good.replace("BANK_ACCOUNT", "PIX")}}`)).toMatchObject({
      status: 400,
      json: { code: "PAY_005" },
    });
  });
});

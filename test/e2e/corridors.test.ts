import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import type { Platform } from "../../local/platform";
import {
  changed,
  customerPayload,
  type Json,
  type PayloadCase,
  payloadCases,
  validPayload,
} from "../support/corridor-payloads";
import { expectedLeaves, leavesOf } from "../support/order-leaves";
import { payloadsNear } from "../support/payload-generator";
import { cardPullBody } from "../support/payment-bodies";
import { connectClient, freshId, insist, type PlatformClient, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

/** What the platform says of a payload: whether it would take it, and the fields that it refuses. */
interface Verdict {
  isAccepted: boolean;
  fields: string[];
  paymentId?: string;
}

const seed = 20_260_301;

/** A tenth of the random cases that are tried without the edge. */
const restRuns = (): number => (fc.readConfigureGlobal().numRuns ?? 100) / 10;

/** The body with its destination set, where it has a payment method at all, and nothing undefined. */
function toCountry(body: Json, country: string): Json {
  const method: unknown = Object(body["recipient"])["paymentMethod"];
  const isMethod = typeof method === "object" && method !== null && !Array.isArray(method);
  const set = isMethod ? changed(body, "recipient.paymentMethod.countryCode", country) : body;
  return JSON.parse(JSON.stringify(set)) as Json;
}

const quoteMethods: Readonly<Record<string, string>> = { WALLET: "WALLET", CARD: "CARD" };
const cardTokenId = "11111111-1111-4111-8111-111111111111";

describe("payments to every corridor through the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let headers: Record<string, string>;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
  });

  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  /** Sent again where a platform with so much to do at once has answered SYS_503. */
  const post = (path: string, body: object) => insist(() => client.send("POST", path, headers, JSON.stringify(body)));

  /** A live quote to a country, by the method of the payload. */
  async function quoteFor({ country, payload }: Pick<PayloadCase, "country" | "payload">): Promise<Json> {
    const { recipientAmount } = validPayload(country);
    const { paymentMethod } = Object(payload["recipient"]) as Json;
    const quote = await post("/v2/foreign-exchange", {
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: Object(recipientAmount)["currency"] as unknown,
      paymentMethod: quoteMethods[String(Object(paymentMethod)["type"])] ?? "BANK_ACCOUNT",
      destinationCountryCode: country,
    });
    expect(quote).toMatchObject({ status: 200 });
    return quote.body;
  }

  /** The payload with a fresh id and what the quote says. */
  const pricedBy = (payload: Json, { fxId, conversionRate }: Json): Json => ({
    ...payload,
    externalPaymentId: freshId(),
    fxId,
    recipientAmount: { ...Object(payload["recipientAmount"]), total: 100 * Number(conversionRate) },
  });

  const withQuote = async (sample: Pick<PayloadCase, "country" | "payload">) =>
    pricedBy(sample.payload, await quoteFor(sample));

  const sampleOf = (country: string, payload = validPayload(country)) => ({ country, payload });

  async function submit(body: Json): Promise<Verdict> {
    const reply = await post("/v2/payment", body);
    if (reply.status === 200) return { isAccepted: true, fields: [], paymentId: String(reply.body["paymentId"]) };
    expect(reply).toMatchObject({ status: 400, body: { code: "VE_001" } });
    const errors = reply.body["errors"] as { field: string }[];
    return { isAccepted: false, fields: errors.map(({ field }) => field) };
  }

  /** What a payment said and its rail's own book does not have. */
  async function lostOf(paymentId: string, body: Json): Promise<string[]> {
    const ask = async (): Promise<{ instructions: { order: Json }[] }> => {
      const response = await fetch(`${platform.credentials.sandboxUrl}/book?reference=${paymentId}`);
      return (await response.json()) as { instructions: { order: Json }[] };
    };
    const { instructions } = await until(ask, (book) => book.instructions.length > 0);
    const kept = new Map(leavesOf(instructions[0]?.order));
    return expectedLeaves(body).flatMap(([place, text]) => (kept.get(place) === text ? [] : [place]));
  }

  const countries = [...new Set(payloadCases.map(({ country }) => country))];

  /** Sends every sample of a corridor at once. A refusal leaves the quote as it was: one serves all that are refused. */
  async function judgeSamples(country: string) {
    const samples = payloadCases.filter((candidate) => candidate.country === country);
    const quote = quoteFor(sampleOf(country));
    return Promise.all(
      samples.map(async ({ name, payload, expectField }) => {
        const isGood = expectField === undefined;
        const body = isGood ? await withQuote({ country, payload }) : pricedBy(payload, await quote);
        const { paymentId, ...verdict } = await submit(body);
        const lost = paymentId === undefined ? [] : await lostOf(paymentId, body);
        return { country, name, expectField, lost, ...verdict };
      }),
    );
  }

  // Several corridors at once: one alone would mostly wait.
  const groups = Array.from({ length: Math.ceil(countries.length / 7) }, (_, at) =>
    countries.slice(7 * at, 7 * at + 7),
  );

  it.each(groups.map((group) => [group]))("behave as the samples of %j say", async (group) => {
    const judged = (await Promise.all(group.map(judgeSamples))).flat();

    expect(new Set(judged.map(({ country }) => country))).toEqual(new Set(group));
    for (const { country, name, expectField, isAccepted, fields, lost } of judged) {
      expect({ country, name, isAccepted, lost }).toEqual({
        country,
        name,
        isAccepted: expectField === undefined,
        lost: [],
      });
      if (expectField !== undefined) expect(fields).toContain(expectField);
    }
  });

  it.each(countries)("agree with an independent validator on random payloads to %s", async (country) => {
    const schemaOf = async (name: string) => (await client.send("GET", `/schema/${name}`, headers)).body;
    const schemas = [await schemaOf("push"), await schemaOf(country)];
    const validators = schemas.map((schema) => new Validator(schema as Schema, "7"));
    const base = { ...validPayload(country), externalPaymentId: freshId() };
    const payloads = fc.sample(payloadsNear([base], schemas[1] ?? {}), { numRuns: restRuns(), seed });

    // The corridor stays the same, so that both sides check by the same schema.
    const bodies = payloads.map(({ sender, recipient, additionalData }) =>
      toCountry({ ...base, sender, recipient, additionalData }, country),
    );
    const replies = await Promise.all(bodies.map((body) => post("/v2/payment/validate", body)));
    for (const [index, body] of bodies.entries()) {
      const errors = replies[index]?.body["errors"] as { code: string }[];
      const isAccepted = errors.every(({ code }) => code !== "VE_001");
      expect({ body, isAccepted }).toEqual({ body, isAccepted: validators.every((one) => one.validate(body).valid) });
    }
  });

  describe("POST /v2/payment/validate", () => {
    const validate = (body: object) => post("/v2/payment/validate", body);

    it("answers the price and leaves quote and id free", async () => {
      const body = await withQuote(sampleOf("BRA"));
      const { body: answer } = await validate(body);
      const pix = { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" };
      const paid = await client.pay(changed(body, "recipient.paymentMethod", pix));

      expect(answer).toMatchObject({
        valid: true,
        errors: [],
        price: { amount: { total: 100, currency: "USD" }, recipientAmount: { currency: "BRL" } },
      });
      expect(paid).toMatchObject({ status: 200, body: { status: "PENDING" } });
      expect((await validate(changed(body, "recipient.paymentMethod", pix))).body).toMatchObject({ valid: true });
      expect((await validate(body)).body).toMatchObject({
        valid: false,
        errors: [{ code: "IDM_002", field: "externalPaymentId" }],
      });
    });

    it("answers what is wrong with the quote", async () => {
      const body = await withQuote(sampleOf("DEU"));
      const errorsOf = async (change: Json) => (await validate({ ...body, ...change })).body["errors"];

      expect(await errorsOf({ fxId: "unknown" })).toMatchObject([{ code: "PAY_411", field: "fxId" }]);
      expect(await errorsOf({ recipientAmount: { total: 1, currency: "EUR" } })).toMatchObject([
        { code: "PAY_412", field: "recipientAmount.total" },
      ]);
      expect(await errorsOf({ fxId: undefined })).toMatchObject([{ code: "VE_001", field: "fxId" }]);
    });

    it("takes the customer shape without a quote, the card-push variant and a pull", async () => {
      const customer = customerPayload("POL", { type: "CARD", cardTokenId });
      const variant = changed(validPayload("POL"), "recipient.paymentMethod", { type: "CARD", cardTokenId });
      const cardPush = await withQuote(sampleOf("POL", variant));
      const born = changed(cardPush, "recipient.dateOfBirth", "1990-04-15");
      const address = changed(born, "recipient.address.countryCode", "POL");
      const pull = {
        externalPaymentId: freshId(),
        paymentType: "PULL",
        amount: { total: 20, currency: "USD" },
        sender: {
          firstName: "Ada",
          lastName: "Lovelace",
          paymentMethod: { type: "BANK_DEPOSIT", accountTokenId: "token-1" },
        },
      };

      expect((await validate(customer)).body).toMatchObject({
        valid: true,
        price: { recipientAmount: { currency: "PLN" } },
      });
      expect((await validate(address)).body).toMatchObject({ valid: true });
      expect((await validate({ ...address, dateOfBirth: "1990-04-15" })).body).toMatchObject({
        valid: false,
        errors: [{ code: "VE_001", field: "dateOfBirth" }],
      });
      expect((await validate(pull)).body).toMatchObject({
        valid: false,
        errors: [{ code: "VE_001", field: "sender.paymentMethod.accountTokenId" }],
      });
      expect((await validate(cardPullBody("1"))).body).toMatchObject({ valid: true, errors: [] });
      expect((await validate(changed(customer, "recipient.destination.type", "PIX"))).body).toMatchObject({
        valid: false,
        errors: expect.arrayContaining([expect.objectContaining({ field: "recipient.destination.type" })]) as unknown,
      });
    });

    it("tells of an account number that looks mistyped, and would take it all the same", async () => {
      const field = "recipient.paymentMethod.accountNumber";
      const body = await withQuote(sampleOf("DEU"));
      const mistyped = changed(body, field, "DE89370400440532013001");

      expect((await validate(body)).body).toMatchObject({ valid: true, advice: [] });
      expect((await validate(mistyped)).body).toMatchObject({ valid: true, advice: [{ field }] });
    });

    it("refuses a body that is no JSON object", async () => {
      const reply = await client.send("POST", "/v2/payment/validate", headers, "[]");

      expect(reply).toMatchObject({ status: 400, body: { code: "VE_001" } });
    });
  });

  describe("GET /schema", () => {
    const get = (name: string, more: Record<string, string> = {}) =>
      client.send("GET", `/schema/${name}`, { ...headers, ...more });

    it.each([...countries, "push", "customer"])("serves %s, and answers 304 to its tag", async (name) => {
      const first = await get(name);
      const again = await get(name, { "if-none-match": String(first.headers["etag"]) });

      const version = String(first.body["version"]);
      expect((await get(`${name}?version=${version}`)).text).toBe(first.text);
      expect(first).toMatchObject({ status: 200, body: { $schema: "http://json-schema.org/draft-07/schema#" } });
      expect([again.status, again.text]).toEqual([304, ""]);
    });

    it.each(["BR", "bra", "Bra", "ATA", "BRAZ", "pull", "PUSH", "BRA%20", "..%2fBRA", "BRA@1.0.0"])(
      "answers PAY_271 for %s",
      async (name) => {
        expect(await get(name)).toMatchObject({ status: 400, body: { code: "PAY_271" } });
      },
    );

    it("refuses a version that was never published and one that is no version", async () => {
      expect(await get("BRA?version=9.9.9")).toMatchObject({ status: 400, body: { code: "PAY_271" } });
      expect(await get("BRA?version=new")).toMatchObject({ body: { code: "VE_001", errors: [{ field: "version" }] } });
    });
  });

  describe("GET /reference/schemas", () => {
    it("lists every schema with its versions to an approved agent", async () => {
      const { tenants } = platform.credentials;
      const demo = tenants.find(({ tenant }) => tenant === "demo");
      const approved = demo?.agents.find(({ status }) => status === "ACTIVE");
      const get = (more: Record<string, string>) => client.send("GET", "/reference/schemas", more);
      const key = { "x-api-key": demo?.apiKey ?? "" };
      const reply = await get({
        ...key,
        "x-agent-id": approved?.agentId ?? "",
        "x-agent-api-key": approved?.apiKey ?? "",
      });
      const schemas = reply.body["schemas"] as { name: string; version: string; versions: string[]; href: string }[];

      expect(reply.status).toBe(200);
      const persons = countries.map((country) => `person/${country}`);
      expect(schemas.map(({ name }) => name)).toEqual([...countries, ...persons, "push", "customer"].toSorted());
      expect(schemas.every(({ version, versions }) => versions.includes(version))).toBe(true);
      expect(await get(key)).toMatchObject({ status: 403, body: { code: "AUTH_002" } });
    });
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FxServiceService, type Quote } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { startFx } from "../../../services/fx/app";
import { readFxConfig } from "../../../services/fx/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { plusMs } from "../../../services/shared/kernel/clock";
import { systemIds } from "../../../services/shared/kernel/ids";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore, type TestStore } from "../../support/testbed";

const tenant = "demo";
const ask = {
  tenant,
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "BANK_ACCOUNT",
  destinationCountry: "BRA",
};

describe("fx", () => {
  /** Far ahead of the machine's time, by which the store forgets. */
  const startedAt = new Date("2126-03-01T12:00:00.250Z");
  let now = startedAt;
  let store: TestStore;
  let schema: Running & { port: number };
  let running: Running[] = [];
  let fx: Rpc<typeof FxServiceService>;

  const startCorridors = async (): Promise<void> => {
    schema = await startSchema(
      readSchemaConfig({
        PROFILE: "local",
        LOG_LEVEL: "error",
        GRPC_PORT: "0",
        MONGODB_URI: store.mongoUri,
        MONGODB_DATABASE: store.database("schema"),
      }),
    );
  };
  const start = async (changes: Record<string, string> = {}): Promise<Rpc<typeof FxServiceService>> => {
    const config = readFxConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: store.mongoUri,
      MONGODB_DATABASE: store.database("fx"),
      SCHEMA_TARGET: `ipv4:127.0.0.1:${schema.port}`,
      ...changes,
    });
    const service = await startFx(config, { clock: { now: () => now } });
    const target = `ipv4:127.0.0.1:${service.port}`;
    const options = { target, tls: undefined, timeoutMs: 20_000, retryable: [], tracing: noTracing };
    const client = makeRpcClient(FxServiceService, options);
    running.push(service, client);
    return client;
  };
  const stopServices = async (): Promise<void> => {
    await Promise.all(running.map((part) => part.stop()));
    running = [];
  };
  const newQuote = async (): Promise<Quote> => {
    const { quote } = await fx.createQuote(ask);
    if (quote === undefined) throw new Error("no quote");
    return quote;
  };
  /** A payment that names a quote. */
  const use = (quoteId: string | undefined, changes: object = {}) =>
    fx.quotePayment({ ...ask, quoteId, isPreview: false, ...changes });
  const refusal = (reason: string): unknown => expect.objectContaining({ reason });

  beforeAll(async () => {
    store = await startTestStore();
    await startCorridors();
    fx = await start();
  });
  afterAll(async () => {
    await stopServices();
    await schema.stop();
    await store.stop();
  });
  beforeEach(() => {
    now = startedAt;
  });

  describe("createQuote", () => {
    it("prices the pair below the published rate and promises it for 15 minutes", async () => {
      const quote = await newQuote();

      expect(quote).toMatchObject({ sourceCurrency: "USD", destinationCurrency: "BRL" });
      expect(quote.expiresAt).toEqual(plusMs(startedAt, 900_000));
      expect(quote.quoteId).toMatch(/^[0-9a-f-]{36}$/);
      expect(quote.rate?.mantissa.toString()).toMatch(/^\d{8,18}$/);
    });

    it("makes another quote at the same rate each time", async () => {
      const [one, two] = await Promise.all([newQuote(), newQuote()]);

      expect(one.rate).toEqual(two.rate);
      expect(one.quoteId).not.toBe(two.quoteId);
    });

    it("quotes equal currencies at exactly 1, and any pair when no country is named", async () => {
      const anywhere = { ...ask, destinationCountry: undefined };
      const same = await fx.createQuote({ ...anywhere, destinationCurrency: "USD" });
      const cross = await fx.createQuote({ ...anywhere, sourceCurrency: "KWD", destinationCurrency: "JPY" });

      expect(same.quote?.rate).toEqual({ mantissa: 1n, scale: 0 });
      expect(cross.quote?.rate?.mantissa).toBeGreaterThan(10n ** 7n);
    });

    it.each([
      ["an alpha-2 country", { destinationCountry: "BR" }, "NO_ROUTE"],
      ["a country without a corridor", { destinationCountry: "PRK" }, "NO_ROUTE"],
      ["a currency that the corridor lacks", { destinationCountry: "DEU" }, "NO_ROUTE"],
      ["money that no route takes", { sourceCurrency: "JPY" }, "NO_ROUTE"],
      ["a method that the route lacks", { paymentMethod: "CARD" }, "NO_ROUTE"],
      ["a currency without a rate", { destinationCountry: undefined, destinationCurrency: "ZZZ" }, "NO_ROUTE"],
      ["a crypto asset", { destinationCountry: undefined, destinationCurrency: "BTC" }, "NO_ROUTE"],
      ["an unknown method", { paymentMethod: "PIX" }, "PAYMENT_METHOD_UNKNOWN"],
      ["no method", { paymentMethod: "" }, "PAYMENT_METHOD_UNKNOWN"],
    ])("refuses %s", async (_case, change, reason) => {
      await expect(fx.createQuote({ ...ask, ...change })).rejects.toEqual(refusal(reason));
    });

    it("names both malformed currencies by their REST fields", async () => {
      const asked = fx.createQuote({ ...ask, sourceCurrency: "usd", destinationCurrency: "REAL" });

      await expect(asked).rejects.toMatchObject({
        reason: "INVALID_ARGUMENT",
        violations: [{ field: "sourceCurrencyCode" }, { field: "destinationCurrencyCode" }],
      });
    });
  });

  describe("routes", () => {
    it("are there for every corridor, by each method that its schema has", async () => {
      const client = makeRpcClient(SchemaServiceService, {
        target: `ipv4:127.0.0.1:${schema.port}`,
        tls: undefined,
        timeoutMs: 20_000,
        retryable: [],
        tracing: noTracing,
      });
      running.push(client);
      const { destinations } = await client.listDestinations({});
      const requests = destinations.flatMap(({ countryCodeAlpha3, currencies, methods }) =>
        currencies.flatMap((destinationCurrency) =>
          methods.map(({ type }) => ({
            ...ask,
            destinationCurrency,
            destinationCountry: countryCodeAlpha3,
            paymentMethod: ["WALLET", "CARD"].includes(type) ? type : "BANK_ACCOUNT",
          })),
        ),
      );

      const answers = await Promise.allSettled(requests.map((request) => fx.createQuote(request)));

      expect(requests.length).toBeGreaterThan(133);
      expect(requests.filter((_request, index) => answers[index]?.status !== "fulfilled")).toEqual([]);
    });

    it("are closed by the operator's file, for those whom it names", async () => {
      const file = join(mkdtempSync(join(tmpdir(), "fx-routes-")), "routes.json");
      const closed = [{ tenant, country: "BRA" }];
      writeFileSync(file, JSON.stringify({ sourceCurrencies: ["USD"], closed }));
      const narrowed = await start({ FX_ROUTES_FILE: file });

      await expect(narrowed.createQuote(ask)).rejects.toEqual(refusal("NO_ROUTE"));
      await expect(narrowed.createQuote({ ...ask, tenant: "other" })).resolves.toBeDefined();
      const euros = { ...ask, tenant: "other", sourceCurrency: "EUR" };
      await expect(narrowed.createQuote(euros)).rejects.toEqual(refusal("NO_ROUTE"));
      writeFileSync(file, JSON.stringify({ sourceCurrencies: ["USD"] }));
      await expect(start({ FX_ROUTES_FILE: file })).rejects.toThrow("closed must be a list");
    });

    it("hold while the schema service is away, and wait for it where they were never heard", async () => {
      await newQuote();
      const { port } = schema;
      await schema.stop();
      try {
        await expect(fx.createQuote(ask)).resolves.toBeDefined();
        const fresh = await start({ SCHEMA_TARGET: `ipv4:127.0.0.1:${port}` });
        await expect(fresh.createQuote(ask)).rejects.toEqual(refusal("UNAVAILABLE"));
        await expect(fresh.createQuote({ ...ask, destinationCountry: undefined })).resolves.toBeDefined();
      } finally {
        await startCorridors();
        await stopServices();
        fx = await start();
      }
    });
  });

  describe("getQuote", () => {
    it("tells what the rate was made of: the mid-market rate less the spread, rounded down", async () => {
      const quote = await newQuote();
      const { detail } = await fx.getQuote({ tenant, quoteId: quote.quoteId });

      expect(detail).toMatchObject({ quote, paymentMethod: "BANK_ACCOUNT", spreadBps: 120, createdAt: startedAt });
      expect(detail?.rateDate).toMatch(/^\d{4}-\d\d-\d\d$/);
      const [mid, rate] = [detail?.midRate, quote.rate].map((one) => one ?? { mantissa: 0n, scale: 0 });
      expect(mid?.scale).toBe(rate?.scale);
      const exact = (mid?.mantissa ?? 0n) * 9_880n;
      expect(((rate?.mantissa ?? 0n) - exact / 10_000n) ** 2n).toBeLessThanOrEqual(1n);
    });

    it("tells where and when the market's rate was read, and an open quote from an expired one", async () => {
      const { quoteId } = await newQuote();
      const detail = async () => (await fx.getQuote({ tenant, quoteId })).detail;

      expect(await detail()).toMatchObject({ rateSource: "@fawazahmed0/currency-api", isExpired: false });
      expect((await detail())?.rateReadAt).toBeInstanceOf(Date);
      expect((await detail())?.destinationCountry).toBe("BRA");
      now = plusMs(startedAt, 900_000);
      expect(await detail()).toMatchObject({ isExpired: true });
    });

    it("knows no other tenant's quote", async () => {
      const { quoteId } = await newQuote();

      await expect(fx.getQuote({ tenant: "other", quoteId })).rejects.toEqual(refusal("QUOTE_NOT_FOUND"));
      await expect(fx.getQuote({ tenant, quoteId: systemIds.uuid() })).rejects.toEqual(refusal("QUOTE_NOT_FOUND"));
    });
  });

  describe("quotePayment", () => {
    it("reads the quote that a payment names, as often as it is asked, and never changes it", async () => {
      const quote = await newQuote();

      const answers = await Promise.all(Array.from({ length: 8 }, () => use(quote.quoteId)));

      expect(answers).toEqual(answers.map(() => ({ quote })));
      expect((await fx.getQuote({ tenant, quoteId: quote.quoteId })).detail?.quote).toEqual(quote);
    });

    it("says the same of an unknown quote and of another tenant's", async () => {
      const { quoteId } = await newQuote();

      const attempts = await Promise.allSettled([use(quoteId, { tenant: "other" }), use(systemIds.uuid())]);

      for (const attempt of attempts) {
        expect(attempt).toMatchObject({
          reason: { reason: "QUOTE_UNUSABLE", message: "the quote is unknown or already used" },
        });
      }
    });

    it("lets a quote live until its last millisecond and no longer", async () => {
      const { quoteId } = await newQuote();

      now = plusMs(startedAt, 899_999);
      await expect(use(quoteId)).resolves.toBeDefined();
      now = plusMs(startedAt, 900_000);
      await expect(use(quoteId)).rejects.toEqual(refusal("QUOTE_EXPIRED"));
    });

    it("quotes a payment that names none, stores nothing for a preview, and needs no quote for equal currencies", async () => {
      const { quote } = await use(undefined);
      const { quote: shown } = await use(undefined, { isPreview: true });
      const { quote: none } = await use(undefined, { destinationCurrency: "BRL", sourceCurrency: "BRL" });

      expect((await fx.getQuote({ tenant, quoteId: quote?.quoteId ?? "" })).detail?.quote).toEqual(quote);
      expect(shown?.rate).toEqual(quote?.rate);
      await expect(fx.getQuote({ tenant, quoteId: shown?.quoteId ?? "" })).rejects.toEqual(refusal("QUOTE_NOT_FOUND"));
      expect(none).toBeUndefined();
    });

    const agentId = "11111111-1111-4111-9111-111111111111";
    const westAfrica = { ...ask, destinationCurrency: "XOF", destinationCountry: "CIV" };
    it.each<[string, object, object, string]>([
      ["another agent", { agentId }, { agentId: agentId.replaceAll("1", "2") }, "fxId"],
      ["its tenant, when an agent asked", { agentId }, {}, "fxId"],
      ["another source", {}, { sourceCurrency: "EUR" }, "amount.currency"],
      [
        "another destination",
        { destinationCountry: undefined, destinationCurrency: "XAF" },
        {},
        "recipientAmount.currency",
      ],
      ["another method", { destinationCountry: undefined, paymentMethod: "CARD" }, {}, "fxId"],
      ["another country of the same money", {}, { destinationCountry: "SEN" }, "fxId"],
    ])("refuses a quote to %s", async (_case, quoted, paid, field) => {
      const { quote } = await fx.createQuote({ ...westAfrica, ...quoted });

      const asked = use(quote?.quoteId, { ...westAfrica, ...paid });

      await expect(asked).rejects.toMatchObject({ reason: "QUOTE_MISMATCH", violations: [{ field }] });
    });

    it("takes a quote without a country to any country of its money, and a tenant's own through its agents' door", async () => {
      const { quote } = await fx.createQuote({ ...westAfrica, destinationCountry: undefined });

      for (const destinationCountry of ["CIV", "SEN"]) {
        await expect(use(quote?.quoteId, { ...westAfrica, destinationCountry, agentId })).resolves.toEqual({ quote });
      }
    });

    it("asks the route policy, whatever was quoted: without a country, before the route was closed, or not at all", async () => {
      const file = join(mkdtempSync(join(tmpdir(), "fx-routes-")), "routes.json");
      const closed = [{ tenant, country: "BRA", paymentMethod: "BANK_ACCOUNT" }];
      writeFileSync(file, JSON.stringify({ sourceCurrencies: ["USD"], closed }));
      const narrowed = await start({ FX_ROUTES_FILE: file });
      const { quote: open } = await fx.createQuote(ask);
      const { quote: anywhere } = await narrowed.createQuote({ ...ask, destinationCountry: undefined });

      const orders = [
        { ...ask, quoteId: open?.quoteId },
        { ...ask, quoteId: anywhere?.quoteId },
        { ...ask, quoteId: undefined },
        { ...ask, quoteId: undefined, sourceCurrency: "BRL" },
      ];

      for (const order of orders) {
        await expect(narrowed.quotePayment({ ...order, isPreview: false })).rejects.toEqual(refusal("NO_ROUTE"));
        await expect(fx.quotePayment({ ...order, isPreview: false })).resolves.toBeDefined();
      }
    });
  });

  describe("getRate", () => {
    it("values above the rate that it would quote, and equal money at exactly 1", async () => {
      const pair = { sourceCurrency: "BRL", destinationCurrency: "USD" };
      const { rate } = await fx.getRate(pair);
      const { quote } = await fx.createQuote({ ...ask, ...pair, destinationCountry: undefined });

      const [market, ours] = [rate, quote?.midRate].map((one) => one ?? { mantissa: 0n, scale: 0 });
      expect(market).toEqual({ mantissa: (ours?.mantissa ?? 0n) + 1n, scale: ours?.scale });
      expect((await fx.getRate({ ...pair, sourceCurrency: "USD" })).rate).toEqual({ mantissa: 1n, scale: 0 });
    });

    it("refuses what is no currency, and money without a rate", async () => {
      await expect(fx.getRate({ sourceCurrency: "usd", destinationCurrency: "USD" })).rejects.toEqual(
        refusal("INVALID_ARGUMENT"),
      );
      await expect(fx.getRate({ sourceCurrency: "ZZZ", destinationCurrency: "USD" })).rejects.toEqual(
        refusal("NO_ROUTE"),
      );
    });
  });

  describe("the store", () => {
    it("keeps quotes over a restart", async () => {
      const quote = await newQuote();

      await stopServices();
      fx = await start();

      expect(await use(quote.quoteId)).toEqual({ quote });
    });

    it("forgets a quote 30 days after it expired", async () => {
      const { quoteId } = await newQuote();
      const database = store.database("fx");
      const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
      const quotes = mongo.connection.collection<{ _id: string; purgeAt: Date }>("quotes");

      const found = await quotes.findOne({ _id: quoteId });

      expect(found?.purgeAt).toEqual(plusMs(startedAt, 900_000 + 30 * 86_400_000));
      expect(await quotes.indexes()).toContainEqual(
        expect.objectContaining({ key: { purgeAt: 1 }, expireAfterSeconds: 0 }),
      );
      await mongo.stop();
    });
  });

  describe("in production", () => {
    const production = {
      PROFILE: "production",
      GRPC_PORT: "0",
      MONGODB_URI: "mongodb://127.0.0.1/",
      MONGODB_DATABASE: "fx",
      SCHEMA_TARGET: "dns:schema:50051",
      WALLET_TARGET: "dns:wallet:50051",
      PAYMENT_TARGET: "dns:payment:50051",
    };

    it.each([
      ["without a source of rates", {}, "FX_RATES_URL is required"],
      [
        "with one in plain text",
        { FX_RATES_URL: "http://rates.example.com/usd.json" },
        "must have addresses with scheme https",
      ],
    ])("does not start %s", (_case, rates, problem) => {
      expect(() => readFxConfig({ ...production, ...rates })).toThrow(problem);
    });

    it.each([
      ["one in plain text beside another", "https://a.example.com/x http://b.example.com/x", "with scheme https"],
      ["one twice", "https://a.example.com/x https://a.example.com/y", "must name each source once"],
      ["what is no address", "ftp://a.example.com", "must be 1 to 9 addresses"],
      ["nothing", " ", "must be 1 to 9 addresses"],
    ])("does not start with %s", (_case, sources, problem) => {
      expect(() => readFxConfig({ ...production, FX_RATES_URL: sources })).toThrow(problem);
    });

    it("takes reference rates over TLS alone, in the sandbox profile too", () => {
      const sources = { FX_RATES_URL: "https://a.example.com/x", FX_REFERENCE_URL: "http://b.example.com/ecb.xml" };

      for (const PROFILE of ["production", "sandbox"]) {
        expect(() => readFxConfig({ ...production, ...sources, PROFILE })).toThrow("FX_REFERENCE_URL must be a URL");
      }
      expect(readFxConfig({ ...production, ...sources, PROFILE: "local" })).toMatchObject({ PROFILE: "local" });
    });

    it("takes sources over TLS, by name or by host", () => {
      const FX_RATES_URL = "bank=https://rates.example.com/usd.json?key=a=b https://rates.example.com/usd.json";

      expect(readFxConfig({ ...production, FX_RATES_URL }).FX_RATES_URL).toEqual([
        { source: "bank", url: "https://rates.example.com/usd.json?key=a=b" },
        { source: "rates.example.com", url: "https://rates.example.com/usd.json" },
      ]);
    });
  });
});

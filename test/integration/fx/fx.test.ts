import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FxServiceService, type Quote } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { startFx } from "../../../services/fx/app";
import { readFxConfig } from "../../../services/fx/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { plusMs } from "../../../services/shared/clock";
import { systemIds } from "../../../services/shared/ids";
import type { Running } from "../../../services/shared/lifecycle";
import { openMongo } from "../../../services/shared/mongo";
import type { Rpc } from "../../../services/shared/rpc";
import { makeRpcClient } from "../../../services/shared/rpc-client";
import { noTracing } from "../../../services/shared/tracing";
import { startTestStore, type TestStore } from "../../support/ground";

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
  const claim = (quoteId: string, paymentId: string) => fx.claimQuote({ tenant, quoteId, paymentId });
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
    const use = async (quoteId: string) => (await fx.getQuote({ tenant, quoteId })).detail?.use;

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

    it("tells an open quote from an expired and a used one, whose payment it names", async () => {
      const [open, taken] = await Promise.all([newQuote(), newQuote()]);
      const paymentId = systemIds.uuid();
      await claim(taken.quoteId, paymentId);

      expect(await use(open.quoteId)).toBe("OPEN");
      now = plusMs(startedAt, 900_000);
      expect(await use(open.quoteId)).toBe("EXPIRED");
      expect((await fx.getQuote({ tenant, quoteId: taken.quoteId })).detail).toMatchObject({ use: "USED", paymentId });
    });

    it("knows no other tenant's quote", async () => {
      const { quoteId } = await newQuote();

      await expect(fx.getQuote({ tenant: "other", quoteId })).rejects.toEqual(refusal("QUOTE_NOT_FOUND"));
      await expect(fx.getQuote({ tenant, quoteId: systemIds.uuid() })).rejects.toEqual(refusal("QUOTE_NOT_FOUND"));
    });
  });

  describe("claimQuote", () => {
    it("answers the quote, and the same to the same payment again, also after its time", async () => {
      const quote = await newQuote();
      const paymentId = systemIds.uuid();

      expect(await claim(quote.quoteId, paymentId)).toEqual({ quote });
      now = plusMs(startedAt, 3_600_000);
      expect(await claim(quote.quoteId, paymentId)).toEqual({ quote });
    });

    it("refuses another payment, another tenant and an unknown quote alike", async () => {
      const { quoteId } = await newQuote();
      await claim(quoteId, systemIds.uuid());
      const { quoteId: free } = await newQuote();
      const paymentId = systemIds.uuid();

      const attempts = await Promise.allSettled([
        claim(quoteId, paymentId),
        fx.claimQuote({ tenant: "other", quoteId: free, paymentId }),
        claim(systemIds.uuid(), paymentId),
      ]);

      for (const attempt of attempts) {
        expect(attempt).toMatchObject({
          reason: { reason: "QUOTE_UNUSABLE", message: "the quote is unknown or already used" },
        });
      }
    });

    it("lives until its last millisecond and no longer", async () => {
      const [live, late] = await Promise.all([newQuote(), newQuote()]);

      now = plusMs(startedAt, 899_999);
      await expect(claim(live.quoteId, systemIds.uuid())).resolves.toBeDefined();
      now = plusMs(startedAt, 900_000);
      await expect(claim(late.quoteId, systemIds.uuid())).rejects.toEqual(refusal("QUOTE_EXPIRED"));
    });

    it("lets one of 64 payments win", async () => {
      const { quoteId } = await newQuote();
      const payments = Array.from({ length: 64 }, () => systemIds.uuid());

      const attempts = await Promise.allSettled(payments.map((paymentId) => claim(quoteId, paymentId)));

      const won = payments.filter((_payment, index) => attempts[index]?.status === "fulfilled");
      expect(won).toHaveLength(1);
      const lost = attempts.filter((attempt) => attempt.status === "rejected");
      expect(lost.map(({ reason }): unknown => reason)).toEqual(
        Array.from({ length: 63 }, () => refusal("QUOTE_UNUSABLE")),
      );
      await expect(claim(quoteId, won[0] ?? "")).resolves.toBeDefined();
    });

    it("gives 32 calls of one payment the same quote", async () => {
      const quote = await newQuote();
      const paymentId = systemIds.uuid();

      const answers = await Promise.all(Array.from({ length: 32 }, () => claim(quote.quoteId, paymentId)));

      expect(new Set(answers.map((answer) => JSON.stringify(answer.quote?.expiresAt)))).toHaveProperty("size", 1);
      expect(answers[31]).toEqual({ quote });
    });
  });

  describe("releaseQuote", () => {
    it("frees the quote for another payment, as often as it is called", async () => {
      const { quoteId } = await newQuote();
      const paymentId = systemIds.uuid();
      await claim(quoteId, paymentId);

      await fx.releaseQuote({ tenant, quoteId, paymentId });
      await fx.releaseQuote({ tenant, quoteId, paymentId });

      const next = systemIds.uuid();
      await expect(claim(quoteId, next)).resolves.toBeDefined();
      await fx.releaseQuote({ tenant, quoteId, paymentId });
      await expect(claim(quoteId, paymentId)).rejects.toEqual(refusal("QUOTE_UNUSABLE"));
    });

    it("changes nothing for a payment or a tenant that does not hold the quote", async () => {
      const { quoteId } = await newQuote();
      const paymentId = systemIds.uuid();
      await claim(quoteId, paymentId);

      await fx.releaseQuote({ tenant, quoteId, paymentId: systemIds.uuid() });
      await fx.releaseQuote({ tenant: "other", quoteId, paymentId });

      await expect(claim(quoteId, systemIds.uuid())).rejects.toEqual(refusal("QUOTE_UNUSABLE"));
    });
  });

  describe("the store", () => {
    it("keeps quotes and claims over a restart", async () => {
      const [held, free] = await Promise.all([newQuote(), newQuote()]);
      const paymentId = systemIds.uuid();
      await claim(held.quoteId, paymentId);

      await stopServices();
      fx = await start();

      expect(await claim(held.quoteId, paymentId)).toEqual({ quote: held });
      expect(await claim(free.quoteId, systemIds.uuid())).toEqual({ quote: free });
      await expect(claim(held.quoteId, systemIds.uuid())).rejects.toEqual(refusal("QUOTE_UNUSABLE"));
    });

    it("forgets a free quote 30 days after it expired, and one that is held never", async () => {
      const { quoteId } = await newQuote();
      const paymentId = systemIds.uuid();
      const database = store.database("fx");
      const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
      const quotes = mongo.connection.collection<{ _id: string; purgeAt: Date | null }>("quotes");
      const purgeAt = async () => (await quotes.findOne({ _id: quoteId }))?.purgeAt;
      const thirtyDaysOn = plusMs(startedAt, 900_000 + 30 * 86_400_000);

      expect(await purgeAt()).toEqual(thirtyDaysOn);
      await claim(quoteId, paymentId);
      expect(await purgeAt()).toBeNull();
      await fx.releaseQuote({ tenant, quoteId, paymentId });
      expect(await purgeAt()).toEqual(thirtyDaysOn);
      expect(await quotes.indexes()).toContainEqual(
        expect.objectContaining({ key: { purgeAt: 1 }, expireAfterSeconds: 0 }),
      );
      await mongo.stop();
    });
  });
});

import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { Sandbox } from "../../../sandbox/app";
import { startFx } from "../../../services/fx/app";
import { readFxConfig } from "../../../services/fx/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import type { Clock } from "../../../services/shared/kernel/clock";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { until } from "../../support/platform-client";
import { requireTrueSchemas } from "../../support/stored-documents";
import { type AccessWorld, makeTenant, operatorToken, startAccessWorld } from "../access/access-world";
import { type HttpAnswer, httpCall } from "../gateway/http-call";
import { call, startWorld } from "../sandbox/outside-world";

const bobToken = "another-token-of-at-least-32-characters";
const tenant = makeTenant("demo");

describe("rates of live sources", () => {
  let outside: Sandbox;
  let world: AccessWorld;
  let schema: Running & { port: number };
  let running: Running[] = [];
  let ports: { rest: number; operator: number };
  let authorization: string;
  let fx: Rpc<typeof FxServiceService>;
  let count = 0;

  const market = (...sources: string[]): string =>
    sources.map((source) => `${source}=${outside.url}/market/${source}/latest.json`).join(" ");
  const clientOf = (port: number): Rpc<typeof FxServiceService> => {
    const target = `ipv4:127.0.0.1:${port}`;
    const client = makeRpcClient(FxServiceService, {
      target,
      tls: undefined,
      timeoutMs: 20_000,
      retryable: [],
      tracing: noTracing,
    });
    running.push(client);
    return client;
  };
  const startReplica = async (database: string, changes: Record<string, string>, clock?: Clock): Promise<number> => {
    const config = readFxConfig({
      PROFILE: "local",
      LOG_LEVEL: "error",
      GRPC_PORT: "0",
      MONGODB_URI: world.testbed.mongoUri,
      MONGODB_DATABASE: world.testbed.database(database),
      SCHEMA_TARGET: `ipv4:127.0.0.1:${schema.port}`,
      FX_RATES_REFRESH_SECONDS: "1",
      ...changes,
    });
    const service = await startFx(config, clock === undefined ? {} : { clock });
    running.push(service);
    return service.port;
  };
  const openDoors = async (fxPort: number): Promise<typeof ports> => {
    const gateway = await world.startGateway({
      FX_TARGET: `ipv4:127.0.0.1:${fxPort}`,
      OPERATOR_FOUR_EYES: "on",
      OPERATOR_TOKENS_FILE: world.file("two", `ada ${operatorToken}\nbob ${bobToken}\n`),
    });
    return { rest: gateway.port ?? 0, operator: gateway.operatorPort ?? 0 };
  };
  /** A new fx service with a store of its own, which reads these sources, and a gateway before it. */
  const start = async (changes: Record<string, string>): Promise<string> => {
    const database = `fx-rates-${++count}`;
    const port = await startReplica(database, changes);
    fx = clientOf(port);
    ports = await openDoors(port);
    return database;
  };
  const lie = async (source: string, how: object): Promise<void> => {
    expect((await call("PUT", `${outside.url}/market/${source}`, how)).status).toBe(200);
  };
  /** Asks again while a service that has just started, or a busy machine, is not ready to answer. */
  const answered = (ask: () => Promise<HttpAnswer>): Promise<HttpAnswer> => until(ask, ({ status }) => status !== 503);
  const quote = (destinationCurrencyCode: string, sourceCurrencyCode = "USD", port = ports.rest): Promise<HttpAnswer> =>
    answered(() =>
      httpCall(port, "/v2/foreign-exchange", {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ sourceCurrencyCode, destinationCurrencyCode, paymentMethod: "BANK_ACCOUNT" }),
      }),
    );
  const rateOf = (answer: HttpAnswer): number => Number(Object(answer.json).conversionRate);
  const eventually = (ask: () => Promise<HttpAnswer>, isIt: (answer: HttpAnswer) => boolean): Promise<HttpAnswer> =>
    until(ask, isIt);
  const refusedFor = (words: string) => (answer: HttpAnswer) => answer.status === 400 && answer.text.includes(words);
  const operate = (method: string, path: string, fields?: Record<string, string>, token = operatorToken) => {
    const { approval, ...body } = fields ?? {};
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return answered(() =>
      httpCall(ports.operator, path, {
        method,
        headers: { ...headers, ...(approval === undefined ? {} : { "x-approval": approval }) },
        ...(fields === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  };
  interface Hold {
    holdId: string;
    reason: string;
    perUsd: string;
    readings: { perUsd: string }[];
  }
  const holdOf = async (currency: string): Promise<Hold> => {
    const { rates } = Object((await operate("GET", "/rates")).json) as { rates: { currency: string; hold: Hold }[] };
    const hold = rates.find((rate) => rate.currency === currency)?.hold;
    if (hold == null) throw new Error(`${currency} is not held`);
    return hold;
  };

  beforeAll(async () => {
    outside = await startWorld();
    world = await startAccessWorld({ tenants: [tenant] });
    schema = await startSchema(
      readSchemaConfig({
        PROFILE: "local",
        LOG_LEVEL: "error",
        GRPC_PORT: "0",
        MONGODB_URI: world.testbed.mongoUri,
        MONGODB_DATABASE: world.testbed.database("schema"),
      }),
    );
    authorization = `Bearer ${await world.tokenOf(tenant, "fx")}`;
  });
  afterEach(async () => {
    await Promise.all(running.map((part) => part.stop()));
    running = [];
    const { mongoUri, database } = world.testbed;
    await requireTrueSchemas({ mongoUri, database: () => database(`fx-rates-${count}`) }, ["fx"]);
    await call("DELETE", `${outside.url}/faults`);
    for (const source of ["alpha", "beta", "gamma", "reference"]) await lie(source, {});
  });
  afterAll(async () => {
    await schema.stop();
    await world.stop();
    await outside.stop();
  });

  it("are the median of three, which one that lies does not move, and every source's word stays with the quote", async () => {
    await start({ FX_RATES_URL: market("alpha", "beta", "gamma") });
    const before = await quote("BRL");
    await lie("beta", { factors: { BRL: 3 } });
    const detailOf = async (answer: HttpAnswer) =>
      (await fx.getQuote({ tenant: "demo", quoteId: String(Object(answer.json).fxId) })).detail;
    const told = (answer: Awaited<ReturnType<typeof detailOf>>): string[] =>
      answer?.legs.flatMap(({ readings }) => readings.map(({ perUsd }) => perUsd)) ?? [];

    const detail = await until(
      async () => detailOf(await quote("BRL")),
      (found) => new Set(told(found)).size === 2,
    );

    expect(rateOf(await quote("BRL"))).toBe(rateOf(before));
    const [one, two, three] = told(detail).map(Number);
    expect([one, two]).toEqual([three, (three ?? 0) * 3]);
    expect(detail).toMatchObject({
      rateSource: "alpha beta gamma",
      rateSnapshot: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      legs: [{ currency: "BRL", readings: [{ source: "alpha" }, { source: "beta" }, { source: "gamma" }] }],
    });
  });

  it("are held when they jump, until two operators agree what is true; other pairs and what is promised go on", async () => {
    await start({ FX_RATES_URL: market("alpha") });
    const promised = await quote("BRL");
    const named = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "BANK_ACCOUNT" };
    const pay = () =>
      fx.quotePayment({
        ...named,
        destinationCountry: "BRA",
        quoteId: String(Object(promised.json).fxId),
        isPreview: false,
      });
    await lie("alpha", { factors: { BRL: 1.1 } });

    const refused = await eventually(() => quote("BRL"), refusedFor("the rate of BRL is held: it has moved too far"));
    expect(refused).toMatchObject({ status: 400, json: { code: "PAY_001" } });
    expect(await quote("USD", "BRL")).toMatchObject({ status: 400, json: { code: "PAY_001" } });
    expect((await quote("MXN")).status).toBe(200);
    expect(await pay()).toMatchObject({ quote: { quoteId: Object(promised.json).fxId } });
    expect((await fx.getRate(named)).rate?.mantissa).toBeGreaterThan(0n);
    // The source is mended, and still a person has to say so.
    await lie("alpha", {});
    const hold = await until(
      () => holdOf("BRL"),
      ({ readings }) => Number(readings[0]?.perUsd) < 5.5,
    );
    expect(hold.reason).toBe("JUMP");

    const path = "/rates/BRL/release";
    const body = { holdId: hold.holdId, rate: hold.perUsd, note: "asked a dealer" };
    const approval = String(Object((await operate("POST", path, body)).json).approval);
    expect((await quote("BRL")).status).toBe(400);
    expect((await operate("POST", path, { ...body, approval })).status).toBe(409);
    expect((await operate("POST", path, { ...body, rate: "5.3", approval }, bobToken)).status).toBe(409);
    expect(await operate("POST", path, { ...body, approval }, bobToken)).toMatchObject({ status: 200 });
    expect((await operate("POST", path, { ...body, approval }, bobToken)).status).toBe(409);

    const again = await eventually(
      () => quote("BRL"),
      ({ status }) => status === 200,
    );
    expect(rateOf(again)).toBe(rateOf(promised));
  });

  it("are released near what a source says alone, by the hold that there is", async () => {
    await start({ FX_RATES_URL: market("alpha") });
    await lie("alpha", { factors: { BRL: 2 } });
    await eventually(() => quote("BRL"), refusedFor("held"));
    const { holdId, perUsd } = await holdOf("BRL");
    const decide = async (path: string, body: { holdId: string; rate: string; note: string }) => {
      const approval = String(Object((await operate("POST", path, body)).json).approval);
      return operate("POST", path, { ...body, approval }, bobToken);
    };
    const note = "a slip of the hand";

    for (const rate of ["5.2", "-10.4", "1e1", "0", "ten"]) {
      const answer = await decide("/rates/BRL/release", { holdId, rate, note });
      expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: [{ field: "rate" }] } });
    }
    expect((await decide("/rates/MXN/release", { holdId, rate: "17", note })).status).toBe(409);
    expect((await decide("/rates/XXX/release", { holdId, rate: perUsd, note })).status).toBe(404);
    expect((await decide("/rates/BRL/release", { holdId: "another", rate: perUsd, note })).status).toBe(409);
    expect((await operate("POST", "/rates/BRL/release", { holdId, rate: perUsd })).status).toBe(400);
    const misspelt = { holdId, rate: perUsd, note, autor: "bob" };
    expect((await operate("POST", "/rates/BRL/release", misspelt)).status).toBe(400);
    expect((await quote("BRL")).status).toBe(400);
    expect((await decide("/rates/BRL/release", { holdId, rate: perUsd, note })).status).toBe(200);
    expect(
      await eventually(
        () => quote("BRL"),
        ({ status }) => status === 200,
      ),
    ).toMatchObject({ status: 200 });
  });

  it("are held while two sources differ, and no longer", async () => {
    await start({ FX_RATES_URL: market("alpha", "beta") });
    expect((await quote("BRL")).status).toBe(200);
    await lie("beta", { inverted: ["BRL"] });

    const refused = await eventually(() => quote("BRL"), refusedFor("held: its sources disagree"));
    expect(refused).toMatchObject({ status: 400, json: { code: "PAY_001" } });
    await lie("beta", {});
    const again = await eventually(
      () => quote("BRL"),
      ({ status }) => status === 200,
    );
    expect(again.status).toBe(200);
  });

  it("are held when they are far from the reference rates, though nothing was accepted before", async () => {
    await lie("alpha", { inverted: ["BRL"] });
    await start({
      FX_RATES_URL: market("alpha"),
      FX_REFERENCE_URL: `${outside.url}/market/reference/eurofxref-daily.xml`,
    });

    expect(await quote("BRL")).toMatchObject({
      status: 400,
      json: { code: "PAY_001", message: "the rate of BRL is held: it is far from the reference rate" },
    });
    expect((await quote("MXN")).status).toBe(200);
  });

  const sixDays = 6 * 86_400;
  it.each<[string, object, string]>([
    ["of long ago", { staleSeconds: sixDays }, "no source has a rate for BRL"],
    ["of a time to come", { staleSeconds: -3_600 }, "no source has a rate for BRL"],
    ["of another base", { base: "EUR" }, "no source has a rate for BRL"],
    ["without the currency", { missing: ["BRL"] }, "no source has a rate for BRL"],
  ])("are none when they are %s: PAY_001 says so", async (_case, how, message) => {
    await lie("alpha", how);
    await start({ FX_RATES_URL: market("alpha") });

    expect(await quote("BRL")).toMatchObject({ status: 400, json: { code: "PAY_001", message } });
    expect((await quote("BRL", "BRL")).status).toBe(200);
    await lie("alpha", {});
    const served = await eventually(
      () => quote("BRL"),
      ({ status }) => status === 200,
    );
    expect(served.status).toBe(200);
  });

  it.each(["html", "empty", "truncated", "oversized", "reset"])("are none while a source answers %s", async (kind) => {
    await call("POST", `${outside.url}/faults`, { provider: "market", step: "alpha", answer: { kind } });
    await start({ FX_RATES_URL: market("alpha") });

    expect(await quote("BRL")).toMatchObject({ status: 400, json: { code: "PAY_001" } });
    const { sources } = Object((await operate("GET", "/rates")).json) as { sources: object[] };
    expect(sources).toEqual([{ source: "alpha", asOf: null, problem: expect.any(String) as unknown }]);
  });

  it("go out of date, and value by the reference rates from then on", async () => {
    const reference = `${outside.url}/market/reference/eurofxref-daily.xml`;
    const database = await start({ FX_RATES_URL: market("alpha"), FX_REFERENCE_URL: reference });
    expect((await quote("BRL")).status).toBe(200);
    const later = Date.now() + sixDays * 1_000;
    await lie("reference", { staleSeconds: -(sixDays - 2 * 86_400) });
    const port = await startReplica(
      database,
      { FX_RATES_URL: market("alpha"), FX_REFERENCE_URL: reference, FX_RATES_MAX_AGE_SECONDS: "3600" },
      { now: () => new Date(later) },
    );
    const { rest } = await openDoors(port);

    expect(await quote("BRL", "USD", rest)).toMatchObject({
      status: 400,
      json: { code: "PAY_001", message: "the rate of BRL is out of date" },
    });
    const valued = { sourceCurrency: "BRL", destinationCurrency: "USD" };
    expect((await clientOf(port).getRate(valued)).rate?.mantissa).toBeGreaterThan(0n);
    await expect(clientOf(port).getRate({ ...valued, sourceCurrency: "NGN" })).rejects.toMatchObject({
      reason: "NO_ROUTE",
    });
  });

  it("are the same at every replica, with their holds and releases, also after a restart without a source", async () => {
    const sources = { FX_RATES_URL: market("alpha") };
    const database = await start(sources);
    const one = ports;
    const { rest: other } = await openDoors(await startReplica(database, sources));
    await lie("alpha", { factors: { BRL: 1.5 } });
    for (const port of [one.rest, other]) {
      const refused = await eventually(() => quote("BRL", "USD", port), refusedFor("held"));
      expect(refused.status).toBe(400);
    }
    const { holdId, perUsd } = await holdOf("BRL");
    const body = { holdId, rate: perUsd, note: "devalued" };
    const approval = String(Object((await operate("POST", "/rates/BRL/release", body)).json).approval);
    const rivals = await Promise.all(
      [1, 2, 3].map(() => operate("POST", "/rates/BRL/release", { ...body, approval }, bobToken)),
    );
    expect(rivals.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const isServed = ({ status }: HttpAnswer): boolean => status === 200;
    const served = await Promise.all(
      [one.rest, other].map((port) => eventually(() => quote("BRL", "USD", port), isServed)),
    );
    expect(served.map(rateOf)).toEqual([rateOf(served[1] as HttpAnswer), rateOf(served[0] as HttpAnswer)]);

    await call("POST", `${outside.url}/faults`, { provider: "market", step: "alpha", answer: { kind: "html" } });
    const { rest } = await openDoors(await startReplica(database, sources));
    expect(rateOf(await quote("BRL", "USD", rest))).toBe(rateOf(served[0] as HttpAnswer));
  });
});

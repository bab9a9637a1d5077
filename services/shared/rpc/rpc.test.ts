import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelCredentials, Client, status } from "@grpc/grpc-js";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import { FxServiceService, type Quote } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { until } from "../../../test/support/platform-client";
import { activeTraceparent, makeTestTracing } from "../../../test/support/test-tracing";
import { DomainError } from "../kernel/errors";
import { money } from "../kernel/money";
import { type CallContext, currentCall, runInCall } from "../process/call-context";
import type { Logger } from "../process/logger";
import { type Metrics, makeMetrics } from "../process/metrics";
import { followCertificates, type RpcTls } from "../process/rpc-certificates";
import { formatTraceparent } from "../process/traceparent";
import { newTrace, noTracing } from "../process/tracing";
import type { Rpc } from "./rpc";
import { makeRpcClient, makeUnaryClient } from "./rpc-client";
import { toFailure } from "./rpc-errors";
import { type RpcServer, type RpcServerOptions, serveRpc } from "./rpc-server";

const lines: { level: string; fields: object; message: string }[] = [];
const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
const logger: Logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };

const quote: Quote = {
  quoteId: "q1",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  rate: { mantissa: 2n ** 62n + 1n, scale: 18 },
  midRate: undefined,
  expiresAt: new Date("2026-01-02T03:04:05.678Z"),
};

type Fx = Rpc<typeof FxServiceService>;
const refuse = () => Promise.reject(new Error("not served in this test"));
const handlers = (own: Partial<Fx>): Fx => ({
  createQuote: refuse,
  getQuote: refuse,
  listQuotes: refuse,
  quotePayment: refuse,
  getRate: async () => ({ rate: undefined }),
  ...own,
});

type Transport = "stream" | "unary";

/** Returns how many calls have used this transport. */
async function callsBy(transport: Transport, { registry }: Metrics): Promise<number> {
  const found = await registry.getSingleMetric("corridor_rpc_calls_total")?.get();
  return found?.values.find(({ labels }) => labels["transport"] === transport)?.value ?? 0;
}

interface Served extends RpcServer {
  metrics: Metrics;
}

describe.each<Transport>(["unary", "stream"])("gRPC adapters, %s calls", (transport) => {
  const running: { stop(): Promise<void> }[] = [];
  const serve = async (own: Partial<Fx>, settings: Partial<RpcServerOptions> = {}): Promise<Served> => {
    const metrics = makeMetrics("test");
    const options = { address: "127.0.0.1:0", tls: undefined, logger, tracing: noTracing, metrics, ...settings };
    const server = await serveRpc(FxServiceService, handlers(own), options);
    running.push(server);
    return { ...server, metrics };
  };
  /** Connects a client whose calls to each of the servers use the transport under test. */
  const connect = async (servers: readonly Served[], tls?: RpcTls) => {
    const target = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
    const make = transport === "stream" ? makeRpcClient : makeUnaryClient;
    const retryable = ["quotePayment"] as const;
    const client = make(FxServiceService, { target, tls, timeoutMs: 20_000, retryable, tracing: noTracing });
    running.push(client);
    const counts = async (): Promise<number[]> => {
      await client.getRate(order);
      return Promise.all(servers.map(({ metrics }) => callsBy(transport, metrics)));
    };
    await until(counts, (each) => Math.min(...each) > 0);
    lines.length = 0;
    return client;
  };
  const order = {
    tenant: "demo",
    sourceCurrency: "USD",
    destinationCurrency: "BRL",
    paymentMethod: "CARD",
    destinationCountry: "BRA",
    quoteId: "q1",
    isPreview: false,
  };

  afterEach(async () => {
    lines.length = 0;
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  it("carries messages exactly", async () => {
    const client = await connect([await serve({ quotePayment: async () => ({ quote }) })]);

    expect(await client.quotePayment(order)).toEqual({ quote });
  });

  it("carries a refusal with reason, message, violations and details", async () => {
    const refusal = new DomainError("QUOTE_MISMATCH", "rate differs", {
      violations: [{ field: "exchangeRate", message: "differs" }],
      details: { account: "wallet", available: money(543n, "USD"), required: money(600n, "USD") },
    });
    const client = await connect([await serve({ quotePayment: () => Promise.reject(refusal) })]);

    await expect(client.quotePayment(order)).rejects.toMatchObject({
      reason: "QUOTE_MISMATCH",
      message: "rate differs",
      violations: [{ field: "exchangeRate", message: "differs" }],
      details: { account: "wallet", available: money(543n, "USD"), required: money(600n, "USD") },
    });
  });

  it("carries any refusal in little metadata, however many and long the fields that callers named", async () => {
    const violations = Array.from({ length: 500 }, (_, index) => ({
      field: `${"漢".repeat(60)}${index}`,
      message: "is wrong",
    }));
    const refusal = new DomainError("INVALID_ARGUMENT", "漢".repeat(5_000), {
      violations,
      details: { fields: ["漢".repeat(5_000)] },
    });
    const own = { quotePayment: () => Promise.reject(refusal), createQuote: async () => ({ quote }) };
    const client = await connect([await serve(own)]);

    expect(toFailure(refusal).body.length).toBeLessThanOrEqual(4_096);
    const refused = await client.quotePayment(order).catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", violations: expect.arrayContaining([violations[0]]) });
    const pair = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "WALLET" };
    expect(await client.createQuote(pair)).toEqual({ quote });
  });

  it("reveals nothing about a bug to callers", async () => {
    const quotePayment = () => Promise.reject(new TypeError("secret of the inside"));
    const client = await connect([await serve({ quotePayment })]);

    await expect(client.quotePayment(order)).rejects.toMatchObject({ reason: "INTERNAL", message: "internal error" });
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("passes request id, trace and deadline on, keeping a margin for itself", async () => {
    const seen: (CallContext | undefined)[] = [];
    const quotePayment = async () => {
      seen.push(currentCall());
      return { quote };
    };
    const client = await connect([await serve({ quotePayment })]);
    const traceparent = formatTraceparent({ ...newTrace(), sampled: true });
    const deadlineMs = Date.now() + 10_000;

    await client.quotePayment(order);
    for (let time = 0; time < 5; time += 1)
      await runInCall({ requestId: "r-1", traceparent, deadlineMs }, () => client.quotePayment(order));

    const [other, ...given] = seen;
    expect(given).toMatchObject(given.map(() => ({ requestId: "r-1", traceparent })));
    // The time that a call has been travelling is added to its own deadline.
    const earliestMs = Math.min(...given.map((call) => call?.deadlineMs ?? 0));
    expect(earliestMs).toBeGreaterThan(deadlineMs - 120);
    expect(earliestMs).toBeLessThan(deadlineMs);
    expect(other?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(other?.traceparent).toBeUndefined();
  });

  it("is a span that any library in its handler finds", async () => {
    const seen: [string | undefined, string | undefined][] = [];
    const tracing = makeTestTracing();
    const quotePayment = async () => {
      seen.push([await activeTraceparent(), currentCall()?.traceparent]);
      return { quote };
    };
    const client = await connect([await serve({ quotePayment }, { tracing })]);
    const traceparent = formatTraceparent({ ...newTrace(), sampled: true });

    await runInCall({ requestId: "r-1", traceparent }, () => client.quotePayment(order));

    const [[found, own] = []] = seen;
    expect(found).toBe(own);
    expect(found?.slice(0, 35)).toBe(traceparent.slice(0, 35));
    expect(found).not.toBe(traceparent);
  });

  it("gives up at the deadline", async () => {
    const late: (() => void)[] = [];
    const quotePayment = () => new Promise<{ quote: Quote }>((resolve) => late.push(() => resolve({ quote })));
    const client = await connect([await serve({ quotePayment })]);
    const call = (leftMs: number) =>
      runInCall({ requestId: "r", deadlineMs: Date.now() + leftMs }, () => client.quotePayment(order));

    await expect(call(1_000)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(call(50)).rejects.toMatchObject({ reason: "UNAVAILABLE" });

    expect(late).toHaveLength(1);
    for (const answer of late) answer();
  });

  it("spreads calls over all addresses of a target", async () => {
    const counts = [0, 0, 0];
    const servers = await Promise.all(
      counts.map((_, index) =>
        serve({
          quotePayment: async () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return { quote };
          },
        }),
      ),
    );
    const client = await connect(servers);

    await Promise.all(Array.from({ length: 30 }, () => client.quotePayment(order)));

    expect(counts).toEqual([10, 10, 10]);
  });

  it("sends a keyed call again when the peer is away, and no other", async () => {
    let calls = 0;
    const unavailable = async () => {
      calls += 1;
      throw new DomainError("UNAVAILABLE", "not now");
    };
    const client = await connect([await serve({ quotePayment: unavailable, createQuote: unavailable })]);

    await expect(client.quotePayment(order)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    const afterKeyed = calls;
    const pair = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "WALLET" };
    await expect(client.createQuote(pair)).rejects.toMatchObject({ reason: "UNAVAILABLE" });

    expect(afterKeyed).toBeGreaterThan(1);
    expect(calls - afterKeyed).toBe(1);
  });

  it("lets running calls end before it stops, and writes one log line a call", async () => {
    let finish = (): void => {};
    const started = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const server = await serve({
      quotePayment: async () => {
        finish();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { quote };
      },
    });
    const client = await connect([server]);
    const answer = client.quotePayment(order);
    await started;

    await server.stop();

    expect(await answer).toEqual({ quote });
    expect(lines.filter(({ message }) => message === "rpc")).toHaveLength(1);
    running.shift();
  });

  it("asks both sides for a certificate when TLS is configured", async () => {
    const dir = mkdtempSync(join(tmpdir(), "corridor-rpc-"));
    await ensureLocalCa(dir);
    const { caFile, certFile, keyFile } = await issueCertificate(dir, "corridor-payment");
    const ca = readFileSync(caFile);
    const tls = followCertificates({ ca: caFile, certificate: certFile, key: keyFile }, () => {});
    running.push(tls);
    const server = await serve({ quotePayment: async () => ({ quote }) }, { tls });
    const known = await connect([server], tls);
    const target = `ipv4:127.0.0.1:${server.port}`;
    const options = { target, tls: undefined, timeoutMs: 2_000, retryable: [], tracing: noTracing };
    const plain = makeRpcClient(FxServiceService, options);
    const anonymous = new Client(`127.0.0.1:${server.port}`, ChannelCredentials.createSsl(ca));
    const { path, requestSerialize, responseDeserialize } = FxServiceService.quotePayment;
    const refused = new Promise((resolve) => {
      const deadline = Date.now() + 2_000;
      anonymous.makeUnaryRequest(path, requestSerialize, responseDeserialize, order, { deadline }, (error) =>
        resolve(error?.code),
      );
    });

    expect(await known.quotePayment(order)).toEqual({ quote });
    await expect(plain.quotePayment(order)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    expect(await refused).toBe(status.UNAVAILABLE);
    anonymous.close();
    await plain.stop();
    rmSync(dir, { recursive: true });
  });

  it("refuses calls above the limit of calls at once, and counts them", async () => {
    let finish = (): void => {};
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const quotePayment = async () => {
      await gate;
      return { quote };
    };
    const server = await serve({ quotePayment }, { maxInFlight: 2 });
    const client = await connect([server]);
    const inFlight = async () =>
      (await server.metrics.registry.getSingleMetric("corridor_rpc_in_flight")?.get())?.values;

    const accepted = [client.quotePayment(order), client.quotePayment(order)];
    await until(inFlight, (values) => values?.[0]?.value === 2);
    await expect(client.getQuote(order)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    finish();

    expect(await Promise.all(accepted)).toEqual([{ quote }, { quote }]);
    expect(await client.quotePayment(order)).toEqual({ quote });
    expect(await server.metrics.registry.getSingleMetricAsString("corridor_rpc_shed_total")).toMatch(/ 1$/);
  });

  it("refuses a message above 1 MiB in either direction, and goes on", async () => {
    const large = { ...quote, quoteId: "x".repeat(1024 * 1024) };
    const own = { quotePayment: async () => ({ quote }), createQuote: async () => ({ quote: large }) };
    const client = await connect([await serve(own)]);
    const pair = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "WALLET" };

    const request = client.quotePayment({ ...order, tenant: "x".repeat(1024 * 1024 + 1) });
    await expect(request).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    await expect(client.createQuote(pair)).rejects.toMatchObject({ reason: "INTERNAL" });
    expect(await client.quotePayment(order)).toEqual({ quote });
  });
});

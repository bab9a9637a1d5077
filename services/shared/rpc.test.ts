import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelCredentials, Client, status } from "@grpc/grpc-js";
import { ensureLocalCa, issueCertificate } from "../../local/local-ca";
import { FxServiceService, type Quote } from "../../proto/gen/corridor/fx/v1/fx_service";
import { currentCall, runInCall } from "./call-context";
import { DomainError } from "./errors";
import type { Logger } from "./logger";
import { makeMetrics } from "./metrics";
import { metadataKeys, type Rpc } from "./rpc";
import { followCertificates } from "./rpc-certificates";
import { makeRpcClient } from "./rpc-client";
import { toServiceError } from "./rpc-errors";
import { type RpcServer, serveRpc } from "./rpc-server";
import { noTracing } from "./tracing";

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
  claimQuote: refuse,
  releaseQuote: refuse,
  ...own,
});

describe("gRPC adapters", () => {
  const running: { stop(): Promise<void> }[] = [];
  const serve = async (own: Partial<Fx>): Promise<RpcServer> => {
    const options = {
      address: "127.0.0.1:0",
      tls: undefined,
      logger,
      tracing: noTracing,
      metrics: makeMetrics("test"),
    };
    const server = await serveRpc(FxServiceService, handlers(own), options);
    running.push(server);
    return server;
  };
  const connect = (...servers: RpcServer[]) => {
    const target = `ipv4:${servers.map(({ port }) => `127.0.0.1:${port}`).join(",")}`;
    const retryable = ["claimQuote"] as const;
    const client = makeRpcClient(FxServiceService, {
      target,
      tls: undefined,
      timeoutMs: 1_000,
      retryable,
      tracing: noTracing,
    });
    running.push(client);
    return client;
  };
  const claim = { tenant: "demo", quoteId: "q1", paymentId: "p1" };

  afterEach(async () => {
    lines.length = 0;
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  it("carries messages exactly", async () => {
    const client = connect(await serve({ claimQuote: async () => ({ quote }) }));

    expect(await client.claimQuote(claim)).toEqual({ quote });
  });

  it("carries a refusal with reason, message, violations and details", async () => {
    const refusal = new DomainError("QUOTE_MISMATCH", "rate differs", {
      violations: [{ field: "exchangeRate", message: "differs" }],
      details: { expected: "5.43" },
    });
    const client = connect(await serve({ claimQuote: () => Promise.reject(refusal) }));

    await expect(client.claimQuote(claim)).rejects.toMatchObject({
      reason: "QUOTE_MISMATCH",
      message: "rate differs",
      violations: [{ field: "exchangeRate", message: "differs" }],
      details: { expected: "5.43" },
    });
  });

  it("carries any refusal in little metadata, however many and long the fields that callers named", async () => {
    const violations = Array.from({ length: 500 }, (_, index) => ({
      field: `${"漢".repeat(60)}${index}`,
      message: "is wrong",
    }));
    const refusal = new DomainError("INVALID_ARGUMENT", "漢".repeat(5_000), {
      violations,
      details: { long: "漢".repeat(5_000) },
    });
    const client = connect(
      await serve({ claimQuote: () => Promise.reject(refusal), createQuote: async () => ({ quote }) }),
    );

    const [entry] = toServiceError(refusal).metadata?.get(metadataKeys.error) ?? [];
    expect(entry?.length).toBeLessThanOrEqual(4_096);
    const refused = await client.claimQuote(claim).catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: "INVALID_ARGUMENT", violations: expect.arrayContaining([violations[0]]) });
    const order = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "WALLET" };
    expect(await client.createQuote(order)).toEqual({ quote });
  });

  it("tells callers nothing of a bug but that there is one", async () => {
    const client = connect(await serve({ claimQuote: () => Promise.reject(new TypeError("secret of the inside")) }));

    await expect(client.claimQuote(claim)).rejects.toMatchObject({ reason: "INTERNAL", message: "internal error" });
    expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("passes request id and deadline on, keeping a margin for itself", async () => {
    const seen: unknown[] = [];
    const server = await serve({
      claimQuote: async () => {
        seen.push(currentCall());
        return { quote };
      },
    });
    const deadlineMs = Date.now() + 500;

    await runInCall({ requestId: "r-1", deadlineMs }, () => connect(server).claimQuote(claim));

    expect(seen).toMatchObject([{ requestId: "r-1" }]);
    const [{ deadlineMs: passedOn }] = seen as [{ deadlineMs: number }];
    expect(Math.abs(passedOn - (deadlineMs - 100))).toBeLessThan(20);
  });

  it("gives up at the deadline", async () => {
    const slow = () => new Promise<{ quote: Quote }>((resolve) => setTimeout(() => resolve({ quote }), 400));
    const server = await serve({ claimQuote: slow });
    const call = runInCall({ requestId: "r", deadlineMs: Date.now() + 250 }, () => connect(server).claimQuote(claim));

    await expect(call).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("spreads calls over all addresses of a target", async () => {
    const counts = [0, 0, 0];
    const servers = await Promise.all(
      counts.map((_, index) =>
        serve({
          claimQuote: async () => {
            counts[index] = (counts[index] ?? 0) + 1;
            return { quote };
          },
        }),
      ),
    );
    const client = connect(...servers);
    await client.claimQuote(claim);
    await new Promise((resolve) => setTimeout(resolve, 100));

    await Promise.all(Array.from({ length: 30 }, () => client.claimQuote(claim)));

    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5);
  });

  it("sends a keyed call again when the peer is away, and no other", async () => {
    let calls = 0;
    const unavailable = async () => {
      calls += 1;
      throw new DomainError("UNAVAILABLE", "not now");
    };
    const client = connect(await serve({ claimQuote: unavailable, createQuote: unavailable }));

    await expect(client.claimQuote(claim)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    const afterKeyed = calls;
    const order = { tenant: "demo", sourceCurrency: "USD", destinationCurrency: "BRL", paymentMethod: "WALLET" };
    await expect(client.createQuote(order)).rejects.toMatchObject({ reason: "UNAVAILABLE" });

    expect(afterKeyed).toBeGreaterThan(1);
    expect(calls - afterKeyed).toBe(1);
  });

  it("lets running calls end before it stops, and writes one log line a call", async () => {
    let finish = (): void => {};
    const started = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const server = await serve({
      claimQuote: async () => {
        finish();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { quote };
      },
    });
    const answer = connect(server).claimQuote(claim);
    await started;

    await server.stop();

    expect(await answer).toEqual({ quote });
    expect(lines.filter(({ message }) => message === "rpc")).toHaveLength(1);
    running.splice(0, 1);
  });

  it("asks both sides for a certificate when TLS is configured", async () => {
    const dir = mkdtempSync(join(tmpdir(), "corridor-rpc-"));
    await ensureLocalCa(dir);
    const { caFile, certFile, keyFile } = await issueCertificate(dir, "corridor-payment");
    const ca = readFileSync(caFile, "utf8");
    const tls = followCertificates({ ca: caFile, certificate: certFile, key: keyFile }, () => {});
    const common = { logger, tracing: noTracing, metrics: makeMetrics("tls") };
    const own = handlers({ claimQuote: async () => ({ quote }) });
    const server = await serveRpc(FxServiceService, own, { ...common, address: "127.0.0.1:0", tls });
    const open = (credentials: typeof tls | undefined) => {
      const target = `ipv4:127.0.0.1:${server.port}`;
      const options = { target, tls: credentials, timeoutMs: 2_000, retryable: [], tracing: noTracing };
      return makeRpcClient(FxServiceService, options);
    };
    const [known, plain] = [open(tls), open(undefined)];
    const anonymous = new Client(`127.0.0.1:${server.port}`, ChannelCredentials.createSsl(Buffer.from(ca)));
    const { path, requestSerialize, responseDeserialize } = FxServiceService.claimQuote;
    const refused = new Promise((resolve) => {
      const deadline = Date.now() + 2_000;
      anonymous.makeUnaryRequest(path, requestSerialize, responseDeserialize, claim, { deadline }, (error) =>
        resolve(error?.code),
      );
    });

    expect(await known.claimQuote(claim)).toEqual({ quote });
    await expect(plain.claimQuote(claim)).rejects.toMatchObject({ reason: "UNAVAILABLE" });
    expect(await refused).toBe(status.UNAVAILABLE);
    anonymous.close();
    for (const part of [known, plain, server, tls]) await part.stop();
    rmSync(dir, { recursive: true });
  });

  it("refuses a message above 1 MiB", async () => {
    const client = connect(await serve({ claimQuote: async () => ({ quote }) }));

    await expect(client.claimQuote({ ...claim, tenant: "x".repeat(1024 * 1024 + 1) })).rejects.toBeInstanceOf(
      DomainError,
    );
  });
});

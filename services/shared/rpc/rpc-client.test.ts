import { connect as connectSocket, createServer, type Socket } from "node:net";
import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { until } from "../../../test/support/platform-client";
import { makeLogger } from "../process/logger";
import { type Metrics, makeMetrics } from "../process/metrics";
import { noTracing } from "../process/tracing";
import { type Rpc, sameBytes } from "./rpc";
import { makeRpcClient } from "./rpc-client";
import { type RpcServer, serveRpc } from "./rpc-server";

type Fx = Rpc<typeof FxServiceService>;

const { path: getQuotePath } = FxServiceService.getQuote;
const ask = {
  tenant: "demo",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "CARD",
  destinationCountry: "BRA",
  quoteId: "q1",
  isPreview: false,
};
const nothing = { quote: undefined, detail: undefined };
const empty = Buffer.alloc(0);

describe("a client", () => {
  const running: { stop(): unknown }[] = [];

  const serve = async (own: Partial<Fx>): Promise<RpcServer & { metrics: Metrics }> => {
    const metrics = makeMetrics("test");
    const getQuote = async () => nothing;
    const handlers = {
      getQuote,
      createQuote: getQuote,
      quotePayment: getQuote,
      getRate: async () => ({ rate: undefined }),
      listQuotes: async () => ({ quotes: [], next: undefined }),
      ...own,
    };
    const options = { tls: undefined, logger: makeLogger("test", "error"), tracing: noTracing, metrics };
    const server = await serveRpc(FxServiceService, handlers, { ...options, address: `127.0.0.1:0` });
    running.push(server);
    return { ...server, metrics };
  };
  const callsBy = async (transport: string, { registry }: Metrics): Promise<number> => {
    const found = await registry.getSingleMetric("corridor_rpc_calls_total")?.get();
    return found?.values.find(({ labels }) => labels["transport"] === transport)?.value ?? 0;
  };
  const connect = (target: string) => {
    const options = { target, tls: undefined, timeoutMs: 5_000, tracing: noTracing };
    const client = makeRpcClient(FxServiceService, { ...options, retryable: ["quotePayment"] });
    running.push(client);
    return client;
  };
  /** Waits until the client's calls use streams to all of these servers. */
  const warm = async (client: Fx, servers: readonly { metrics: Metrics }[]): Promise<void> => {
    const counts = async (): Promise<number[]> => {
      await client.getRate(ask).catch(() => {});
      return Promise.all(servers.map(({ metrics }) => callsBy("stream", metrics)));
    };
    await until(counts, (each) => Math.min(...each) > 0);
  };

  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
  });

  it("sends a large request as a call of its own, and the next one on the stream again", async () => {
    const server = await serve({});
    const client = connect(`ipv4:127.0.0.1:${server.port}`);
    await warm(client, [server]);
    const [unary, onStream] = [await callsBy("unary", server.metrics), await callsBy("stream", server.metrics)];

    await client.getQuote({ ...ask, quoteId: "x".repeat(65 * 1024) });
    await client.getQuote({ ...ask, quoteId: "x".repeat(63 * 1024) });

    expect(await callsBy("unary", server.metrics)).toBe(unary + 1);
    expect(await callsBy("stream", server.metrics)).toBe(onStream + 1);
  });

  it("finds the replicas behind a name", async () => {
    const server = await serve({});
    const client = connect(`dns:///localhost:${server.port}`);

    await warm(client, [server]);

    expect(await client.getQuote(ask)).toEqual(nothing);
  });

  it("talks to a peer that serves no streams", async () => {
    const server = new Server();
    const answerEmpty: handleUnaryCall<Buffer, Buffer> = (_call, done) => done(null, empty);
    server.register(getQuotePath, answerEmpty, sameBytes, sameBytes, "unary");
    const port = await new Promise<number>((resolve) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_error, bound) => resolve(bound));
    });
    running.push({ stop: () => server.forceShutdown() });

    expect(await connect(`ipv4:127.0.0.1:${port}`).getQuote(ask)).toEqual(nothing);
  });

  it("fails a call at once when its connection breaks, sends a keyed one again, and opens a new stream", async () => {
    const calls = { getQuote: 0, quotePayment: 0 };
    const hangOnce = (name: keyof typeof calls) => () => {
      calls[name] += 1;
      return calls[name] === 1 ? new Promise<never>(() => {}) : Promise.resolve(nothing);
    };
    const server = await serve({ getQuote: hangOnce("getQuote"), quotePayment: hangOnce("quotePayment") });
    const wire = await openWire(server.port);
    running.push(wire);
    const client = connect(`ipv4:127.0.0.1:${wire.port}`);
    await warm(client, [server]);

    const plain = client.getQuote(ask).catch((error: unknown) => error);
    const keyed = client.quotePayment(ask);
    await until(
      async () => calls,
      (counts) => counts.getQuote === 1 && counts.quotePayment === 1,
    );
    const before = await callsBy("stream", server.metrics);
    wire.cut();

    expect(await plain).toMatchObject({ reason: "UNAVAILABLE" });
    expect(await keyed).toEqual(nothing);
    expect(calls).toEqual({ getQuote: 1, quotePayment: 2 });
    const again = async (): Promise<number> => {
      await client.getRate(ask);
      return callsBy("stream", server.metrics);
    };
    await until(again, (count) => count > before + 1);
  });

  it("loses no call, keyed or not, while one of two replicas stops", async () => {
    const getQuote = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return nothing;
    };
    const [first, second] = [await serve({ getQuote }), await serve({ getQuote })];
    const client = connect(`ipv4:127.0.0.1:${first.port},127.0.0.1:${second.port}`);
    await warm(client, [first, second]);
    let isOver = false;
    const work = async (): Promise<void> => {
      while (!isOver) await client.getQuote(ask);
    };
    const workers = Array.from({ length: 16 }, work);

    const stopped = await callsBy("stream", first.metrics);
    await until(
      () => callsBy("stream", first.metrics),
      (count) => count > stopped + 50,
    );
    await first.stop();
    running.shift();
    const left = await callsBy("stream", second.metrics);
    await until(
      () => callsBy("stream", second.metrics),
      (count) => count > left + 50,
    );
    isOver = true;

    await Promise.all(workers);
  });
});

/** Opens a connection that can be cut: everything that is sent to its port is forwarded to another one. */
async function openWire(to: number): Promise<{ port: number; cut(): void; stop(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connectSocket(to, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut,
    stop() {
      server.close();
      cut();
    },
  };
}

import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, status } from "@grpc/grpc-js";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import { FxServiceService } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { makeRpcClient } from "../rpc/rpc-client";
import { serveRpc } from "../rpc/rpc-server";
import type { Running } from "./lifecycle";
import { makeMetrics } from "./metrics";
import { channelCredentials, followCertificates, type RpcTls, type RpcTlsFiles } from "./rpc-certificates";
import { noTracing } from "./tracing";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const answered = { quote: undefined };
const order = {
  tenant: "demo",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "CARD",
  destinationCountry: "BRA",
  quoteId: "q1",
  isPreview: false,
};

async function until(check: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 120_000;
  while (!(await check())) {
    if (performance.now() > endMs) throw new Error("what was awaited did not happen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("certificates between services", () => {
  const root = mkdtempSync(join(tmpdir(), "rpc-certificates-"));
  const running: Running[] = [];
  const problems: unknown[] = [];

  /** Writes what an authority issued into the folder that a process has mounted. */
  const put = async (files: RpcTlsFiles, authority: string, host: string): Promise<void> => {
    const issued = await issueCertificate(join(root, authority), host);
    copyFileSync(issued.caFile, files.ca);
    copyFileSync(issued.certFile, files.certificate);
    copyFileSync(issued.keyFile, files.key);
  };
  const mount = async (name: string, authority: string, host: string): Promise<RpcTlsFiles> => {
    const dir = mkdtempSync(join(root, name));
    const files = { ca: join(dir, "ca.crt"), certificate: join(dir, "tls.crt"), key: join(dir, "tls.key") };
    await put(files, authority, host);
    return files;
  };
  const follow = (files: RpcTlsFiles): RpcTls => {
    const tls = followCertificates(files, (error) => problems.push(error), 20);
    running.push(tls);
    return tls;
  };
  const serve = async (tls: RpcTls): Promise<number> => {
    const never = () => Promise.reject(new Error("not served in this test"));
    const handlers = {
      createQuote: never,
      getQuote: never,
      getRate: never,
      listQuotes: never,
      quotePayment: async () => answered,
    };
    const facts = { logger: silent, tracing: noTracing, metrics: makeMetrics("test") };
    const server = await serveRpc(FxServiceService, handlers, { ...facts, address: "127.0.0.1:0", tls });
    running.push(server);
    return server.port;
  };
  /** Returns the status that a new connection of its own receives. */
  const ask = async (port: number, tls: RpcTls): Promise<status> => {
    const options = { "grpc.use_local_subchannel_pool": 1 };
    const client = new Client(`127.0.0.1:${port}`, channelCredentials(tls), options);
    const { path, requestSerialize, responseDeserialize } = FxServiceService.quotePayment;
    const code = await new Promise<status>((resolve) => {
      const deadline = Date.now() + 10_000;
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, order, { deadline }, (error) =>
        resolve(error?.code ?? status.OK),
      );
    });
    client.close();
    return code;
  };

  beforeAll(async () => {
    for (const authority of ["first", "second"]) {
      mkdirSync(join(root, authority));
      await ensureLocalCa(join(root, authority));
    }
  });
  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
    problems.length = 0;
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it("are replaced, with their authority, in a server and a client that go on", async () => {
    const server = await mount("server", "first", "corridor-fx");
    const payment = await mount("payment", "first", "corridor-payment");
    const port = await serve(follow(server));
    const tls = follow(payment);
    const old = follow(await mount("old", "first", "corridor-payment"));
    const facts = { tls, timeoutMs: 5_000, retryable: [], tracing: noTracing };
    const lasting = makeRpcClient(FxServiceService, { ...facts, target: `ipv4:127.0.0.1:${port}` });
    expect(await lasting.quotePayment(order)).toEqual(answered);

    await put(server, "second", "corridor-fx");
    await put(payment, "second", "corridor-payment");
    await until(async () => (await ask(port, tls)) === status.OK && (await ask(port, old)) === status.UNAVAILABLE);

    expect(await lasting.quotePayment(order)).toEqual(answered);
    await lasting.stop();
  });

  it("give a caller the rights of the name in its new certificate, and no longer those of the old one", async () => {
    const port = await serve(follow(await mount("server", "first", "corridor-fx")));
    const files = await mount("caller", "first", "corridor-payment");
    const tls = follow(files);
    expect(await ask(port, tls)).toBe(status.OK);

    await put(files, "first", "corridor-webhook");

    await until(async () => (await ask(port, tls)) === status.PERMISSION_DENIED);
  });

  it("stay as they were while key and certificate do not match, and that is reported", async () => {
    const files = await mount("server", "first", "corridor-fx");
    const other = await mount("other", "first", "corridor-other");
    const port = await serve(follow(files));
    const tls = follow(await mount("payment", "first", "corridor-payment"));

    copyFileSync(other.key, files.key);

    await until(async () => problems.length > 1);
    expect(await ask(port, tls)).toBe(status.OK);
    expect(() => followCertificates(files, () => {})).toThrow();
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, status } from "@grpc/grpc-js";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import type { Running } from "../../../services/shared/process/lifecycle";
import { makeLogger } from "../../../services/shared/process/logger";
import { makeMetrics } from "../../../services/shared/process/metrics";
import { rpcCallers } from "../../../services/shared/process/rpc-callers";
import { channelCredentials, followCertificates, type RpcTls } from "../../../services/shared/process/rpc-certificates";
import { noTracing } from "../../../services/shared/process/tracing";
import { openCallStream } from "../../../services/shared/rpc/rpc-call-stream";
import { type RpcServer, serveRpc } from "../../../services/shared/rpc/rpc-server";

const paths = Object.entries(rpcCallers).flatMap(([service, methods]) =>
  Object.entries(methods).map(([method, callers]) => ({ path: `/${service}/${method}`, callers })),
);
/** Those who call others; no other name may call anything. */
const callers = ["gateway", "payment", "fx", "identity", "wallet"];
/** Hosts of certificates of the one authority, and whose name they give in the release of the server. */
const home = "corridor.svc";
const hosts = [
  ...["gateway", "auth", "schema", "fx", "payment", "wallet", "identity", "webhook", "stranger"].map((name) => ({
    host: `corridor-${name}.${home}`,
    name,
  })),
  ...[
    "corridor-gateway",
    "gateway",
    "corridor-gateway.other-team.svc",
    "api-gateway.other-team.svc",
    `api-gateway.${home}`,
    `gateway.${home}`,
    `corridor-other-gateway.${home}`,
    `corridor-gateway.${home}.cluster.local`,
    `corridor-gateway.x.${home}`,
    `corridor-gateway-x.${home}`,
    `x.corridor-gateway.${home}`,
    `corridor-gatewayx.${home}`,
  ].map((host) => ({ host, name: "" })),
];
const bytes = (value: unknown): Buffer => (Buffer.isBuffer(value) ? value : Buffer.alloc(0));

describe("calls between services", () => {
  const dir = mkdtempSync(join(tmpdir(), "service-calls-"));
  let server: RpcServer;
  const running: Running[] = [];

  const tlsOf = async (host: string): Promise<RpcTls> => {
    const { caFile: ca, certFile: certificate, keyFile: key } = await issueCertificate(dir, host);
    const tls = followCertificates({ ca, certificate, key }, () => {});
    running.push(tls);
    return tls;
  };

  beforeAll(async () => {
    await ensureLocalCa(dir);
    const method = {
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    };
    server = await serveRpc(
      Object.fromEntries(paths.map(({ path }) => [path, { path, ...method }])),
      Object.fromEntries(paths.map(({ path }) => [path, () => Promise.resolve(Buffer.alloc(0))])),
      {
        address: "127.0.0.1:0",
        tls: await tlsOf(`corridor-fx.${home}`),
        logger: makeLogger("test", "error"),
        tracing: noTracing,
        metrics: makeMetrics("test"),
      },
    );
  });
  afterAll(async () => {
    await server.stop();
    for (const part of running) await part.stop();
    rmSync(dir, { recursive: true });
  });

  const connect = async (host: string): Promise<Client> =>
    new Client(`127.0.0.1:${server.port}`, channelCredentials(await tlsOf(host)));
  const declaredFor = (caller: string): object =>
    Object.fromEntries(
      paths.map(({ path, callers: named }) => [path, named.includes(caller) ? status.OK : status.PERMISSION_DENIED]),
    );

  it.each(hosts)("are answered to $host for exactly the methods that name it", async ({ host, name }) => {
    const client = await connect(host);
    const call = (path: string): Promise<number> =>
      new Promise((resolve) => {
        const deadline = Date.now() + 20_000;
        client.makeUnaryRequest(path, bytes, bytes, Buffer.alloc(0), { deadline }, (error) =>
          resolve(error?.code ?? status.OK),
        );
      });

    const answers: Record<string, number> = {};
    for (const { path } of paths) answers[path] = await call(path);
    client.close();

    expect(answers).toEqual(declaredFor(name));
    expect(Object.values(answers).includes(status.OK)).toBe(callers.includes(name));
  });

  it("tell nobody by reflection what there is", async () => {
    const client = await connect(`corridor-gateway.${home}`);
    const code = await new Promise<number>((resolve) => {
      const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
      const stream = client.makeBidiStreamRequest(path, bytes, bytes);
      stream.on("error", () => undefined);
      stream.on("status", (ended: { code: number }) => resolve(ended.code));
      stream.write(Buffer.alloc(0));
      stream.end();
      stream.resume();
    });
    client.close();

    expect(code).toBe(status.UNIMPLEMENTED);
  });

  it.each(hosts)("are answered to $host in the same way on a stream of calls", async ({ host, name }) => {
    const client = await connect(host);
    const stream = openCallStream(client);
    const head = { request: Buffer.alloc(0), requestId: undefined, traceparent: undefined };
    const deadlineMs = Date.now() + 20_000;

    const outcomes = await Promise.all(
      paths.map(async ({ path }) => [path, (await stream.carry({ ...head, path, deadlineMs })).code]),
    );
    stream.end();
    await stream.closed;
    client.close();

    expect(Object.fromEntries(outcomes)).toEqual(declaredFor(name));
  });
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChannelCredentials, Client, status } from "@grpc/grpc-js";
import { ensureLocalCa, issueCertificate } from "../../../local/local-ca";
import { makeLogger } from "../../../services/shared/logger";
import { makeMetrics } from "../../../services/shared/metrics";
import { rpcCallers } from "../../../services/shared/rpc-callers";
import { type RpcServer, serveRpc } from "../../../services/shared/rpc-server";
import { noTracing } from "../../../services/shared/tracing";

const paths = Object.entries(rpcCallers).flatMap(([service, methods]) =>
  Object.entries(methods).map(([method, callers]) => ({ path: `/${service}/${method}`, callers })),
);
const names = ["gateway", "auth", "schema", "fx", "payment", "wallet", "webhook", "stranger"];
const bytes = (value: unknown): Buffer => (Buffer.isBuffer(value) ? value : Buffer.alloc(0));

describe("calls between services", () => {
  const dir = mkdtempSync(join(tmpdir(), "service-calls-"));
  let server: RpcServer;

  const tlsOf = async (name: string) => {
    const { caFile, certFile, keyFile } = await issueCertificate(dir, `corridor-${name}`);
    const [ca, certificate, key] = [caFile, certFile, keyFile].map((file) => readFileSync(file, "utf8"));
    return { ca: ca ?? "", certificate: certificate ?? "", key: key ?? "" };
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
        tls: await tlsOf("server"),
        logger: makeLogger("test", "error"),
        tracing: noTracing,
        metrics: makeMetrics("test"),
      },
    );
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true });
  });

  it.each(names)("are answered to %s for exactly the methods that name it", async (name) => {
    const { ca, certificate, key } = await tlsOf(name);
    const [root, ownKey, chain] = [ca, key, certificate].map((text) => Buffer.from(text));
    const client = new Client(`127.0.0.1:${server.port}`, ChannelCredentials.createSsl(root, ownKey, chain));
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

    const declared = paths.map(({ path, callers }) => [
      path,
      callers.includes(name) ? status.OK : status.PERMISSION_DENIED,
    ]);
    expect(answers).toEqual(Object.fromEntries(declared));
    expect(Object.values(answers).includes(status.OK)).toBe(["gateway", "payment", "fx"].includes(name));
  });
});

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Client, credentials, loadPackageDefinition, makeClientConstructor } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { service as healthService } from "grpc-health-check";
import { SchemaServiceService } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { makeLogger } from "../process/logger";
import { makeMetrics } from "../process/metrics";
import { noTracing } from "../process/tracing";
import { type RpcServer, serveRpc } from "./rpc-server";

const reflectionProto = join(
  dirname(createRequire(__filename).resolve("@grpc/reflection/package.json")),
  "build/proto/grpc/reflection/v1/reflection.proto",
);

/** Returns the answer of a reflection stream to one question. */
async function reflect(address: string, question: object): Promise<Record<string, unknown>> {
  const definition = loadSync(reflectionProto)["grpc.reflection.v1.ServerReflection"];
  if (definition === undefined || "format" in definition) throw new Error("no reflection service");
  const Reflection = makeClientConstructor(definition, "ServerReflection");
  const client = new Reflection(address, credentials.createInsecure());
  const open = client["serverReflectionInfo"];
  if (open === undefined) throw new Error("no reflection method");
  const stream = open.call(client) as unknown as NodeJS.ReadWriteStream & { write(value: object): boolean };
  const answer = await new Promise<Record<string, unknown>>((resolve, reject) => {
    stream.once("data", resolve);
    stream.once("error", reject);
    stream.write(question);
  });
  stream.end();
  client.close();
  return answer;
}

describe("serveRpc", () => {
  let server: RpcServer;
  let address: string;

  beforeAll(async () => {
    const logger = makeLogger("test", "error");
    const options = {
      address: "127.0.0.1:0",
      tls: undefined,
      logger,
      tracing: noTracing,
      metrics: makeMetrics("test"),
    };
    const never = () => Promise.reject(new Error("not asked in this test"));
    const handlers = Object.fromEntries(Object.keys(SchemaServiceService).map((name) => [name, never])) as never;
    server = await serveRpc(SchemaServiceService, handlers, options);
    address = `127.0.0.1:${server.port}`;
  });

  afterAll(() => server.stop());

  it("answers health checks with SERVING", async () => {
    const Health = loadPackageDefinition({ "grpc.health.v1.Health": healthService }) as unknown;
    const { Health: Stub } = (Health as { grpc: { health: { v1: { Health: typeof Client } } } }).grpc.health.v1;
    const client = new Stub(address, credentials.createInsecure()) as Client & {
      check(request: object, done: (error: Error | null, answer: { status: string }) => void): void;
    };
    const answer = await new Promise<{ status: string }>((resolve, reject) => {
      client.check({ service: "" }, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
    client.close();

    expect(answer.status).toBe("SERVING");
  });

  it("lists its methods to any caller by reflection", async () => {
    const answer = await reflect(address, {
      fileContainingSymbol: "corridor.schema.v1.SchemaService",
      listServices: undefined,
    });

    expect(JSON.stringify(answer)).toContain("fileDescriptorResponse");
  });
});

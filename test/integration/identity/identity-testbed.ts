import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { DecisionServiceService } from "../../../proto/gen/corridor/identity/v1/decision_service";
import { DocumentServiceService } from "../../../proto/gen/corridor/identity/v1/document_service";
import { IdentityServiceService } from "../../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { ReviewServiceService } from "../../../proto/gen/corridor/identity/v1/review_service";
import { startIdentity } from "../../../services/identity/app";
import { readIdentityConfig } from "../../../services/identity/config";
import { startSchema } from "../../../services/schema/app";
import { readSchemaConfig } from "../../../services/schema/config";
import { type Clock, plusMs, systemClock } from "../../../services/shared/kernel/clock";
import { type Running, stopAll } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startTestStore } from "../../support/testbed";
import { callbackSecret, railKey } from "../sandbox/outside-world";

const services = {
  ...IdentityServiceService,
  ...KycServiceService,
  ...DecisionServiceService,
  ...ReviewServiceService,
  ...DocumentServiceService,
  ...KeyServiceService,
};
export type Identity = Rpc<typeof services> & Running & { target: string };

/** What identity stands on: a store, the schema service, keys, and a clock that a test can move. */
export interface IdentityTestbed extends Running {
  mongo: Mongo;
  /** Moves the time of all identity services of this testbed. */
  advance(ms: number): void;
  /** Starts an identity service on this store; `env` replaces settings. */
  start(kycUrl: string, env?: Readonly<Record<string, string>>): Promise<Identity>;
  /** A vendor that accepts every person, and knows of nothing else. */
  kindVendorUrl: string;
  /** Writes a file of keys or settings and returns its path. */
  file(name: string, content: string): string;
}

export async function openIdentityTestbed(): Promise<IdentityTestbed> {
  const store = await startTestStore();
  const folder = mkdtempSync(join(tmpdir(), "identity-"));
  let offsetMs = 0;
  const listeners = new Set<() => void>();
  const clock: Clock = {
    now: () => plusMs(systemClock.now(), offsetMs),
    onMove(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const common = { PROFILE: "local", LOG_LEVEL: "error", GRPC_PORT: "0", MONGODB_URI: store.mongoUri };
  const schema = await startSchema(readSchemaConfig({ ...common, MONGODB_DATABASE: store.database("schema") }));
  const database = store.database("identity");
  const mongo = await openMongo({ uri: store.mongoUri, database, profile: "local", tracing: noTracing });
  const settings = {
    ...common,
    MONGODB_DATABASE: database,
    NATS_URL: "nats://127.0.0.1:9",
    KYC_API_KEY_FILE: file("kyc-key", railKey),
    KYC_CALLBACK_SECRET_FILE: file("kyc-secret", callbackSecret),
    KYC_TIMEOUT_MS: "3000",
    SCREENING_API_KEY_FILE: file("screening-key", railKey),
    SCREENING_CALLBACK_SECRET_FILE: file("screening-secret", callbackSecret),
    SCREENING_TIMEOUT_MS: "3000",
    SCHEMA_TARGET: `ipv4:127.0.0.1:${schema.port}`,
    IDENTITY_SEALING_KEY_FILE: file("sealing", "1".repeat(64)),
    IDENTITY_INDEX_KEY_FILE: file("index", "2".repeat(64)),
    IDENTITY_SCREENING_LIST_FILE: file("list", '{"version":"1","entries":[{"id":"e","names":["Listed"]}]}'),
  };
  const vendor = await startKindVendor();
  return {
    mongo,
    file,
    kindVendorUrl: vendor.url,
    advance(ms) {
      offsetMs += ms;
      for (const listener of listeners) listener();
    },
    async start(kycUrl, env = {}) {
      const config = readIdentityConfig({ ...settings, KYC_BASE_URL: kycUrl, SCREENING_BASE_URL: kycUrl, ...env });
      const service = await startIdentity(config, { clock });
      const target = `ipv4:127.0.0.1:${service.port}`;
      const channel = { target, tls: undefined, timeoutMs: 30_000, retryable: [], tracing: noTracing };
      const client = makeRpcClient(services, channel);
      return { ...client, ...stopAll([service, client]), target };
    },
    async stop() {
      await stopAll([schema, mongo, vendor]).stop();
      await store.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startKindVendor(): Promise<Running & { url: string }> {
  const server = createServer((request, response) => {
    const isPerson = request.url === "/kyc/persons";
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      const { reference } = isPerson ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : {};
      response.writeHead(isPerson ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify(isPerson ? { reference, decision: "APPROVED" } : {}));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

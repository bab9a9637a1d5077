import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { compiled } from "../../local/compiled";
import { freePorts } from "../../local/free-port";
import { chooseStore } from "../../local/local-store";
import { manageProcess } from "../../local/managed-process";
import { startNats } from "../../local/nats";
import { DecisionServiceService } from "../../proto/gen/corridor/identity/v1/decision_service";
import { IdentityServiceService } from "../../proto/gen/corridor/identity/v1/identity_service";
import { KycServiceService } from "../../proto/gen/corridor/identity/v1/kyc_service";
import { CaseServiceService } from "../../proto/gen/corridor/payment/v1/case_service";
import { CheckServiceService } from "../../proto/gen/corridor/payment/v1/check_service";
import { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { startFx } from "../../services/fx/app";
import { readFxConfig } from "../../services/fx/config";
import { startIdentity } from "../../services/identity/app";
import { readIdentityConfig } from "../../services/identity/config";
import { startPayment } from "../../services/payment/app";
import { readPaymentConfig } from "../../services/payment/config";
import { startSchema } from "../../services/schema/app";
import { readSchemaConfig } from "../../services/schema/config";
import { systemClock } from "../../services/shared/kernel/clock";
import { type Running, stopAll } from "../../services/shared/process/lifecycle";
import { noTracing } from "../../services/shared/process/tracing";
import type { Rpc } from "../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../services/shared/storage/mongo";
import { startWallet } from "../../services/wallet/app";
import { readWalletConfig } from "../../services/wallet/config";

/** Providers that call back, each with its own secret. */
const signers = ["pix", "bank", "upi", "dimo", "wallet", "card", "msn", "acquirer", "debits", "screening", "kyc"];
const callbackSecrets = Object.fromEntries(signers.map((name) => [name, `${name}-`.padEnd(48, "s")]));
const railKey = "rail-key-of-a-test";

const paymentServices = { ...PaymentServiceService, ...CaseServiceService, ...CheckServiceService };
export type PaymentClient = Rpc<typeof paymentServices>;
const identityServices = { ...DecisionServiceService, ...IdentityServiceService, ...KycServiceService };
export type IdentityClient = Rpc<typeof identityServices>;

/** The composed payment service, on a real store and bus, between real peers and a hostile sandbox. */
export interface HostileWorld extends Running {
  payment: PaymentClient;
  identity: IdentityClient;
  mongo: Mongo;
  natsUrl: string;
  sandbox: SandboxSwitches;
  /** Callbacks that the platform refused, by status. */
  refusedCallbacks: ReadonlyMap<number, number>;
}

/** The parts of the sandbox that a test may control. */
export interface SandboxSwitches {
  url: string;
  call(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown>;
  /** Advances business time. */
  advance(seconds: number): Promise<void>;
  /** Business time, in milliseconds since 1970. */
  now(): Promise<number>;
}

const loopback = "127.0.0.1";

export async function startHostileWorld(): Promise<HostileWorld> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-hostile-"));
  const [store, nats, ports] = await Promise.all([
    chooseStore({ dir: join(dir, "store"), log: () => {}, spawned: true, refusesScans: true }),
    startNats({ dir: join(dir, "nats") }),
    freePorts(1),
  ]);
  const door = await openDoor();
  const sandbox = await startSandboxProcess(join(dir, "sandbox"), ports[0] ?? 0, door.url);
  const file = (name: string, content: string): string => {
    writeFileSync(join(dir, name), content, { mode: 0o600 });
    return join(dir, name);
  };
  const common = { PROFILE: "local", LOG_LEVEL: "error", GRPC_PORT: "0", CLOCK_URL: `${sandbox.url}/clock` };
  const run = randomBytes(4).toString("hex");
  const onStore = (name: string) => ({ ...common, MONGODB_URI: store.uri, MONGODB_DATABASE: `hostile-${run}-${name}` });
  const onBus = (user: "payment" | "identity" | "wallet") => ({
    NATS_URL: nats.address,
    NATS_PASSWORD_FILE: nats.passwordFile(user),
  });
  const speakUp = sendLogsTo(join(dir, "services.log"));
  const schema = await startSchema(readSchemaConfig(onStore("schema")));
  const toSchema = { SCHEMA_TARGET: `ipv4:${loopback}:${schema.port}` };
  const fx = await startFx(readFxConfig({ ...onStore("fx"), ...toSchema }));
  const lines = Object.entries(callbackSecrets).map(([name, secret]) => `${name}=${secret}`);
  const secrets = {
    key: file("rail-key", railKey),
    screening: file("callback-screening", callbackSecrets["screening"] ?? ""),
    kyc: file("callback-kyc", callbackSecrets["kyc"] ?? ""),
    providers: file("callbacks", lines.join("\n")),
  };
  const identity = await startIdentity(readIdentityConfig(identityEnv()));
  const wallet = await startWallet(
    readWalletConfig({
      ...onStore("wallet"),
      ...onBus("wallet"),
      WALLET_SEAL_KEY_FILE: file("wallet-seal", "4".repeat(64)),
      WALLET_SEALING_KEY_FILE: file("wallet-sealing", "5".repeat(64)),
    }),
  );
  const payment = await startPayment(readPaymentConfig(paymentEnv()));

  function identityEnv() {
    return {
      ...onStore("identity"),
      ...onBus("identity"),
      ...toSchema,
      KYC_BASE_URL: sandbox.url,
      KYC_API_KEY_FILE: secrets.key,
      KYC_CALLBACK_SECRET_FILE: secrets.kyc,
      SCREENING_BASE_URL: sandbox.url,
      SCREENING_API_KEY_FILE: secrets.key,
      SCREENING_CALLBACK_SECRET_FILE: secrets.screening,
      SCREENING_TIMEOUT_MS: timeoutMs,
      IDENTITY_SEALING_KEY_FILE: file("identity-sealing", "1".repeat(64)),
      IDENTITY_INDEX_KEY_FILE: file("identity-index", "2".repeat(64)),
      // The provider certainly refuses what screening refuses.
      IDENTITY_SCREENING_LIST_FILE: file("list", '{"version":"1","entries":[{"id":"e","names":["Listed"]}]}'),
    };
  }
  function paymentEnv() {
    return {
      ...onStore("payment"),
      ...onBus("payment"),
      ...toSchema,
      FX_TARGET: `ipv4:${loopback}:${fx.port}`,
      WALLET_TARGET: `ipv4:${loopback}:${wallet.port}`,
      IDENTITY_TARGET: `ipv4:${loopback}:${identity.port}`,
      PAYMENT_SEALING_KEY_FILE: file("payment-sealing", "3".repeat(64)),
      RAIL_BASE_URL: sandbox.url,
      RAIL_API_KEY_FILE: secrets.key,
      PROVIDER_CALLBACK_SECRETS_FILE: secrets.providers,
      RAIL_TIMEOUT_MS: timeoutMs,
      LINKER_BASE_URL: `${sandbox.url}/plaid`,
      LINKER_CLIENT_ID: "corridor",
      LINKER_SECRET_FILE: secrets.key,
      RATE_LIMIT_FACTOR: "1000000",
    };
  }

  const client = makeRpcClient(paymentServices, clientOf(payment.port));
  const identities = makeRpcClient(identityServices, clientOf(identity.port));
  door.open({ client, identity: identities });
  const database = `hostile-${run}-payment`;
  const mongo = await openMongo({ uri: store.uri, database, profile: "local", tracing: noTracing });
  const parts = stopAll([store, nats, sandbox, door, schema, fx, identity, wallet, payment, client, identities, mongo]);
  return {
    payment: client,
    identity: identities,
    mongo,
    natsUrl: nats.url,
    sandbox,
    refusedCallbacks: door.refused,
    async stop() {
      await parts.stop();
      speakUp();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Sends this process's log to a file, since lost work is ordinary here. The result restores the loggers. */
function sendLogsTo(file: string): () => void {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const log = openSync(file, "a", 0o600);
  stdout.write = (chunk: string | Uint8Array, ...rest: never[]): boolean => {
    if (!String(chunk).startsWith('{"level"')) return write(chunk, ...rest);
    writeSync(log, chunk.toString());
    return true;
  };
  return () => {
    Reflect.deleteProperty(stdout, "write");
    closeSync(log);
  };
}

/** Long enough for a busy machine to answer, and short enough to wait for a missing answer. */
const timeoutMs = "600";

const clientOf = (port: number) => ({
  target: `ipv4:${loopback}:${port}`,
  tls: undefined,
  timeoutMs: 30_000,
  retryable: [],
  tracing: noTracing,
});

/** A client of the payment service at an address `host:port`. */
export const connectPayment = (address: string) =>
  makeRpcClient(paymentServices, { ...clientOf(0), target: `ipv4:${address}` });

/** The switches of a running sandbox, whose providers take this key. */
export function openSwitches(url: string, key: string): SandboxSwitches & Running {
  const agent = new Agent({ connections: 64 });
  const call: SandboxSwitches["call"] = async (method, path, body) => {
    const response = await request(`${url}${path}`, {
      method,
      dispatcher: agent,
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  return {
    url,
    call,
    async advance(seconds) {
      await call("POST", "/clock", { advance: seconds });
    },
    async now() {
      const { offsetMs } = (await call("GET", "/clock")) as { offsetMs: number };
      return systemClock.now().getTime() + offsetMs;
    },
    stop: () => agent.close(),
  };
}

async function startSandboxProcess(dir: string, port: number, callbackUrl: string): Promise<SandboxSwitches & Running> {
  mkdirSync(dir, { recursive: true });
  const switches = openSwitches(`http://${loopback}:${port}`, railKey);
  const sandbox = manageProcess({
    name: "sandbox",
    command: process.execPath,
    args: [compiled("sandbox/main")],
    env: {
      SANDBOX_PORT: String(port),
      SANDBOX_DATA_DIR: dir,
      SANDBOX_RAIL_KEY: railKey,
      SANDBOX_CALLBACK_URL: callbackUrl,
      SANDBOX_CALLBACK_SECRET: "s".repeat(48),
      SANDBOX_CALLBACK_SECRETS: JSON.stringify(callbackSecrets),
    },
    logFile: join(dir, "sandbox.log"),
    isReady: () =>
      switches.call("GET", "/healthz").then(
        () => true,
        () => false,
      ),
  });
  await sandbox.start();
  return {
    ...switches,
    async stop() {
      await switches.stop();
      await sandbox.end("SIGTERM");
    },
  };
}

interface Upstreams {
  client: PaymentClient;
  identity: IdentityClient;
}

/** Receives callbacks as the gateway does, and forwards them. */
async function openDoor() {
  let upstreams: Upstreams | undefined;
  const refused = new Map<number, number>();
  const deliver = async (provider: string, signature: string, body: Buffer): Promise<number> => {
    if (upstreams === undefined) return 503;
    try {
      if (provider === "screening") await upstreams.identity.receiveScreeningReport({ signature, body });
      else await upstreams.client.receiveCallback({ rail: provider, signature, body });
      return 204;
    } catch (error) {
      return Object(error)["reason"] === "UNAVAILABLE" ? 503 : 400;
    }
  };
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.once("end", () => {
      const provider = (req.url ?? "").split("/").at(-1) ?? "";
      const signature = req.headers["x-signature"];
      void deliver(provider, String(signature ?? ""), Buffer.concat(chunks)).then((status) => {
        if (status >= 300) refused.set(status, (refused.get(status) ?? 0) + 1);
        res.writeHead(status).end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, loopback, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${loopback}:${port}/provider-callbacks`,
    refused,
    open(next: Upstreams) {
      upstreams = next;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

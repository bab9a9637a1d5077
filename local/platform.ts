import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { mongo } from "mongoose";
import type { BusUserName } from "../services/shared/bus/bus-users";
import { bootstrap, type Credentials, type LocalSecrets } from "./bootstrap";
import { compileCache, compiled } from "./compiled";
import { freePorts, refuseTakenPorts } from "./free-port";
import { chooseStore } from "./local-store";
import { type ManagedProcess, manageProcess } from "./managed-process";
import { configureNats, ensureNatsServer } from "./nats";
import { accepts, answers, hasAll } from "./readiness";
import { statementsOf } from "./statements-of";

export interface PlatformOptions {
  /** Folder of all data, secrets and logs. */
  dir: string;
  /** Documented ports; 0 takes a free one. */
  ports: {
    gateway: number;
    gatewayTls: number;
    sandbox: number;
    sandboxTls: number;
    operator?: number;
    console?: number;
  };
  /** Prefix of its databases, `corridor` by default: platforms can share a store that MONGODB_URI names. */
  databasePrefix?: string;
  /** True: operators' commands wait for the second operator of `credentials.json`. */
  fourEyes?: boolean;
  /** Endpoint of traces; undefined turns tracing off. */
  traceEndpoint?: string;
  /** For tests: the embedded store refuses queries without an index. */
  refusesScans?: boolean;
  /** For tests: the store accepts `configureFailPoint`. */
  failpoints?: boolean;
  /** For tests: gRPC ports of further replicas, which callers share with those that are started here. */
  otherReplicas?: Readonly<Record<ServiceName, number>>;
  /** Additional environment of single processes, by name. */
  env?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  say?(text: string): void;
}

/** All processes of a platform on one machine. */
export interface Platform {
  credentials: Credentials;
  credentialsFile: string;
  dir: string;
  /** Address of the store. */
  mongoUri: string;
  /** Name of a service's database. */
  database(service: ServiceName): string;
  /** gRPC address of a service, as `127.0.0.1:port`. */
  rpcAddress(service: ServiceName): string;
  /** The bus, with the administrator's credentials. */
  natsUrl: string;
  /** In start order. */
  processes: readonly ManagedProcess[];
  process(name: string): ManagedProcess;
  /** Stops everything, the gateway first. Returns the names of processes that did not exit with 0. */
  stop(): Promise<string[]>;
}

/** Audience of access tokens; auth writes it and the gateway requires it. */
const audience = "corridor";
/** The single user of a local platform gets ten times the limits. */
const rateLimitFactor = "10";
const services = ["auth", "schema", "fx", "webhook", "payment", "wallet", "identity"] as const;
export type ServiceName = (typeof services)[number];

/** What the programs of a platform need to know about each other. */
interface PlatformPlan
  extends Pick<PlatformOptions, "dir" | "traceEndpoint" | "databasePrefix" | "fourEyes" | "otherReplicas"> {
  ports: Required<PlatformOptions["ports"]>;
  secrets: LocalSecrets;
  mongoUri: string;
  bus: Pick<ChosenBus, "envOf">;
  rpcPorts: Record<ServiceName, number>;
  metricsPorts: Record<ServiceName | "gateway", number>;
}

/** One program of a platform: its compiled file, its settings, and the sign that it serves. */
interface Program {
  name: string;
  main: string;
  env: Record<string, string>;
  /** Its output once it listens. */
  saysReady: RegExp;
  isReady(): Promise<boolean>;
}

/** Starts the whole platform; resolves once every process serves. Throws before starting anything when a port is taken. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  await refuseTakenPorts(options.ports);
  const say = options.say ?? (() => {});
  const logDir = join(options.dir, "logs");
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const wanted = Object.values(options.ports);
  const [storePort = 0, busPort = 0, ...free] = (await freePorts(26)).filter((port) => !wanted.includes(port));
  const take = (wanted: number): number => (wanted === 0 ? (free.pop() ?? 0) : wanted);
  const ports = {
    gateway: take(options.ports.gateway),
    gatewayTls: take(options.ports.gatewayTls),
    operator: take(options.ports.operator ?? 0),
    console: take(options.ports.console ?? 0),
    sandbox: take(options.ports.sandbox),
    sandboxTls: take(options.ports.sandboxTls),
  };
  const store = await chooseStore({
    dir: join(options.dir, "store"),
    port: storePort,
    log: say,
    spawned: true,
    refusesScans: options.refusesScans ?? false,
    failpoints: options.failpoints ?? false,
  });
  // An external store is backed up by its own tools.
  if (store.process !== undefined) writeFileSync(join(options.dir, "store.uri"), store.uri, { mode: 0o600 });
  const bus = await chooseBus(join(options.dir, "nats"), busPort, join(logDir, "bus.log"), say);
  const secrets = await bootstrap(options.dir, {
    baseUrl: `http://127.0.0.1:${ports.gateway}`,
    operatorUrl: `http://127.0.0.1:${ports.operator}`,
    consoleUrl: `http://127.0.0.1:${ports.console}`,
    sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
    sinkUrl: `https://127.0.0.1:${ports.sandboxTls}/sink`,
  });
  const plan: PlatformPlan = {
    ...options,
    ports,
    secrets,
    mongoUri: store.uri,
    bus,
    rpcPorts: byService(() => take(0)),
    metricsPorts: { ...byService(() => take(0)), gateway: take(0) },
  };
  const base = [store.process, bus.process].filter((one) => one !== undefined);
  const upper = programsOf(plan).map((program) => programProcess(program, options));
  await startTogether(upper, base);
  return asPlatform([...base, ...upper], { ...plan, natsUrl: bus.url });
}

/** All programs above store and bus: the sandbox, then the services, then the gateway. */
const programsOf = (plan: PlatformPlan): Program[] => [
  sandboxProgram(plan),
  ...services.map((name) => serviceProgram(plan, name)),
  gatewayProgram(plan),
];

interface ChosenBus {
  url: string;
  process: ManagedProcess | undefined;
  /** Address of the bus and a service's credentials for it. */
  envOf(user: BusUserName): Record<string, string>;
}

/** The bus that NATS_URL names with one user for all services, else a local nats-server with a user for each. */
async function chooseBus(dir: string, port: number, logFile: string, say: (text: string) => void): Promise<ChosenBus> {
  const configured = process.env["NATS_URL"];
  if (configured) {
    say("bus: configured (NATS_URL is set)");
    return { url: configured, process: undefined, envOf: () => ({ NATS_URL: configured }) };
  }
  const { command, why } = await ensureNatsServer();
  say(`bus: nats-server (${why})`);
  const { args, address, url, passwordFile, isReady } = await configureNats({ dir, port });
  const bus = manageProcess({ name: "bus", command, args, env: {}, stopSignal: "SIGINT", logFile, isReady });
  await bus.start();
  const envOf = (user: BusUserName) => ({ NATS_URL: address, NATS_PASSWORD_FILE: passwordFile(user) });
  return { url, process: bus, envOf };
}

function asPlatform(processes: ManagedProcess[], plan: PlatformPlan & { natsUrl: string }): Platform {
  const { secrets, dir, mongoUri, natsUrl } = plan;
  return {
    credentials: secrets.credentials,
    credentialsFile: secrets.credentialsFile,
    dir,
    mongoUri,
    database: (service) => databaseOf(plan, service),
    rpcAddress: (service) => `127.0.0.1:${plan.rpcPorts[service]}`,
    natsUrl,
    processes,
    process(name) {
      const found = processes.find((candidate) => candidate.name === name);
      if (found === undefined) throw new Error(`no process ${name}`);
      return found;
    },
    stop: () => stopProcesses(processes),
  };
}

/** Starts processes concurrently; when one fails, ends these and the earlier ones. */
async function startTogether(
  processes: readonly ManagedProcess[],
  before: readonly ManagedProcess[] = [],
): Promise<void> {
  const results = await Promise.allSettled(processes.map((one) => one.start()));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined) return;
  await Promise.all([...processes, ...before].map((one) => one.end("SIGKILL")));
  throw failure.reason;
}

async function stopProcesses(processes: readonly ManagedProcess[]): Promise<string[]> {
  const untidy: string[] = [];
  for (const one of processes.toReversed()) {
    const code = await one.end(one.stopSignal);
    if (code !== 0) untidy.push(one.name);
  }
  return untidy;
}

/** Drops the databases of a stopped platform from a shared store. */
export async function dropDatabases({ mongoUri, database }: Pick<Platform, "mongoUri" | "database">): Promise<void> {
  const client = await mongo.MongoClient.connect(mongoUri);
  for (const name of services) await client.db(database(name)).dropDatabase();
  await client.close();
}

/** One value for each service. */
export const byService = <V>(value: (name: ServiceName) => V): Record<ServiceName, V> =>
  Object.fromEntries(services.map((name) => [name, value(name)])) as Record<ServiceName, V>;

/** gRPC target of all replicas of a service. */
const target = ({ rpcPorts, otherReplicas }: PlatformPlan, name: ServiceName): string =>
  `ipv4:${[rpcPorts[name], otherReplicas?.[name]].flatMap((port) => (port === undefined ? [] : `127.0.0.1:${port}`)).join()}`;

const databaseOf = (
  { databasePrefix = "corridor" }: Pick<PlatformOptions, "databasePrefix">,
  name: ServiceName,
): string => `${databasePrefix}_${name}`;

function commonEnv(plan: PlatformPlan, name: ServiceName | "gateway"): Record<string, string> {
  return {
    PROFILE: "local",
    LISTEN_HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    METRICS_PORT: String(plan.metricsPorts[name]),
    NODE_COMPILE_CACHE: compileCache,
    CLOCK_URL: `http://127.0.0.1:${plan.ports.sandbox}/clock`,
    ...(plan.traceEndpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: plan.traceEndpoint }),
  };
}

function programProcess(
  { name, main, env, saysReady, isReady }: Program,
  { dir, env: more }: PlatformOptions,
): ManagedProcess {
  return manageProcess({
    name,
    command: process.execPath,
    args: [...heapLimits, compiled(main)],
    env: { ...env, ...more?.[name] },
    logFile: join(dir, "logs", `${name}.log`),
    saysReady,
    isReady,
  });
}

function serviceProgram(plan: PlatformPlan, name: ServiceName): Program {
  const port = plan.rpcPorts[name];
  const env = {
    ...commonEnv(plan, name),
    GRPC_PORT: String(port),
    MONGODB_URI: plan.mongoUri,
    MONGODB_DATABASE: databaseOf(plan, name),
    ...ownEnv(plan)[name],
  };
  return { name, main: `services/${name}/main`, env, saysReady: /serving gRPC/, isReady: () => accepts(port) };
}

/** Limits the heap: a young generation that grows with the machine would keep hundreds of idle megabytes per process. */
const heapLimits = ["--max-semi-space-size=8", "--max-old-space-size=256"];

/** Settings of single services besides the common ones. */
function ownEnv(plan: PlatformPlan): Record<ServiceName, Record<string, string>> {
  const { secrets, bus, ports } = plan;
  return {
    auth: {
      ...bus.envOf("auth"),
      AUTH_ISSUER: secrets.credentials.baseUrl,
      AUTH_AUDIENCE: audience,
      AUTH_PEPPER_FILE: secrets.keyFile("pepper"),
      AUTH_SEALING_KEY_FILE: secrets.keyFile("auth-sealing"),
      AUTH_BOOTSTRAP_FILE: secrets.credentialsFile,
      AUTH_OIDC_FILE: secrets.oidcFile,
    },
    schema: {},
    fx: {
      SCHEMA_TARGET: target(plan, "schema"),
      WALLET_TARGET: target(plan, "wallet"),
      PAYMENT_TARGET: target(plan, "payment"),
    },
    webhook: {
      ...bus.envOf("webhook"),
      WEBHOOK_SEALING_KEY_FILE: secrets.keyFile("webhook-sealing"),
      WEBHOOK_CA_FILE: secrets.tls.caFile,
    },
    identity: {
      ...bus.envOf("identity"),
      KYC_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
      DOCUMENT_READING_TENANTS: "demo",
      KYC_API_KEY_FILE: secrets.keyFile("rail-api"),
      KYC_CALLBACK_SECRET_FILE: secrets.callbackSecretFile("kyc"),
      SCREENING_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
      SCREENING_API_KEY_FILE: secrets.keyFile("rail-api"),
      SCREENING_CALLBACK_SECRET_FILE: secrets.callbackSecretFile("screening"),
      SCHEMA_TARGET: target(plan, "schema"),
      IDENTITY_SEALING_KEY_FILE: secrets.keyFile("identity-sealing"),
      IDENTITY_INDEX_KEY_FILE: secrets.keyFile("identity-index"),
      IDENTITY_SCREENING_LIST_FILE: join(dirname(compiled("sandbox/main")), "screening-list.json"),
    },
    wallet: {
      ...bus.envOf("wallet"),
      PAYMENT_TARGET: target(plan, "payment"),
      WALLET_STATEMENTS: statementsOf(`http://127.0.0.1:${ports.sandbox}`),
      WALLET_STATEMENT_TOKENS_FILE: secrets.statementTokensFile,
      WALLET_SEAL_KEY_FILE: secrets.keyFile("ledger-seal"),
      WALLET_SEALING_KEY_FILE: secrets.keyFile("wallet-sealing"),
    },
    payment: {
      RATE_LIMIT_FACTOR: rateLimitFactor,
      ...bus.envOf("payment"),
      SCHEMA_TARGET: target(plan, "schema"),
      FX_TARGET: target(plan, "fx"),
      WALLET_TARGET: target(plan, "wallet"),
      IDENTITY_TARGET: target(plan, "identity"),
      AUTH_TARGET: target(plan, "auth"),
      WEBHOOK_TARGET: target(plan, "webhook"),
      PAYMENT_SEALING_KEY_FILE: secrets.keyFile("payment-sealing"),
      RAIL_BASE_URL: `http://127.0.0.1:${ports.sandbox}`,
      RAIL_API_KEY_FILE: secrets.keyFile("rail-api"),
      PROVIDER_CALLBACK_SECRETS_FILE: secrets.callbackSecretsFile,
      LINKER_BASE_URL: `http://127.0.0.1:${ports.sandbox}/plaid`,
      LINKER_CLIENT_ID: "corridor",
      LINKER_SECRET_FILE: secrets.keyFile("rail-api"),
    },
  };
}

function gatewayProgram(plan: PlatformPlan): Program {
  const targets = Object.fromEntries(services.map((name) => [`${name.toUpperCase()}_TARGET`, target(plan, name)]));
  const port = plan.ports.gateway;
  const env = {
    ...commonEnv(plan, "gateway"),
    ...plan.bus.envOf("gateway"),
    GATEWAY_PORT: String(port),
    GATEWAY_TLS_PORT: String(plan.ports.gatewayTls),
    GATEWAY_TLS_CERT_FILE: plan.secrets.tls.certFile,
    GATEWAY_TLS_KEY_FILE: plan.secrets.tls.keyFile,
    GATEWAY_DOORS: "public,operator,console",
    CONSOLE_PORT: String(plan.ports.console),
    OPERATOR_PORT: String(plan.ports.operator),
    OPERATOR_TOKENS_FILE: plan.secrets.keyFile("operators"),
    ...(plan.fourEyes === true ? { OPERATOR_FOUR_EYES: "on" } : {}),
    // A machine that runs everything at once is slow at times.
    GATEWAY_MAX_LAG_MS: "10000",
    RATE_LIMIT_FACTOR: rateLimitFactor,
    AUTH_AUDIENCE: audience,
    ...targets,
  };
  const isReady = (): Promise<boolean> => hasAll(`http://127.0.0.1:${port}/readyz`);
  return { name: "gateway", main: "gateway/main", env, saysReady: /serving HTTP/, isReady };
}

function sandboxProgram(plan: PlatformPlan): Program {
  const { secrets, ports } = plan;
  const env = {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_TLS_PORT: String(ports.sandboxTls),
    SANDBOX_TLS_CERT_FILE: secrets.tls.certFile,
    SANDBOX_TLS_KEY_FILE: secrets.tls.keyFile,
    SANDBOX_DATA_DIR: join(plan.dir, "sandbox"),
    SANDBOX_RAIL_KEY: secrets.key("rail-api"),
    SANDBOX_CALLBACK_URL: `http://127.0.0.1:${ports.gateway}/provider-callbacks`,
    SANDBOX_CALLBACK_SECRET: secrets.key("rail-callback"),
    SANDBOX_CALLBACK_SECRETS: secrets.callbackSecrets,
  };
  const isReady = (): Promise<boolean> => answers(`http://127.0.0.1:${ports.sandbox}/healthz`);
  return { name: "sandbox", main: "sandbox/main", env, saysReady: /sandbox listens/, isReady };
}

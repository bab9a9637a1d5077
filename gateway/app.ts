import type { RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../services/shared/kernel/clock";
import { type Ids, systemIds } from "../services/shared/kernel/ids";
import { makeNetworks, type Networks } from "../services/shared/kernel/networks";
import { type Running, stopAll } from "../services/shared/process/lifecycle";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { counter, gauge, secondsHistogram } from "../services/shared/process/metrics";
import { openRuntime, type Runtime } from "../services/shared/process/runtime";
import { type AdmissionControl, startAdmissionControl } from "./admission-control";
import { makeAudit } from "./audit";
import { type Callers, makeCallers } from "./callers";
import { openUpstreams, type Upstreams } from "./clients";
import type { GatewayConfig } from "./config";
import { makeConsoleDoor } from "./console/console-door";
import { builtConsole, readConsoleFiles } from "./console/console-files";
import { type Doors, startDoors } from "./doors";
import { makeHttpApp } from "./http-app";
import { type HttpListener, listen, type TlsFiles } from "./http-server";
import type { HttpDeps } from "./middleware/http-deps";
import { type Access, openAccess } from "./open-access";
import { makeFourEyes, oneOperator } from "./operator/four-eyes";
import { makeOperatorTable, type OperatorTableDeps } from "./operator/operator-table";
import { makePeerReader, type PeerReader } from "./peer";
import { makeLimits, makeRateLimiter, type RateLimiter } from "./rate-limiter";
import { makeReadiness } from "./readiness";
import { makeRequestTime, type RequestTime } from "./request-time";
import type { Route } from "./route";
import { makeRouteTable, type RouteTableDeps } from "./route-table";
import { operationRoutes } from "./routes/operations";
import { makeStrangerBudget } from "./stranger-budget";
import { makeTenantAdmission } from "./tenant-admission";
import { lookingAnew } from "./withdrawals";

interface GatewayOverrides {
  clock?: Clock;
  ids?: Ids;
}

export interface Gateway extends Running {
  /** Port of plain HTTP; absent outside the local profile. */
  port: number | undefined;
  /** Port of HTTPS; absent without a certificate. */
  tlsPort: number | undefined;
  /** Port of the operator API; absent without tokens of operators. */
  operatorPort: number | undefined;
  /** Port of the console; absent where that door is closed. */
  consolePort: number | undefined;
}

/** Most requests of one tenant at once, over all replicas. */
const requestsInFlight = 64;

/**
 * Starts the gateway; resolves when it listens. It starts without its upstreams, answers SYS_503 on the routes of upstreams that are away,
 * and names them at `/readyz`. Stopping it turns `/readyz` to 503, keeps serving for the drain time so that balancers and callers move
 * away, then answers the running requests.
 */
export async function startGateway(
  config: GatewayConfig,
  { clock: givenClock, ids = systemIds }: GatewayOverrides = {},
): Promise<Gateway> {
  const runtime = await openRuntime("gateway", config);
  const { logger, tracing, tls } = runtime;
  const clock = givenClock ?? runtime.clock;
  const opened = openUpstreams(config, tls, tracing);
  const readiness = makeReadiness(targetsOf(config), tls, clock);
  const strangers = makeStrangerBudget({ factor: config.RATE_LIMIT_FACTOR });
  const access = await openAccess(config, runtime, opened, { clock, ids, strangers });
  const upstreams = { ...opened, auth: lookingAnew(opened.auth, access.lookAnew) };
  const { keySet, rules, authenticate, operators } = access;
  const limiter = makeRateLimiter({ leaseTokens: upstreams.auth.leaseTokens, logger });
  const gate = admissionOf(config, runtime);
  const limits = makeLimits(config.RATE_LIMIT_FACTOR);
  const proxies = makeNetworks(config.GATEWAY_PROXY_NETWORKS);
  const doors = doorsOf(config, proxies, runtime);
  const places = { most: requestsInFlight * config.RATE_LIMIT_FACTOR, replicas: rules.replicas };
  const [tenantAdmission, bodies] = [makeTenantAdmission(places), makeTenantAdmission(places)];
  let isDraining = false;
  const time = requestTimeOf(config, () => isDraining);
  const gates = { gate, doors, strangers, tenantAdmission, bodies, limiter, limits, time };
  const seen = observers(runtime, upstreams, refusalRecordsOf(limiter));
  const tableDeps = {
    upstreams,
    keySet,
    limiter,
    limits,
    strangers,
    readiness,
    clock,
    linkerSegment: config.LINKER_SEGMENT,
    isDraining: () => isDraining,
    waiters: access.waiters,
  };
  const tableUpon = (stage: Upstreams): readonly Route[] => makeOperatorTable({ ...tableDeps, upstreams: stage });
  const fourEyes =
    config.OPERATOR_FOUR_EYES === "off" ? oneOperator : makeFourEyes({ auth: upstreams.auth, operators, tableUpon });
  const common = { ...seen, ...gates, fourEyes, authenticate, logger, tracing, ids, isDraining: () => isDraining };
  const callers = callersOf(config);
  const apps = appsOf(config, { access, upstreams, common, tableDeps, peers: peersOf(config, proxies, callers) });
  const listeners = await openListeners(config, { ...apps, time, doors, callers }, logger);
  const ports = portsOf(listeners);
  logger.info(ports, "serving HTTP");
  runtime.health.started();
  const parts = [runtime, readiness, upstreams, seen.audit, access, gate, doors, ...Object.values(listeners)].filter(
    (part) => part !== undefined,
  );
  return {
    ...ports,
    async stop() {
      isDraining = true;
      runtime.health.stopping();
      await access.waiters.stop();
      await sleep(config.GATEWAY_DRAIN_MS);
      await stopAll(parts).stop();
    },
  };
}

interface AppParts {
  access: Access;
  upstreams: Upstreams;
  common: Omit<HttpDeps, "peerOf" | "enter" | "doorHeaders">;
  tableDeps: RouteTableDeps & OperatorTableDeps;
  peers: ReturnType<typeof peersOf>;
}

/** The routes that each door serves. The console's door has the rows of the two others. */
function appsOf(config: GatewayConfig, { access, upstreams, common, tableDeps, peers }: AppParts): Apps {
  const { publicPeer, operatorPeer } = peers;
  const appOf = (table: readonly Route[], peerOf: PeerReader): RequestListener =>
    makeHttpApp(table, { ...common, peerOf, enter: [], doorHeaders: {} });
  const tables = { open: makeRouteTable(tableDeps), operator: makeOperatorTable(tableDeps) };
  return {
    open: appOf(tables.open, publicPeer),
    operator: appOf(tables.operator, operatorPeer),
    console: makeConsoleDoor({
      ...common,
      tables,
      probes: operationRoutes(tableDeps),
      authenticate: access.authenticateBrowser,
      people: access.people,
      auth: upstreams.auth,
      files: readConsoleFiles(config.CONSOLE_DIR ?? builtConsole),
      profile: config.PROFILE,
      origin: config.CONSOLE_ORIGIN,
      peerOf: publicPeer,
    }),
  };
}

/** Whether one more refusal of a tenant gets a record of its own: all gateways share the tenant's bound. */
const refusalRecordsOf =
  (limiter: RateLimiter) =>
  async (tenant: string): Promise<boolean> =>
    (await limiter.take(tenant, makeLimits(1).refusalRecord)).isAllowed;

const requestTimeOf = (config: GatewayConfig, isDraining: () => boolean): RequestTime =>
  makeRequestTime({
    requestMs: config.GATEWAY_REQUEST_MS,
    uploadMs: config.GATEWAY_UPLOAD_MS,
    uploadBytesPerSecond: config.GATEWAY_UPLOAD_BYTES_PER_SECOND,
    isDraining,
  });

type PublicAndOperator<T> = Readonly<Record<"open" | "operator", T>>;

/** Operators connect without a balancer or proxy. */
const callersOf = (config: GatewayConfig): PublicAndOperator<Callers> => ({
  open: makeCallers(makeNetworks(config.GATEWAY_PROXY_PROTOCOL_NETWORKS)),
  operator: makeCallers(makeNetworks([])),
});

const peersOf = (config: GatewayConfig, proxies: Networks, callers: PublicAndOperator<Callers>) => ({
  publicPeer: makePeerReader({
    callers: callers.open,
    trustedHops: config.GATEWAY_TRUSTED_HOPS,
    proxies,
    proxyCertificate: config.GATEWAY_PROXY_CERTIFICATE,
  }),
  operatorPeer: makePeerReader({
    callers: callers.operator,
    trustedHops: 0,
    proxies: makeNetworks([]),
    proxyCertificate: undefined,
  }),
});

/** Room for connections of strangers, from one address and in all, and of those who are known. */
const roomAtTheDoor = { perAddress: 256, inAll: 4_096, known: 4_096 };
/** New connections of strangers from one address at once. */
const rush = 512;

function admissionOf(config: GatewayConfig, { metrics }: Runtime): AdmissionControl {
  const { GATEWAY_MAX_IN_FLIGHT: maxInFlight, GATEWAY_MAX_LAG_MS: maxLagMs } = config;
  const admission = startAdmissionControl({ maxInFlight, maxLagMs });
  gauge(metrics, "corridor_http_in_flight", "Requests that are worked on.", admission.inFlight);
  return admission;
}

function doorsOf({ RATE_LIMIT_FACTOR: factor }: GatewayConfig, proxies: Networks, { metrics }: Runtime): Doors {
  const doors = startDoors({ ...roomAtTheDoor, burst: rush * factor, isProxy: proxies.includes });
  gauge(metrics, "corridor_http_strangers", "Connections on which no credential was good yet.", doors.strangers);
  return doors;
}

/** Every upstream service, by name. */
function targetsOf(config: GatewayConfig): Record<string, string> {
  const targets: Record<string, string> = {};
  for (const [key, value] of Object.entries(config)) {
    const name = /^([A-Z]+)_TARGET$/.exec(key)?.[1];
    if (name !== undefined && typeof value === "string") targets[name.toLowerCase()] = value;
  }
  return targets;
}

/** Counters, measurements and records of requests. */
function observers(
  { metrics, logger }: Runtime,
  { auth: { appendAuditRecords } }: Upstreams,
  takeOfTenant: (tenant: string) => Promise<boolean>,
) {
  const durations = secondsHistogram(
    metrics,
    "corridor_http_request_duration_seconds",
    "Time to answer a REST request.",
    ["route", "status"],
  );
  const anonymous = counter(
    metrics,
    "corridor_anonymous_refusals_total",
    "Refusals of callers without a valid credential.",
    ["reason"],
  );
  const cards = counter(metrics, "corridor_card_numbers_refused_total", "Requests refused for a card number in them.");
  const lost = counter(metrics, "corridor_audit_records_lost_total", "Refusals that could not be recorded.");
  return {
    requestServed: (route: string, status: number, durationMs: number): void =>
      durations.observe({ route, status }, durationMs / 1_000),
    refusedCardNumber: (): void => cards.inc(),
    refusedAnonymous: (reason: string): void => anonymous.inc({ reason }),
    audit: makeAudit({ appendAuditRecords, takeOfTenant, recordLost: () => lost.inc(), logger }),
  };
}

type Listeners = Readonly<Record<"http" | "https" | "operator" | "console", HttpListener | undefined>>;

const portsOf = ({ http, https, operator, console }: Listeners) => ({
  port: http?.port,
  tlsPort: https?.port,
  operatorPort: operator?.port,
  consolePort: console?.port,
});

type Apps = Readonly<Record<"open" | "operator" | "console", RequestListener>>;

/** Plain HTTP in the local profile only; operators and browsers are never asked for a client certificate. */
async function openListeners(
  config: GatewayConfig,
  apps: Apps & { time: RequestTime; doors: Doors; callers: PublicAndOperator<Callers> },
  logger: Logger,
): Promise<Listeners> {
  const { LISTEN_HOST: host, GATEWAY_TLS_CERT_FILE: certificate, GATEWAY_TLS_KEY_FILE: key } = config;
  const isLocal = config.PROFILE === "local";
  const onBadFiles = (error: unknown): void => logger.error(errorFields(error), "new certificates cannot be used");
  const files = (clientCa: string | undefined): TlsFiles | undefined =>
    certificate === undefined || key === undefined ? undefined : { certificate, key, clientCa, onBadFiles };
  const common = { host, time: apps.time, doors: apps.doors, callers: apps.callers.open };
  const open = (door: "public" | "operator" | "console", isThere: boolean, listener: () => Promise<HttpListener>) =>
    isThere && config.GATEWAY_DOORS.has(door) ? listener() : undefined;
  const tls = files(config.GATEWAY_CLIENT_CA_FILE);
  const plainTls = isLocal ? undefined : files(undefined);
  const secure = plainTls === undefined ? {} : { tls: plainTls };
  const operators = { ...common, ...secure, callers: apps.callers.operator, port: config.OPERATOR_PORT };
  return {
    http: await open("public", isLocal, () => listen(apps.open, { ...common, port: config.GATEWAY_PORT })),
    https: await open("public", tls !== undefined, () =>
      listen(apps.open, { ...common, port: config.GATEWAY_TLS_PORT, ...(tls === undefined ? {} : { tls }) }),
    ),
    operator: await open("operator", config.OPERATOR_TOKENS_FILE !== undefined, () => listen(apps.operator, operators)),
    console: await open("console", true, () =>
      listen(apps.console, { ...common, ...secure, port: config.CONSOLE_PORT }),
    ),
  };
}

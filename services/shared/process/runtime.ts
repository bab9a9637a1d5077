import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../kernel/clock";
import {
  type Configured,
  integer,
  oneOf,
  optional,
  profile,
  readableFile,
  type Setting,
  text,
  url,
  withDefault,
} from "./config";
import { followClock } from "./followed-clock";
import { type Health, makeHealth } from "./health";
import { inspectProduction, WeakProductionError } from "./inspect-production";
import { type Running, stopAll } from "./lifecycle";
import { errorFields, type Logger, makeLogger } from "./logger";
import { gauge, type Metrics, makeMetrics } from "./metrics";
import { startMetricsExport } from "./metrics-export";
import { serveProbes } from "./probe-server";
import { followCertificates, type RpcTls } from "./rpc-certificates";
import { noTracing, type Tracing } from "./tracing";

/** Longest flush of traces at the end, milliseconds; leaves time for calls that are still awaited. */
const traceFlushMs = 3_000;

const share: Setting<number> = (value) => {
  const ratio = /^(0|1|0?\.\d{1,6})$/.test(value ?? "") ? Number.parseFloat(value ?? "") : Number.NaN;
  return ratio >= 0 && ratio <= 1 ? { value: ratio } : { problem: "must be a number from 0 to 1" };
};

/** Settings of every process. Each service spreads them into its own. */
export const runtimeSettings = {
  PROFILE: profile,
  LOG_LEVEL: withDefault(oneOf("debug", "info", "warn", "error"), "info"),
  LISTEN_HOST: withDefault(text, "127.0.0.1"),
  METRICS_PORT: withDefault(integer(0, 65_535), 0),
  CLOCK_URL: optional(url("http")),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url("http", "https")),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: optional(url("http", "https")),
  OTEL_TRACES_SAMPLER_ARG: withDefault(share, 1),
  STORE_DISKS_ENCRYPTED: optional(oneOf("yes", "no")),
  RPC_TLS_CA_FILE: optional(readableFile),
  RPC_TLS_CERT_FILE: optional(readableFile),
  RPC_TLS_KEY_FILE: optional(readableFile),
};

export type RuntimeConfig = Configured<typeof runtimeSettings>;

/** The runtime of a process: log, traces, metrics and clock. */
export interface Runtime extends Running {
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  health: Health;
  tls: RpcTls | undefined;
  /** The time of business rules. Deadlines and leases use the machine's clock. */
  clock: Clock;
}

/**
 * Opens log, traces and metrics of one process. Without a configured endpoint the tracing SDK is not loaded. Throws in
 * production when anything is too weak for it, with the full list, and outside the local profile when CLOCK_URL is set.
 * `config` has all settings of the process.
 */
export async function openRuntime(service: string, config: RuntimeConfig): Promise<Runtime> {
  const logger = makeLogger(service, config.LOG_LEVEL);
  if (config.PROFILE === "production") {
    const weaknesses = await inspectProduction(service, config);
    if (weaknesses.length > 0) throw new WeakProductionError(weaknesses);
  }
  const tls = rpcTls(config, logger);
  if (config.CLOCK_URL !== undefined && config.PROFILE !== "local") {
    throw new Error("CLOCK_URL is for the local profile only");
  }
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const tracing =
    endpoint === undefined
      ? noTracing
      : (await import("./tracing-otel.js")).makeOtelTracing(service, endpoint, config.OTEL_TRACES_SAMPLER_ARG);
  const metrics = makeMetrics(service);
  if (tls !== undefined) countDaysLeft(metrics, tls);
  const health = makeHealth();
  const probes = await serveProbes({ metrics, health }, config.LISTEN_HOST, config.METRICS_PORT);
  logger.info({ port: probes.port }, "serving metrics");
  const metricsEndpoint = config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
  const exported =
    metricsEndpoint === undefined
      ? undefined
      : startMetricsExport({ service, registry: metrics.registry, endpoint: metricsEndpoint, logger });
  const followed = config.CLOCK_URL === undefined ? undefined : followClock(config.CLOCK_URL);
  return {
    logger,
    tracing,
    metrics,
    health,
    tls,
    clock: followed?.clock ?? systemClock,
    ...stopAll([tracesEnd(tracing, logger), probes, ...[followed, tls, exported].filter((part) => part !== undefined)]),
  };
}

/** Flushes traces at the end. A failure or delay does not affect how the process ends. */
const tracesEnd = (tracing: Tracing, logger: Logger): Running => ({
  async stop() {
    const late = sleep(traceFlushMs, "late", { ref: false });
    try {
      const ended = await Promise.race([tracing.stop(), late]);
      if (ended === "late") logger.warn({ traceFlushMs }, "traces could not be sent in time");
    } catch (error) {
      logger.warn(errorFields(error), "traces could not be sent");
    }
  },
});

/** Reports when the current certificate of calls expires. */
const countDaysLeft = (metrics: Metrics, tls: RpcTls): void => {
  gauge(metrics, "corridor_certificate_expires_seconds", "When the certificate of calls ends, Unix time.", () =>
    Math.floor(tls.validTo().getTime() / 1_000),
  );
};

function rpcTls(config: RuntimeConfig, logger: Logger): (RpcTls & Running) | undefined {
  const { RPC_TLS_CA_FILE: ca, RPC_TLS_CERT_FILE: certificate, RPC_TLS_KEY_FILE: key } = config;
  if (ca === undefined || certificate === undefined || key === undefined) return undefined;
  return followCertificates({ ca, certificate, key }, (error) =>
    logger.error(errorFields(error), "new certificates cannot be used"),
  );
}

/** Settings of a service that uses the bus. */
export const busSettings = {
  NATS_URL: url("nats", "tls"),
  NATS_PASSWORD_FILE: optional(readableFile),
  NATS_CA_FILE: optional(readableFile),
};

/** Settings of a service: those of every process, and those of one that serves gRPC and uses MongoDB. */
export const serviceSettings = {
  ...runtimeSettings,
  GRPC_PORT: integer(0, 65_535),
  MONGODB_URI: url("mongodb", "mongodb+srv"),
  MONGODB_DATABASE: text,
};

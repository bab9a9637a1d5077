import { createServer } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Running } from "./lifecycle";

/** Measurements of one process, read by Prometheus. Labels have few values: never an id, a tenant or an address. */
export interface Metrics {
  readonly registry: Registry;
  rpcServed(method: string, code: string, durationMs: number): void;
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function makeMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const served = new Histogram({
    name: "corridor_rpc_duration_seconds",
    help: "Time to answer a gRPC call.",
    labelNames: ["method", "code"],
    buckets: durationBuckets,
    registers: [registry],
  });
  return {
    registry,
    rpcServed: (method, code, durationMs) => served.observe({ method, code }, durationMs / 1_000),
  };
}

/** The counter of this name in the registry of this process; several parts of it may count into one. */
export function counter(metrics: Metrics, name: string, help: string, labelNames: string[] = []): Counter {
  const known = metrics.registry.getSingleMetric(name);
  return known instanceof Counter ? known : new Counter({ name, help, labelNames, registers: [metrics.registry] });
}

/** A gauge whose value is read when Prometheus asks. */
export const gauge = (metrics: Metrics, name: string, help: string, read: () => number | Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      this.set(await read());
    },
  });

/** A value with its labels. */
export interface LabelledValue {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Gauges of one name, read when Prometheus asks. What `read` no longer gives is no longer shown. */
export const gauges = (
  metrics: Metrics,
  name: string,
  help: string,
  { labelNames, read }: { labelNames: string[]; read(): Promise<readonly LabelledValue[]> },
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames,
    registers: [metrics.registry],
    async collect() {
      const values = await read();
      this.reset();
      for (const { labels, value } of values) this.set({ ...labels }, value);
    },
  });

/** The histogram of seconds of this name in the registry of this process; several parts of it may observe into one. */
export function secondsHistogram(metrics: Metrics, name: string, help: string, labelNames: string[] = []): Histogram {
  const known = metrics.registry.getSingleMetric(name);
  if (known instanceof Histogram) return known;
  return new Histogram({ name, help, labelNames, buckets: durationBuckets, registers: [metrics.registry] });
}

/** Serves `GET /metrics` in the Prometheus text format. */
export async function serveMetrics(metrics: Metrics, host: string, port: number): Promise<Running & { port: number }> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

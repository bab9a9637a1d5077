import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Figures, makeFigures } from "./figures";

/** Measurements of one process, read by Prometheus. Labels have few values: never an id, a tenant or an address. */
export interface Metrics {
  readonly registry: Registry;
  /** Values that are read from elsewhere. */
  readonly figures: Figures;
  rpcServed(method: string, code: string, durationMs: number): void;
}

/**
 * Interval of samples of the event loop's delay, milliseconds; the reported value includes it. Each sample wakes even an idle
 * process.
 */
const loopSampleMs = 500;

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export function makeMetrics(service: string): Metrics {
  const registry = new Registry();
  // Not `service`: scrapers in a cluster use that label for the Kubernetes Service.
  registry.setDefaultLabels({ corridor_service: service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopSampleMs });
  const figures = makeFigures();
  const age = new Gauge({
    name: "corridor_figures_age_seconds",
    help: "Age of the oldest figure that is read from elsewhere, such as the store.",
    registers: [],
    collect() {
      this.set(figures.oldestAgeSeconds());
    },
  });
  registry.registerMetric(age);
  const served = new Histogram({
    name: "corridor_rpc_duration_seconds",
    help: "Time to answer a gRPC call.",
    labelNames: ["method", "code"],
    buckets: durationBuckets,
    registers: [registry],
  });
  return {
    registry,
    figures,
    rpcServed: (method, code, durationMs) => served.observe({ method, code }, durationMs / 1_000),
  };
}

/** The counter of this name in the registry of this process; several parts of it may count into one. */
export function counter(metrics: Metrics, name: string, help: string, labelNames: string[] = []): Counter {
  const known = metrics.registry.getSingleMetric(name);
  return known instanceof Counter ? known : new Counter({ name, help, labelNames, registers: [metrics.registry] });
}

/**
 * A gauge whose value is read when Prometheus scrapes. A slow source is waited for only briefly: then the last value is
 * reported, and `corridor_figures_age_seconds` shows its age.
 */
export function gauge(metrics: Metrics, name: string, help: string, read: () => number | Promise<number>): Gauge {
  const figure = metrics.figures.of(name, read);
  return new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      const value = await figure();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** A value with its labels. */
export interface LabelledValue {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Gauges of one name, read like a single one. Values that `read` no longer returns disappear. */
export function gauges(
  metrics: Metrics,
  name: string,
  help: string,
  { labelNames, read }: { labelNames: string[]; read(): Promise<readonly LabelledValue[]> },
): Gauge {
  const figure = metrics.figures.of(name, read);
  return new Gauge({
    name,
    help,
    labelNames,
    registers: [metrics.registry],
    async collect() {
      const values = (await figure()) ?? [];
      this.reset();
      for (const { labels, value } of values) this.set({ ...labels }, value);
    },
  });
}

/** The histogram of seconds of this name in the registry of this process; several parts of it may observe into one. */
export function secondsHistogram(metrics: Metrics, name: string, help: string, labelNames: string[] = []): Histogram {
  const known = metrics.registry.getSingleMetric(name);
  if (known instanceof Histogram) return known;
  return new Histogram({ name, help, labelNames, buckets: durationBuckets, registers: [metrics.registry] });
}

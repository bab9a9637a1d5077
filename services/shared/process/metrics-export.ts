import type { Registry } from "prom-client";
import { systemClock } from "../kernel/clock";
import type { Running } from "./lifecycle";
import { errorFields, type Logger } from "./logger";
import { repeat } from "./repeat";

export interface MetricsExportOptions {
  service: string;
  registry: Registry;
  /** The OTLP over HTTP endpoint for metrics, including its path. */
  endpoint: string;
  logger: Logger;
  everyMs?: number;
}

const defaultEveryMs = 60_000;
const answerTimeoutMs = 5_000;
/** AGGREGATION_TEMPORALITY_CUMULATIVE */
const cumulative = 2;

/**
 * Sends everything that Prometheus would read to an OTLP endpoint, periodically and once more at the end. While the endpoint is
 * unavailable, only these points are lost.
 */
export function startMetricsExport(options: MetricsExportOptions): Running {
  const { logger, everyMs = defaultEveryMs } = options;
  const startedAt = nanos(systemClock.now());
  const onError = (error: unknown): void => logger.warn(errorFields(error), "metrics could not be sent");
  const send = (): Promise<void> => sendMetrics(options, startedAt);
  const sending = repeat(everyMs, send, onError);
  return {
    async stop() {
      await sending.stop();
      await send().catch(onError);
    },
  };
}

async function sendMetrics({ service, registry, endpoint }: MetricsExportOptions, startedAt: string): Promise<void> {
  const metrics = encodeMetrics(await registry.getMetricsAsJSON(), { startedAt, at: nanos(systemClock.now()) });
  const resource = { attributes: [attribute("service.name", service)] };
  const body = { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: "corridor" }, metrics }] }] };
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the endpoint of metrics answered ${answer.status}`);
}

interface Times {
  startedAt: string;
  at: string;
}
type Labels = Partial<Record<string, string | number>>;
interface Sample {
  value: number;
  labels: Labels;
  /** Set in histograms: the name with `_bucket`, `_sum` or `_count`. */
  metricName?: string;
}
/** What the registry reports of a metric; its own types name the kinds by number. */
type Told = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>[number];

/** Encodes the metrics of a registry in the JSON form of OTLP. */
function encodeMetrics(all: readonly Told[], times: Times): object[] {
  return all.flatMap(({ name, help, type, values }): object[] => {
    const samples: readonly Sample[] = values;
    if (samples.length === 0) return [];
    const base = { name, description: help };
    switch (String(type)) {
      case "counter": {
        const dataPoints = samples.map((sample) => pointOf(sample, times));
        return [{ ...base, sum: { dataPoints, isMonotonic: true, aggregationTemporality: cumulative } }];
      }
      case "histogram": {
        const dataPoints = histogramPoints(name, samples, times);
        return [{ ...base, histogram: { dataPoints, aggregationTemporality: cumulative } }];
      }
      default:
        return [{ ...base, gauge: { dataPoints: samples.map((sample) => pointOf(sample, times)) } }];
    }
  });
}

const pointOf = ({ value, labels }: Sample, times: Times): object => ({ ...placeOf(labels, times), asDouble: value });

const placeOf = (labels: Labels, { startedAt, at }: Times): object => ({
  attributes: Object.entries(labels).map(([key, value]) => attribute(key, String(value))),
  startTimeUnixNano: startedAt,
  timeUnixNano: at,
});

/** Returns one point for each set of labels. Prometheus counts the values up to each bound, OTLP those between two bounds. */
function histogramPoints(name: string, samples: readonly Sample[], times: Times): object[] {
  const sets = Map.groupBy(samples, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels));
  return [...sets.values()].map((set) => {
    const buckets = set.filter(({ metricName }) => metricName === `${name}_bucket`);
    const bounded = buckets.filter(({ labels }) => labels["le"] !== "+Inf");
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0));
    const only = (ending: string): number =>
      set.find(({ metricName }) => metricName === `${name}_${ending}`)?.value ?? 0;
    const { le: _bound, ...labels } = set[0]?.labels ?? {};
    return {
      ...placeOf(labels, times),
      count: String(only("count")),
      sum: only("sum"),
      explicitBounds: bounded.map((bucket) => bucket.labels["le"]),
      bucketCounts: counts.map(String),
    };
  });
}

const attribute = (key: string, stringValue: string): object => ({ key, value: { stringValue } });

const nanos = (time: Date): string => `${time.getTime()}000000`;

import { startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import { paymentJob, type Subject, serverNames, startSubject } from "./subject";

const rounds = 7;
const payments = 250;

const bars = { "0": 1.05, "0.1": 1.12, "1": 1.5 } as const;
type Share = keyof typeof bars;
const shares = ["0", "0.1", "1"] as const satisfies readonly Share[];

/**
 * Processor time of a payment on its whole way, from the request to its last webhook, in all our processes: with tracing on
 * against off. Four platforms run side by side, so that all of them see the same machine.
 */
export async function measureTracing(load: Load): Promise<Goal[]> {
  const sink = await startFloor("trace-sink");
  const off = await startPaying({});
  const on: Record<string, Subject> = {};
  for (const share of shares) on[share] = await startPaying(traced(`http://127.0.0.1:${sink.captured}`, share));
  const subjects = { off, ...on };
  const run = (subject: Subject) => async () => {
    const result = await load.run(
      await paymentJob(subject, { count: payments, inFlight: 32, includesBackground: true }),
    );
    return result.cpuMicros;
  };
  const variants = Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, run(subject)]));
  const samples = await interleave(variants, rounds);
  await Promise.all(Object.values(subjects).map((subject) => subject.stop()));
  await sink.stop();
  const without = samples["off"] ?? [];
  return shares.map((share) => {
    const withTraces = samples[share] ?? [];
    const ratios = withTraces.map((cpu, round) => format(cpu / (without[round] ?? Number.NaN)));
    return {
      id: "P12",
      what: `CPU of a payment, ${Number(share) * 100} % of traces kept / tracing off`,
      value: pairRatio(withTraces, without, (cpu) => cpu),
      unit: "x",
      bar: { atMost: bars[share] },
      isDue: true,
      seen: `${format(median(withTraces))} against ${format(median(without))} µs; rounds ${ratios.join(" ")}`,
    };
  });
}

const traced = (traceEndpoint: string, share: Share) => ({
  traceEndpoint,
  env: Object.fromEntries(serverNames.map((name) => [name, { OTEL_TRACES_SAMPLER_ARG: share }])),
});

/** A platform whose payments have a webhook to go to. */
async function startPaying(options: Parameters<typeof startSubject>[0]): Promise<Subject> {
  const subject = await startSubject(options);
  await subject.client.subscribe("bench");
  return subject;
}

import { startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import { paymentJob, type Subject, serverNames, startSubject } from "./subject";

const rounds = 9;
const payments = 100;
const warmUp = 300;

const bars = { "0": 1.05, "0.1": 1.12, "1": 1.5 } as const;
type Share = keyof typeof bars;
const shares = ["0", "0.1", "1"] as const satisfies readonly Share[];

/**
 * Processor time of a payment on its whole way, from the request to its last webhook, in all our processes: with tracing on
 * against off. All platforms run side by side from the start, and each share of traces is measured in rounds of its own
 * with the platform without tracing, so that the two samples of a pair are never more than seconds apart.
 */
export async function measureTracing(load: Load): Promise<Goal[]> {
  const sink = await startFloor("trace-sink");
  const off = await startPaying({}, load);
  const goals: Goal[] = [];
  const subjects: { share: Share; on: Subject }[] = [];
  for (const share of shares) {
    subjects.push({ share, on: await startPaying(traced(`http://127.0.0.1:${sink.captured}`, share), load) });
  }
  for (const { share, on } of subjects) goals.push(await compare(share, off, on, load));
  for (const subject of [off, ...subjects.map(({ on }) => on)]) await subject.stop();
  await sink.stop();
  return goals;
}

async function compare(share: Share, off: Subject, on: Subject, load: Load): Promise<Goal> {
  const samples = await interleave({ on: () => pay(on, payments, load), off: () => pay(off, payments, load) }, rounds);
  const ratios = samples.on.map((cpu, round) => format(cpu / (samples.off[round] ?? Number.NaN)));
  const figures = `${format(median(samples.on))} against ${format(median(samples.off))} µs`;
  return {
    id: "P12",
    what: `CPU of a payment, ${Number(share) * 100} % of traces kept / tracing off`,
    value: pairRatio(samples.on, samples.off, (cpu) => cpu),
    unit: "x",
    bar: { atMost: bars[share] },
    isDue: true,
    seen: `${figures}; rounds ${ratios.join(" ")}`,
  };
}

/** Processor time per payment, µs, read when everything that the payments started is done. */
async function pay(subject: Subject, count: number, load: Load): Promise<number> {
  const { cpuMicros } = await load.run(await paymentJob(subject, { count, inFlight: 8, includesBackground: true }));
  return cpuMicros;
}

const traced = (traceEndpoint: string, share: Share) => ({
  traceEndpoint,
  env: Object.fromEntries(serverNames.map((name) => [name, { OTEL_TRACES_SAMPLER_ARG: share }])),
});

/** A warm platform whose payments have a webhook to go to. */
async function startPaying(options: Parameters<typeof startSubject>[0], load: Load): Promise<Subject> {
  const subject = await startSubject(options);
  await subject.client.subscribe("bench");
  await pay(subject, warmUp, load);
  return subject;
}

import { startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import { paymentJob, type Subject, serverNames, startSubject } from "./subject";

const rounds = 11;
const payments = 100;
const warmUp = 300;

const bars = { "0": 1.05, "0.1": 1.12, "1": 1.5 } as const;
type Share = keyof typeof bars;
const shares = ["0", "0.1", "1"] as const satisfies readonly Share[];

/**
 * Processor time of a payment on its whole way, from the request to its last webhook, in all our processes: with tracing on
 * against off. All platforms run side by side from the start and take turns, so that each has the same past: one that had
 * worked more would be compared with its better compiled code.
 */
export async function measureTracing(load: Load): Promise<Goal[]> {
  const sink = await startFloor("trace-sink");
  const endpoint = `http://127.0.0.1:${sink.captured}`;
  const off = await startPaying({}, load);
  const none = await startPaying(traced(endpoint, "0"), load);
  const some = await startPaying(traced(endpoint, "0.1"), load);
  const all = await startPaying(traced(endpoint, "1"), load);
  const samples = await interleave(
    {
      off: () => pay(off, payments, load),
      "0": () => pay(none, payments, load),
      "0.1": () => pay(some, payments, load),
      "1": () => pay(all, payments, load),
    },
    rounds,
  );
  for (const subject of [off, none, some, all]) await subject.stop();
  await sink.stop();
  return shares.map((share) => toGoal(share, samples[share], samples.off));
}

function toGoal(share: Share, on: number[], off: number[]): Goal {
  const ratios = on.map((cpu, round) => format(cpu / (off[round] ?? Number.NaN)));
  const figures = `${format(median(on))} against ${format(median(off))} µs`;
  return {
    id: "P12",
    what: `CPU of a payment, ${Number(share) * 100} % of traces kept / tracing off`,
    value: pairRatio(on, off, (cpu) => cpu),
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

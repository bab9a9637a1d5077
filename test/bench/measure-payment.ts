import { type Child, startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { HttpRequest } from "./http-connection";
import type { Load, LoadResult } from "./load";
import { untilIdle } from "./process-figures";
import { interleave, median, pairRatio } from "./statistics";
import { floorPaymentRequest, paymentJob, type Subject } from "./subject";

const rounds = 5;
const seconds = 1.5;
const inFlight = 64;

/**
 * Accepting a payment, against the same hops and one durable insert without any logic, and against a monolith on the same
 * store. While payments are accepted, the outside world and the webhook service stand still, so that carrying payments out
 * is in neither side's figures; what the platform then has to do is waited for before the next one is measured.
 */
export async function measurePayment(subject: Subject, load: Load): Promise<Goal[]> {
  const { MONGODB_URI: mongoUri = "" } = subject.env("payment");
  const service = await startFloor("floor-service", { mongoUri });
  const gateway = await startFloor("floor-gateway", { target: `ipv4:127.0.0.1:${service.captured}` });
  const monolith = await startFloor("monolith", { mongoUri });
  const request = await floorPaymentRequest(subject);
  const onFloor =
    (at: Child, ...servers: Child[]) =>
    () =>
      load.run(floorJob(at, servers, request));
  let count = 300;
  const accept = async (): Promise<LoadResult> => {
    const result = await acceptAlone(subject, load, count);
    count = Math.ceil(result.perSecond * seconds);
    return result;
  };
  const samples = await interleave(
    { platform: accept, floor: onFloor(gateway, gateway, service), monolith: onFloor(monolith, monolith) },
    rounds,
  );
  await Promise.all([gateway.stop(), service.stop(), monolith.stop()]);
  return toGoals(samples);
}

function floorJob({ captured }: Child, servers: readonly Child[], request: HttpRequest) {
  const pids = servers.map(({ pid }) => pid);
  const facts = { port: Number(captured), requests: [request], inFlight, seconds, pids };
  return { kind: "http", includes: '"status":"PENDING"', ...facts } as const;
}

/** Accepts payments while nothing is carried out, and then waits until everything is. */
export async function acceptAlone(subject: Subject, load: Load, count: number): Promise<LoadResult> {
  const others = ["sandbox", "webhook"].map(subject.pid);
  for (const pid of others) process.kill(pid, "SIGSTOP");
  const result = await load.run(await paymentJob(subject, { count, inFlight }));
  for (const pid of others) process.kill(pid, "SIGCONT");
  await untilIdle(subject.pids);
  return result;
}

function toGoals({ platform, floor, monolith }: Record<"platform" | "floor" | "monolith", LoadResult[]>): Goal[] {
  const rate = ({ perSecond }: LoadResult): number => perSecond;
  const cpu = ({ cpuMicros }: LoadResult): number => cpuMicros;
  const seen = (other: LoadResult[], read: (result: LoadResult) => number, unit: string): string =>
    `${format(median(platform.map(read)))} against ${format(median(other.map(read)))} ${unit}`;
  const common = { unit: "x", isDue: false } as const;
  const toFloor = "payment / hops and one durable insert";
  const toMonolith = "payment / Express + mongoose monolith";
  return [
    {
      ...common,
      id: "P3",
      what: `${toFloor}: rate`,
      value: pairRatio(platform, floor, rate),
      bar: { atLeast: 0.55 },
      seen: seen(floor, rate, "/s"),
    },
    {
      ...common,
      id: "",
      what: `${toFloor}: CPU`,
      value: pairRatio(platform, floor, cpu),
      seen: seen(floor, cpu, "µs"),
    },
    {
      ...common,
      id: "P2",
      what: `${toMonolith}: rate`,
      value: pairRatio(platform, monolith, rate),
      bar: { atLeast: 1.3 },
      seen: seen(monolith, rate, "/s"),
    },
    {
      ...common,
      id: "P2",
      what: `${toMonolith}: CPU`,
      value: pairRatio(platform, monolith, cpu),
      bar: { atMost: 0.6 },
      seen: seen(monolith, cpu, "µs"),
    },
  ];
}

import { compiled } from "../../local/compiled";
import { startChild, startFloor } from "./child";
import { format, type Goal } from "./goal";
import type { Load, LoadJob, LoadResult } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import { floorPaymentRequest, lookUp, oneMadePayment, type Subject } from "./subject";

const rounds = 5;
const seconds = 1.5;

const rate = ({ perSecond }: LoadResult): number => perSecond;
const cpu = ({ cpuMicros }: LoadResult): number => cpuMicros;
const mean = ({ meanMs }: LoadResult): number => meanMs;
const tail = ({ p99Ms }: LoadResult): number => p99Ms;

/** The look-up of a payment through the gateway against the same call to the payment service itself. */
export async function measureOverhead(subject: Subject, load: Load): Promise<Goal[]> {
  const id = await oneMadePayment(subject);
  const pids = [subject.pid("gateway"), subject.pid("payment")];
  const { port, headers } = subject;
  const target = `ipv4:127.0.0.1:${subject.env("payment")["GRPC_PORT"]}`;
  const facts = { seconds: 1, pids };
  const rest = { kind: "http", port, requests: [lookUp(headers, id)], includes: id, ...facts } as const;
  const direct = { kind: "rpc", target, tenant: "demo", externalPaymentId: id, ...facts } as const;
  const both = (inFlight: number) =>
    interleave({ a: () => load.run({ ...rest, inFlight }), b: () => load.run({ ...direct, inFlight }) }, rounds);
  const alone = await both(1);
  const many = await both(64);
  return [
    toGoal("", "look-up over REST / over gRPC: time, one at a time", alone, mean, "ms"),
    toGoal("", "look-up over REST / over gRPC: rate, 64 at a time", many, rate, "/s"),
    toGoal("", "look-up over REST / over gRPC: CPU, 64 at a time", many, cpu, "µs"),
  ];
}

/** An authenticated call through the gateway to a service that does nothing, against Express that only parses. */
export async function measureHop(subject: Subject, load: Load): Promise<Goal[]> {
  const service = await startFloor("floor-service");
  const gateway = await startChild({
    args: [compiled("gateway/main")],
    env: { ...subject.envOfAnother("gateway"), PAYMENT_TARGET: `ipv4:127.0.0.1:${service.captured}` },
    ready: /"port":(\d+)[^\n]*"message":"serving HTTP"/,
  });
  const bare = await startFloor("bare-express");
  const requests = [await floorPaymentRequest(subject)];
  const job = (port: string, pids: number[]): LoadJob => ({
    kind: "http",
    port: Number(port),
    requests,
    includes: '"status":"PENDING"',
    pids,
    inFlight: 64,
    seconds,
  });
  const samples = await interleave(
    {
      a: () => load.run(job(gateway.captured, [gateway.pid, service.pid])),
      b: () => load.run(job(bare.captured, [bare.pid])),
    },
    rounds,
  );
  await Promise.all([gateway.stop(), service.stop(), bare.stop()]);
  return [
    { ...toGoal("P1", "gateway hop / bare Express: rate", samples, rate, "/s"), bar: { atLeast: 0.6 } },
    { ...toGoal("P1", "gateway hop / bare Express: CPU", samples, cpu, "µs"), bar: { atMost: 2 } },
    { ...toGoal("P1", "gateway hop / bare Express: p99", samples, tail, "ms"), bar: { atMost: 2.5 } },
  ];
}

function toGoal(
  id: string,
  what: string,
  { a, b }: Record<"a" | "b", LoadResult[]>,
  read: (result: LoadResult) => number,
  unit: string,
): Goal {
  const seen = `${format(median(a.map(read)))} against ${format(median(b.map(read)))} ${unit}`;
  return { id, what, value: pairRatio(a, b, read), unit: "x", isDue: false, seen };
}

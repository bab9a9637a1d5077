import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PaymentEvents } from "../../proto/gen/corridor/payment/v1/payment_events";
import { WebhookServiceService } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { type Bus, openBus } from "../../services/shared/jetstream";
import { makeLogger } from "../../services/shared/logger";
import type { Rpc } from "../../services/shared/rpc";
import { makeRpcClient } from "../../services/shared/rpc-client";
import { noTracing } from "../../services/shared/tracing";
import { type Child, startFloor } from "./child";
import { format, type Goal } from "./goal";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";

const rounds = 5;
const deliveries = 500;
const publishers = 64;
/** Others that work on the same messages or on nothing that is measured here. */
const others = ["wallet", "sandbox"];

interface World {
  bus: Bus;
  webhook: Rpc<typeof WebhookServiceService>;
  sink: Child;
  origin: string;
}

/** Deliveries per second out of the bus, signed and durable, against senders that only send, and beside one that hangs. */
export async function measureWebhook(subject: Subject): Promise<Goal[]> {
  const { GRPC_PORT: port = "", WEBHOOK_CA_FILE: caFile = "" } = subject.env("webhook");
  const folder = dirname(caFile);
  const files = { certFile: join(folder, "localhost.crt"), keyFile: join(folder, "localhost.key") };
  const sink = await startFloor("webhook-sink", files);
  const origin = `https://localhost:${(await countsOf(sink)).port}`;
  const bus = await openBus({ url: subject.platform.natsUrl, name: "bench", logger: makeLogger("bench", "error") });
  const webhook = makeRpcClient(WebhookServiceService, {
    target: `ipv4:127.0.0.1:${port}`,
    tls: undefined,
    timeoutMs: 5_000,
    retryable: [],
    tracing: noTracing,
  });
  const world = { bus, webhook, sink, origin };
  for (const name of others) process.kill(subject.pid(name), "SIGSTOP");
  const goals = [...(await measureRate(world, caFile)), ...(await measureIsolation(world))];
  for (const name of others) process.kill(subject.pid(name), "SIGCONT");
  for (const part of [webhook, bus, sink]) await part.stop();
  return goals;
}

interface Counts {
  port: number;
  count: number;
  p99Ms: number;
}

async function countsOf({ captured }: Child, method = "GET"): Promise<Counts> {
  const answer = await fetch(`http://127.0.0.1:${captured}/`, { method });
  return (await answer.json()) as Counts;
}

async function subscribe({ webhook, origin }: World, tenant: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const request = { tenant, url: `${origin}${path}`, events: ["TransactionStatusChanged"], isBatch: false };
    const { subscription } = await webhook.createSubscription(request);
    await webhook.rotateSecret({ tenant, subscriptionId: subscription?.id ?? "" });
  }
}

function publish({ bus }: World, tenant: string): Promise<unknown> {
  const paymentId = randomUUID();
  const event = {
    eventId: randomUUID(),
    sequence: 1,
    occurredAt: new Date(),
    traceparent: "",
    messages: [String(Date.now())],
    change: { $case: "status" as const, value: { oldStatus: "ProcessingPayout", newStatus: "PayoutAccepted" } },
  };
  const message: PaymentEvents = { tenant, paymentId, externalPaymentId: `ext-${paymentId}`, events: [event] };
  return bus.publish({
    id: paymentId,
    subject: "corridor.payment.events",
    payload: PaymentEvents.encode(message).finish(),
    traceparent: undefined,
    committedAt: new Date(),
  });
}

/** Publishes events and waits until the sink has the given number of deliveries. */
async function deliver(world: World, tenant: string, events: number, expected: number): Promise<Sample> {
  await countsOf(world.sink, "DELETE");
  const startedAt = performance.now();
  let left = events;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await publish(world, tenant);
    }
  };
  await Promise.all(Array.from({ length: publishers }, work));
  return untilCounted(world, expected, startedAt);
}

interface Sample {
  perSecond: number;
  p99Ms: number;
}

async function untilCounted({ sink }: World, expected: number, startedAt: number): Promise<Sample> {
  for (;;) {
    const { count, p99Ms } = await countsOf(sink);
    if (count >= expected) return { perSecond: (expected / (performance.now() - startedAt)) * 1_000, p99Ms };
    await sleep(5);
  }
}

const rate = ({ perSecond }: Sample): number => perSecond;

async function measureRate(world: World, caFile: string): Promise<Goal[]> {
  await subscribe(world, "bench-one", ["/one"]);
  await subscribe(
    world,
    "bench-ten",
    Array.from({ length: 10 }, (_, index) => `/ten/${index}`),
  );
  const bare = await startFloor("bare-sender", { origin: world.origin, caFile });
  const sendBare = async (): Promise<Sample> => {
    const count = 4 * deliveries;
    const startedAt = performance.now();
    await fetch(`http://127.0.0.1:${bare.captured}/${count}`, { method: "POST" });
    return { perSecond: (count / (performance.now() - startedAt)) * 1_000, p99Ms: 0 };
  };
  const samples = await interleave(
    {
      one: () => deliver(world, "bench-one", deliveries, deliveries),
      ten: () => deliver(world, "bench-ten", deliveries / 10, deliveries),
      bare: sendBare,
    },
    rounds,
  );
  await bare.stop();
  const seen = (of: Sample[], to: Sample[]): string =>
    `${format(median(of.map(rate)))} against ${format(median(to.map(rate)))} deliveries/s`;
  const common = { id: "P8", unit: "x", isDue: false } as const;
  const goal = (what: string, of: Sample[], to: Sample[], atLeast: number): Goal => ({
    ...common,
    what,
    value: pairRatio(of, to, rate),
    bar: { atLeast },
    seen: seen(of, to),
  });
  return [
    goal("deliveries to 1 endpoint, durable / bare undici sender", samples.one, samples.bare, 0.35),
    goal("deliveries to 10 endpoints, durable / bare undici sender", samples.ten, samples.bare, 0.55),
  ];
}

/** One endpoint of the tenant hangs; the others' deliveries against the same without it. */
async function measureIsolation(world: World): Promise<Goal[]> {
  const healthy = Array.from({ length: 9 }, (_, index) => `/isolated/${index}`);
  await subscribe(world, "bench-alone", healthy);
  await subscribe(world, "bench-beside", [...healthy, "/hangs"]);
  const events = 50;
  const expected = events * healthy.length;
  const { alone, beside } = await interleave(
    {
      alone: () => deliver(world, "bench-alone", events, expected),
      beside: () => deliver(world, "bench-beside", events, expected),
    },
    rounds,
  );
  const p99 = ({ p99Ms }: Sample): number => p99Ms;
  const seen = (read: (sample: Sample) => number, unit: string): string =>
    `${format(median(beside.map(read)))} against ${format(median(alone.map(read)))} ${unit}`;
  const common = { id: "P9", unit: "x", isDue: true } as const;
  return [
    {
      ...common,
      what: "deliveries beside an endpoint that hangs / without it: rate",
      value: pairRatio(beside, alone, rate),
      bar: { atLeast: 0.9 },
      seen: seen(rate, "deliveries/s"),
    },
    {
      ...common,
      what: "deliveries beside an endpoint that hangs / without it: p99",
      value: pairRatio(beside, alone, p99),
      bar: { atMost: 1.5 },
      seen: seen(p99, "ms"),
    },
  ];
}

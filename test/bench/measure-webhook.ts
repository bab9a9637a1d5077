import { join } from "node:path";
import { type Child, startChild, startFloor } from "./child";
import { format, type Goal } from "./goal";
import { startRedis } from "./redis";
import { interleave, median, pairRatio } from "./statistics";
import type { Subject } from "./subject";
import {
  deliverBacklog,
  deliverLive,
  openWebhookWorld,
  type Sample,
  subscribe,
  type WebhookWorld,
} from "./webhook-world";

const rounds = 5;
const deliveries = 2_000;

/**
 * Deliveries per second out of the bus, signed and durable, against a sender that only sends and against BullMQ with
 * fetch; and beside an endpoint that hangs.
 */
export async function measureWebhook(subject: Subject): Promise<Goal[]> {
  const world = await openWebhookWorld(subject);
  const goals = [...(await measureRate(world)), ...(await measureIsolation(world))];
  await world.stop();
  return goals;
}

const rate = ({ perSecond }: Sample): number => perSecond;

async function measureRate(world: WebhookWorld): Promise<Goal[]> {
  await subscribe(world, "bench-one", ["/one"]);
  await subscribe(
    world,
    "bench-ten",
    Array.from({ length: 10 }, (_, index) => `/ten/${index}`),
  );
  const { origin, caFile } = world;
  const bare = await startFloor("bare-sender", { origin, caFile });
  const redis = await startRedis();
  if (redis === undefined)
    console.log("# P8 AGAINST BULLMQ IS NOT RUN: no redis-server, and it could not be installed");
  const bullmq = redis && (await startBullmq(origin, caFile, redis.port));
  const samples = await interleave(
    {
      one: () => deliverBacklog(world, "bench-one", deliveries, deliveries),
      ten: () => deliverBacklog(world, "bench-ten", deliveries / 10, deliveries),
      bare: () => sendBare(bare),
      bullmq: () => (bullmq === undefined ? noSample : workOff(bullmq)),
    },
    rounds,
  );
  await bare.stop();
  await bullmq?.stop();
  await redis?.stop();
  const goal = (what: string, of: Sample[], to: Sample[], atLeast: number): Goal => ({
    id: "P8",
    unit: "x",
    isDue: false,
    what,
    value: pairRatio(of, to, rate),
    bar: { atLeast },
    seen: `${format(median(of.map(rate)))} against ${format(median(to.map(rate)))} deliveries/s`,
  });
  const { one, ten } = samples;
  return [
    goal("deliveries to 1 endpoint, durable / bare undici sender", one, samples.bare, 0.35),
    goal("deliveries to 10 endpoints, durable / bare undici sender", ten, samples.bare, 0.55),
    ...(bullmq === undefined ? [] : [goal("deliveries to 1 endpoint / BullMQ and fetch", one, samples.bullmq, 2.5)]),
  ];
}

const noSample = Promise.resolve({ perSecond: Number.NaN, p99Ms: Number.NaN });

async function sendBare({ captured }: Child): Promise<Sample> {
  const count = 2 * deliveries;
  const startedAt = performance.now();
  await fetch(`http://127.0.0.1:${captured}/${count}`, { method: "POST" });
  return { perSecond: (count / (performance.now() - startedAt)) * 1_000, p99Ms: 0 };
}

const startBullmq = (origin: string, caFile: string, redisPort: number): Promise<Child> =>
  startChild({
    args: [join(__dirname, "bullmq-peer.js"), JSON.stringify({ origin, redisPort: String(redisPort) })],
    env: { NODE_EXTRA_CA_CERTS: caFile },
    ready: /^ready (\d+)$/m,
  });

async function workOff({ captured }: Child): Promise<Sample> {
  const answer = await fetch(`http://127.0.0.1:${captured}/${deliveries}`, { method: "POST" });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`BullMQ: ${text}`);
  return { perSecond: (deliveries / Number(text)) * 1_000, p99Ms: 0 };
}

/** One endpoint of the tenant hangs; the others' deliveries against the same without it. */
async function measureIsolation(world: WebhookWorld): Promise<Goal[]> {
  const healthy = Array.from({ length: 9 }, (_, index) => `/isolated/${index}`);
  await subscribe(world, "bench-alone", healthy);
  await subscribe(world, "bench-beside", [...healthy, "/hangs"]);
  const events = 50;
  const expected = events * healthy.length;
  const { alone, beside } = await interleave(
    {
      alone: () => deliverLive(world, "bench-alone", events, expected),
      beside: () => deliverLive(world, "bench-beside", events, expected),
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

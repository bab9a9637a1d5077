import { randomBytes, randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import type { Change } from "../../services/payment/domain/payment";
import { encodeEvents } from "../../services/payment/handlers/event-codec";
import { makeParticipantKeys } from "../../services/payment/store/participant-keys";
import { makePaymentOutbox } from "../../services/payment/store/payment-outbox";
import { makePaymentStore, type PaymentStore } from "../../services/payment/store/payment-store";
import { type Bus, openBus } from "../../services/shared/bus/jetstream";
import { startRelay } from "../../services/shared/bus/outbox-relay";
import { systemClock } from "../../services/shared/kernel/clock";
import { systemIds } from "../../services/shared/kernel/ids";
import { makeLogger } from "../../services/shared/process/logger";
import { makeMetrics } from "../../services/shared/process/metrics";
import { noTracing } from "../../services/shared/process/tracing";
import { makeDataKeys } from "../../services/shared/storage/data-keys";
import { makeLease } from "../../services/shared/storage/lease";
import { openMongo } from "../../services/shared/storage/mongo";
import { type Told, tell } from "../support/facts";
import { newPayment } from "../support/payment-builder";
import { format, type Goal } from "./goal";
import type { Load } from "./load";
import { interleave, median, pairRatio } from "./statistics";
import { paymentJob, type Subject } from "./subject";

const rounds = 5;
const backlog = 3_000;
const inFlight = 64;
const floorSeconds = 1.5;
const subject = "corridor.bench.events";
const stream = { name: "CORRIDOR_BENCH", subjects: ["corridor.bench.>"], replicas: 1 };
const logger = makeLogger("bench", "error");

/** Events per second out of a backlog of finished payments, against plain publishing to the same server. */
export async function measureRelay({ env, platform }: Subject): Promise<Goal[]> {
  const { MONGODB_URI: uri = "" } = env("payment");
  const mongo = await openMongo({ uri, database: "bench_relay", profile: "local", tracing: noTracing });
  const sealingKeys = [randomBytes(32)];
  const keys = makeDataKeys({ connection: mongo.connection, sealingKeys, ids: systemIds });
  const people = makeParticipantKeys({
    connection: mongo.connection,
    sealingKeys: [Buffer.alloc(32, 1)],
    ids: systemIds,
  });
  const payments = makePaymentStore(mongo.connection, keys, mongo.transact, people);
  await Promise.all([keys.init(), payments.init()]);
  const bus = await openBus({ url: platform.natsUrl, name: "bench", logger });
  await bus.ensureStream(stream);
  const { manager } = await bus.client();
  const clean = async (perSecond: number): Promise<number> => {
    await manager.streams.purge(stream.name);
    return perSecond;
  };
  const { relay, plain } = await interleave(
    {
      relay: async () => clean(await relayBacklog(mongo.connection, payments, bus)),
      plain: async () => clean(await publishPlainly(bus)),
    },
    rounds,
  );
  await manager.streams.delete(stream.name);
  await bus.stop();
  await mongo.stop();
  return [
    {
      id: "P13",
      what: "relay / plain publish + ack, 64 in flight: events",
      value: pairRatio(relay, plain, (perSecond) => perSecond),
      unit: "x",
      bar: { atLeast: 0.7 },
      isDue: true,
      seen: `${format(median(relay))} against ${format(median(plain))} events/s`,
    },
  ];
}

/** Stores a backlog, then starts a relay and counts until the last event is published and marked. Events per second. */
async function relayBacklog(connection: Connection, payments: PaymentStore, bus: Bus): Promise<number> {
  const events = await storeBacklog(payments);
  const source = makePaymentOutbox({ connection, subject, encode: encodeEvents, collection: "payments" });
  let left = backlog;
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const counted: typeof source = {
    ...source,
    async markPublished(messages) {
      await source.markPublished(messages);
      left -= messages.length;
      if (left <= 0) finish();
    },
  };
  const lease = makeLease({ connection, name: "bench-relay", holder: randomUUID() });
  const metrics = makeMetrics("bench");
  const startedAt = performance.now();
  const relay = startRelay({
    source: counted,
    bus,
    stream,
    connection,
    lease,
    clock: systemClock,
    logger,
    tracing: noTracing,
    metrics,
  });
  await finished;
  const seconds = (performance.now() - startedAt) / 1_000;
  await relay.stop();
  return events / seconds;
}

/** Stores payments that went all the way while the bus was away; returns how many events wait. */
async function storeBacklog(payments: PaymentStore): Promise<number> {
  let events = 0;
  let left = backlog;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const change = finishedPush();
      events += change.events.length;
      const stored = await payments.insert(change, { hashes: {}, answer: undefined });
      if (stored !== "stored") throw new Error("the id of a payment was taken");
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return events;
}

function finishedPush(): Change {
  const id = randomUUID();
  const at = new Date();
  const created = newPayment("PUSH", {
    id,
    externalId: `order-${id}`,
    quoteId: randomUUID(),
    createdAt: at,
  });
  const told: readonly Told[] = [
    { role: "payout", kind: "PREPARED" },
    { role: "screening", status: "APPROVED" },
    { role: "payout", kind: "PAID" },
  ];
  return told.reduce<Change>((change, one) => tell(change, one, at), created);
}

/** One event a message, acknowledged, 64 in flight. Messages per second. */
async function publishPlainly(bus: Bus): Promise<number> {
  const { jetstream } = await bus.client();
  const { next, events } = finishedPush();
  const { id: _id, tenant, externalId, traceparent } = next;
  const names = { tenant, externalId, agentId: undefined, externalTransactionId: undefined };
  const payload = encodeEvents({ _id, ...names, traceparent }, events.slice(-1));
  const startedAt = performance.now();
  const endAt = startedAt + floorSeconds * 1_000;
  let published = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < endAt) {
      await jetstream.publish(subject, payload);
      published += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return (published / (performance.now() - startedAt)) * 1_000;
}

const probePayments = 600;
const lagSeconds = 6;

/** Time from commit to stream while payments come in at half the rate that the platform can carry to their end. */
export async function measureLag(platform: Subject, load: Load): Promise<Goal[]> {
  const probe = await load.run(
    await paymentJob(platform, { count: probePayments, inFlight: 64, includesBackground: true }),
  );
  const perSecond = probePayments / probe.secondsToIdle / 2;
  const count = Math.ceil(perSecond * lagSeconds);
  const before = await lagBuckets(platform);
  await load.run(await paymentJob(platform, { count, perSecond, inFlight: 64, includesBackground: true }));
  const after = await lagBuckets(platform);
  const buckets = after.map(({ le, count }, at) => ({ le, count: count - (before[at]?.count ?? 0) }));
  return [
    {
      id: "P13",
      what: "lag from commit to stream at half load: p99",
      value: bucketQuantile(buckets, 0.99) * 1_000,
      unit: "ms",
      bar: { atMost: 100 },
      isDue: true,
      seen: `${format(perSecond)} payments/s, median ${format(bucketQuantile(buckets, 0.5) * 1_000)} ms`,
    },
  ];
}

interface Bucket {
  /** Upper end, seconds. */
  le: number;
  /** Observations up to there. */
  count: number;
}

async function lagBuckets({ env }: Subject): Promise<Bucket[]> {
  const answer = await fetch(`http://127.0.0.1:${env("payment")["METRICS_PORT"]}/metrics`);
  const lines = (await answer.text()).matchAll(/^corridor_relay_lag_seconds_bucket\{(.*)\} (\d+)$/gm);
  return [...lines].map(([, labels = "", count]) => ({
    le: Number((/le="([^"]+)"/.exec(labels)?.[1] ?? "").replace("+Inf", "Infinity")),
    count: Number(count),
  }));
}

/** The value below which a share of the observations lies, straight between the ends of its bucket. */
function bucketQuantile(buckets: readonly Bucket[], share: number): number {
  const rank = (buckets.at(-1)?.count ?? 0) * share;
  const at = buckets.findIndex(({ count }) => count > 0 && count >= rank);
  const { le, count } = buckets[at] ?? { le: Number.NaN, count: 0 };
  const below = buckets[at - 1] ?? { le: 0, count: 0 };
  if (le === Number.POSITIVE_INFINITY) return le;
  return below.le + ((le - below.le) * (rank - below.count)) / (count - below.count);
}

import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyServiceService } from "../../../proto/gen/corridor/common/v1/key_service";
import { type PaymentEvent, PaymentEvents } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { WebhookServiceService } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { type Bus, openBus, type Published, streamOf } from "../../../services/shared/bus/jetstream";
import type { OutboxMessage } from "../../../services/shared/bus/outbox";
import type { Running } from "../../../services/shared/process/lifecycle";
import { noTracing } from "../../../services/shared/process/tracing";
import type { Rpc } from "../../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../../services/shared/rpc/rpc-client";
import { type Mongo, openMongo } from "../../../services/shared/storage/mongo";
import { startWebhook } from "../../../services/webhook/app";
import type { WebhookConfig } from "../../../services/webhook/config";
import { startTestTestbed, type TestTestbed } from "../../support/testbed";
import { silent } from "../bus/bus-testbed";
import { type Sink, startSink } from "./sink";

export type Webhook = Rpc<typeof services>;

export interface WebhookWorld {
  testbed: TestTestbed;
  sink: Sink;
  bus: Bus;
  mongo: Mongo;
  config: WebhookConfig;
  webhook: Webhook;
  /** Starts the service again after `stopService`, on a free port. */
  startService(overrides?: WebhookOverrides): Promise<void>;
  stopService(): Promise<void>;
  /** Registers the sink's path for status changes and returns the subscription's id. */
  subscribe(path: string, tenant?: string, events?: string[], isBatch?: boolean): Promise<string>;
  publish(message: PaymentEvents): Promise<Published>;
  /** Publishes bytes on a subject of a producer's stream. */
  publishBytes(subject: string, payload: Uint8Array): Promise<Published>;
  stop(): Promise<void>;
}

/** A caller of the service. */
const services = { ...WebhookServiceService, ...KeyServiceService };

export const makeWebhookClient = (port: number): Webhook & Running =>
  makeRpcClient(services, {
    target: `ipv4:127.0.0.1:${port}`,
    tls: undefined,
    timeoutMs: 20_000,
    retryable: [],
    tracing: noTracing,
  });

export const stream = streamOf("payment", 1);
export const subject = "corridor.payment.events";

/** Status changes of one payment, from one sequence to another. */
export function statusEvents(
  paymentId: string,
  from: number,
  to: number,
  tenant = "demo",
  occurredAt = new Date(),
): PaymentEvents {
  const events: PaymentEvent[] = Array.from({ length: to - from + 1 }, (_, index) => ({
    eventId: `${paymentId}-${from + index}`,
    sequence: from + index,
    occurredAt,
    traceparent: "",
    releases: [],
    messages: ["text with é and \u{1F4B8}"],
    change: { $case: "status", value: { oldStatus: `S${from + index - 1}`, newStatus: `S${from + index}` } },
  }));
  return { tenant, paymentId, externalPaymentId: `ext-${paymentId}`, events };
}

/** Finds what is delivered by its age, since no index holds it by its state. */
export const isDelivered = { createdAt: { $gt: new Date(0) }, state: "delivered" } as const;

interface StoredLog {
  tenant: string;
  subscriptionId: string;
  createdAt: Date;
  items: { id: string }[];
}

/** How many deliveries are stored as delivered: in documents of their own, and in logs of what was delivered at once. */
export async function deliveredIn(
  { mongo: { connection } }: Pick<WebhookWorld, "mongo">,
  filter: { tenant?: string; subscriptionId?: string } = {},
): Promise<number> {
  const logs = connection.collection<StoredLog>("delivery_logs");
  const found = await logs
    .find({ createdAt: { $gt: new Date(0) }, ...filter }, { projection: { "items.id": 1 } })
    .toArray();
  const own = await connection.collection("deliveries").countDocuments({ ...isDelivered, ...filter });
  return own + found.reduce((sum, { items }) => sum + items.length, 0);
}

/** How many events of a tenant are stored. */
export const storedEvents = async ({ mongo }: WebhookWorld, tenant: string): Promise<number> => {
  const pages = mongo.connection.collection<{ tenant: string; last: number; events: unknown[] }>("feed_pages");
  const found = await pages.find({ tenant, last: { $gt: 0 } }, { projection: { "events.id": 1 } }).toArray();
  return found.reduce((sum, { events }) => sum + events.length, 0);
};

export const encode = (message: PaymentEvents): Uint8Array => PaymentEvents.encode(message).finish();

/** Statuses that a sink path got, in the order of their arrival. */
export const statusesAt = (sink: Sink, path: string, paymentId?: string): string[] =>
  sink
    .received(path)
    .map(({ body }) => JSON.parse(body) as { transactionId: string; newStatus: string })
    .filter(({ transactionId }) => paymentId === undefined || transactionId === paymentId)
    .map(({ newStatus }) => newStatus);

/** Publishes as a relay does: again under the same id when the bus does not answer in time, as on a busy machine. */
async function publishCarefully(bus: Bus, message: Parameters<Bus["publish"]>[0], tries = 10): Promise<Published> {
  try {
    return await bus.publish(message);
  } catch (error) {
    if (tries <= 1) throw error;
    return publishCarefully(bus, message, tries - 1);
  }
}

const messageOn = (subject: string, payload: Uint8Array): OutboxMessage => ({
  id: randomUUID(),
  subject,
  payload,
  traceparent: undefined,
  committedAt: new Date(),
});

/** Tells as a relay does whether nobody has been given any of a message's events before. */
function makeIsFirst(): (message: PaymentEvents) => boolean {
  const told = new Map<string, number>();
  return ({ paymentId, events }) => {
    const before = told.get(paymentId) ?? 0;
    told.set(paymentId, Math.max(before, ...events.map(({ sequence }) => sequence)));
    return events.every(({ sequence }) => sequence > before);
  };
}

/** What a test replaces in the service. */
export type WebhookOverrides = NonNullable<Parameters<typeof startWebhook>[1]>;

/** A clock that stands still until it is moved. */
export const makeStandingClock = (at = new Date()) => makeMovableClock(() => at.getTime());

/** A clock that goes, and can be moved forward. */
export function makeMovableClock(machineMs = Date.now) {
  let movedMs = 0;
  const listeners = new Set<() => void>();
  return {
    now: () => new Date(machineMs() + movedMs),
    advance(ms: number): void {
      movedMs += ms;
      for (const listener of listeners) listener();
    },
    onMove(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export async function startWebhookWorld(overrides?: WebhookOverrides): Promise<WebhookWorld> {
  const dir = await mkdtemp(join(tmpdir(), "corridor-webhook-"));
  const testbed = await startTestTestbed();
  const sink = await startSink(dir);
  const database = testbed.database("webhook");
  const config: WebhookConfig = {
    PROFILE: "local",
    LOG_LEVEL: "error",
    LISTEN_HOST: "127.0.0.1",
    METRICS_PORT: 0,
    CLOCK_URL: undefined,
    STORE_DISKS_ENCRYPTED: undefined,
    OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: undefined,
    OTEL_TRACES_SAMPLER_ARG: 1,
    RPC_TLS_CA_FILE: undefined,
    RPC_TLS_CERT_FILE: undefined,
    RPC_TLS_KEY_FILE: undefined,
    GRPC_PORT: 0,
    MONGODB_URI: testbed.mongoUri,
    MONGODB_DATABASE: database,
    ...testbed.busOf("webhook"),
    NATS_CA_FILE: undefined,
    NATS_STREAM_REPLICAS: 1,
    WEBHOOK_SEALING_KEY_FILE: [Buffer.alloc(32, 5)],
    WEBHOOK_CA_FILE: await readFile(sink.ca.caFile, "utf8"),
  };
  const bus = await openBus({ url: testbed.natsUrl, name: "test", logger: silent });
  const mongo = await openMongo({ uri: testbed.mongoUri, database, profile: "local", tracing: noTracing });
  await bus.ensureStream(stream);
  const isFirst = makeIsFirst();
  let service: Running | undefined;
  let client: (Webhook & Running) | undefined;
  const webhook = (): Webhook => {
    if (client === undefined) throw new Error("the service is stopped");
    return client;
  };
  const world: WebhookWorld = {
    testbed,
    sink,
    bus,
    mongo,
    config,
    get webhook() {
      return webhook();
    },
    async startService(overrides) {
      const started = await startWebhook(config, overrides);
      service = started;
      client = makeWebhookClient(started.port);
    },
    async stopService() {
      await client?.stop();
      await service?.stop();
      client = undefined;
      service = undefined;
    },
    async subscribe(path, tenant = "demo", events = ["TransactionStatusChanged"], isBatch = false) {
      const { subscription } = await webhook().createSubscription({
        tenant,
        url: sink.url(path),
        events,
        isBatch,
      });
      return subscription?.id ?? "";
    },
    publish: (message) => publishCarefully(bus, { ...messageOn(subject, encode(message)), isFirst: isFirst(message) }),
    publishBytes: (to, payload) => publishCarefully(bus, messageOn(to, payload)),
    async stop() {
      await world.stopService();
      await bus.stop();
      await mongo.stop();
      await sink.stop();
      await testbed.stop();
      await rm(dir, { recursive: true });
    },
  };
  await world.startService(overrides);
  return world;
}

import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PaymentEvents } from "../../proto/gen/corridor/payment/v1/payment_events";
import { WebhookServiceService } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { type Bus, openBus } from "../../services/shared/bus/jetstream";
import type { Running } from "../../services/shared/process/lifecycle";
import { makeLogger } from "../../services/shared/process/logger";
import { noTracing } from "../../services/shared/process/tracing";
import type { Rpc } from "../../services/shared/rpc/rpc";
import { makeRpcClient } from "../../services/shared/rpc/rpc-client";
import { type Child, startFloor } from "./child";
import type { Subject } from "./subject";

const publishers = 64;
/** Others that work on the same messages or on nothing that is measured here. */
const others = ["wallet", "sandbox"];

/** The webhook service between a bus that the bench fills and a sink of the bench's own. */
export interface WebhookWorld extends Running {
  bus: Bus;
  webhook: Rpc<typeof WebhookServiceService>;
  sink: Child;
  origin: string;
  caFile: string;
  /** Process id of the service. */
  pid: number;
}

/** What was delivered: how quickly, and how long after its publication. */
export interface Sample {
  perSecond: number;
  p99Ms: number;
}

/** Opens bus, service and sink. All who have no part in deliveries stand still until `stop`. */
export async function openWebhookWorld(subject: Subject): Promise<WebhookWorld> {
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
  for (const name of others) process.kill(subject.pid(name), "SIGSTOP");
  return {
    bus,
    webhook,
    sink,
    origin,
    caFile,
    pid: subject.pid("webhook"),
    async stop() {
      for (const name of others) process.kill(subject.pid(name), "SIGCONT");
      for (const part of [webhook, bus, sink]) await part.stop();
    },
  };
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

/** Registers endpoints of a tenant, each with a secret. */
export async function subscribe(
  { webhook, origin }: WebhookWorld,
  tenant: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) {
    const request = { tenant, url: `${origin}${path}`, events: ["TransactionStatusChanged"], isBatch: false };
    const { subscription } = await webhook.createSubscription(request);
    await webhook.rotateSecret({ tenant, subscriptionId: subscription?.id ?? "" });
  }
}

function publish({ bus }: WebhookWorld, tenant: string): Promise<unknown> {
  const paymentId = randomUUID();
  const event = {
    eventId: randomUUID(),
    sequence: 1,
    occurredAt: new Date(),
    traceparent: "",
    releases: [],
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

async function publishAll(world: WebhookWorld, tenant: string, events: number): Promise<void> {
  let left = events;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await publish(world, tenant);
    }
  };
  await Promise.all(Array.from({ length: publishers }, work));
}

/** Publishes events and waits until the sink has the given number of deliveries. */
export async function deliverLive(
  world: WebhookWorld,
  tenant: string,
  events: number,
  expected: number,
): Promise<Sample> {
  await countsOf(world.sink, "DELETE");
  const startedAt = performance.now();
  await publishAll(world, tenant, events);
  return untilCounted(world, expected, startedAt);
}

/**
 * Publishes events while the service stands still; then the clock runs from its going on until the sink has the given
 * number of deliveries and the service has acknowledged every message, which it does when all is stored.
 */
export async function deliverBacklog(
  world: WebhookWorld,
  tenant: string,
  events: number,
  expected: number,
): Promise<Sample> {
  await countsOf(world.sink, "DELETE");
  process.kill(world.pid, "SIGSTOP");
  await publishAll(world, tenant, events).finally(() => process.kill(world.pid, "SIGCONT"));
  const startedAt = performance.now();
  await untilAcknowledged(world);
  return untilCounted(world, expected, startedAt);
}

const pollMs = 5;

async function untilAcknowledged({ bus }: WebhookWorld): Promise<void> {
  const { manager } = await bus.client();
  for (;;) {
    const { num_pending, num_ack_pending } = await manager.consumers.info("CORRIDOR_PAYMENT", "webhook");
    if (num_pending + num_ack_pending === 0) return;
    await sleep(pollMs);
  }
}

async function untilCounted({ sink }: WebhookWorld, expected: number, startedAt: number): Promise<Sample> {
  for (;;) {
    const { count, p99Ms } = await countsOf(sink);
    if (count >= expected) return { perSecond: (expected / (performance.now() - startedAt)) * 1_000, p99Ms };
    await sleep(pollMs);
  }
}

import { WebhookServiceService } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { type ConsumerOptions, startConsumer } from "../shared/bus-consumer";
import type { Clock } from "../shared/clock";
import { openGround } from "../shared/ground";
import { type Ids, systemIds } from "../shared/ids";
import { makeInbox } from "../shared/inbox";
import { openBus } from "../shared/jetstream";
import { type Running, stopAll } from "../shared/lifecycle";
import { openMongo } from "../shared/mongo";
import { makeParkedMessages } from "../shared/parked-messages";
import { serveRpc } from "../shared/rpc-server";
import { makeSealer } from "../shared/sealing";
import { makeWaker } from "../shared/waker";
import type { WebhookConfig } from "./config";
import { decodeAgentEvents } from "./consumers/agent-events";
import { decodeDocumentEvents } from "./consumers/document-events";
import { decodePaymentEvents } from "./consumers/payment-events";
import { startDispatcher } from "./dispatcher";
import { productionPlan, quickPlan } from "./domain/retry-plan";
import { createSubscriptionHandler } from "./handlers/create-subscription";
import { deleteSecretHandler } from "./handlers/delete-secret";
import { deleteSubscriptionHandler } from "./handlers/delete-subscription";
import { listSubscriptionsHandler } from "./handlers/list-subscriptions";
import { rotateSecretHandler } from "./handlers/rotate-secret";
import { makeCreateSubscription } from "./operations/create-subscription";
import { makeDeleteSecret } from "./operations/delete-secret";
import { makeDeleteSubscription } from "./operations/delete-subscription";
import { makeDeliverLane } from "./operations/deliver-lane";
import { type FanOutEventsCommand, makeFanOutEvents } from "./operations/fan-out-events";
import { makeRotateSecret } from "./operations/rotate-secret";
import { makeHttpSender } from "./sending/http-sender";
import { makeRequireReachable } from "./sending/reachable-addresses";
import { makeSigningKeys } from "./sending/signing-keys";
import { makeDeliveryStore } from "./store/delivery-store";
import { makeLaneStore } from "./store/lane-store";
import { makeSubscriptionStore } from "./store/subscription-store";
import { makeDeliveryMetrics } from "./telemetry";

interface WebhookOverrides {
  clock?: Clock;
  ids?: Ids;
}

/** What is told to tenants, by the subject it comes on. */
const sources = [
  { stream: "CORRIDOR_PAYMENT", subject: "corridor.payment.events", decode: decodePaymentEvents },
  { stream: "CORRIDOR_IDENTITY", subject: "corridor.identity.documents", decode: decodeDocumentEvents },
  { stream: "CORRIDOR_AUTH", subject: "corridor.auth.agents", decode: decodeAgentEvents },
] as const;

/** Starts the webhook service; resolved when it serves. Until the bus answers it serves without new events. */
export async function startWebhook(
  config: WebhookConfig,
  { clock: givenClock, ids = systemIds }: WebhookOverrides = {},
): Promise<Running & { port: number }> {
  const isLocal = config.PROFILE === "local";
  const ground = await openGround("webhook", config);
  const clock = givenClock ?? ground.clock;
  const { logger, tracing } = ground;
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openMongo({ uri, database, profile, tracing });
  const { connection, transact } = mongo;
  const subscriptions = makeSubscriptionStore(connection);
  const deliveries = makeDeliveryStore(connection);
  const lanes = makeLaneStore(connection);
  const inbox = makeInbox(connection);
  const parked = makeParkedMessages(connection);
  await Promise.all([subscriptions, deliveries, lanes, inbox, parked].map((store) => store.init()));
  const bus = await openBus({ url: config.NATS_URL, name: "webhook", logger });
  const sealer = makeSealer(config.WEBHOOK_SEALING_KEY_FILE, ids);

  const reach = isLocal ? "public and loopback" : "public";
  const sender = makeHttpSender({ reach, extraCa: isLocal ? config.WEBHOOK_CA_FILE : undefined });
  const waker = makeWaker();
  const deliverLane = makeDeliverLane({
    subscriptions,
    deliveries,
    lanes,
    keysOf: makeSigningKeys(sealer),
    send: sender.send,
    plan: config.PROFILE === "production" ? productionPlan : quickPlan,
    random: () => ids.bytes(4).readUInt32BE() / 2 ** 32,
    clock,
    tracing,
    metrics: makeDeliveryMetrics(ground.metrics, clock, deliveries.oldestPending),
  });
  const dispatcher = startDispatcher({ lanes, deliverLane, waker, holder: ids.uuid(), clock, logger });
  const handle = makeFanOutEvents({
    transact,
    inbox,
    subscriptions,
    deliveries,
    lanes,
    clock,
    wakeWorkers: waker.wake,
  });
  const consumers = startConsumers({ ...ground, bus, parked, handle });

  const server = await serveRpc(
    WebhookServiceService,
    {
      createSubscription: createSubscriptionHandler(
        makeCreateSubscription({
          subscriptions,
          // A local machine may be offline; there the check at each attempt is enough.
          requireReachable: isLocal ? async () => {} : makeRequireReachable(reach),
          ports: isLocal ? "443, 8443 or above 1023" : "443 or 8443",
          clock,
          ids,
        }),
      ),
      listSubscriptions: listSubscriptionsHandler(subscriptions),
      deleteSubscription: deleteSubscriptionHandler(makeDeleteSubscription({ subscriptions })),
      rotateSecret: rotateSecretHandler(makeRotateSecret({ subscriptions, sealer, clock, ids })),
      deleteSecret: deleteSecretHandler(makeDeleteSecret({ subscriptions })),
    },
    { ...ground, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return { port: server.port, ...stopAll([ground, mongo, bus, sender, dispatcher, consumers, server]) };
}

/** One consumer for each producer. */
function startConsumers(
  deps: Pick<ConsumerOptions<FanOutEventsCommand>, "bus" | "parked" | "handle" | "logger" | "tracing" | "metrics">,
): Running {
  const consumers = sources.map(({ stream, subject, decode }) =>
    startConsumer({
      ...deps,
      stream,
      subject,
      durable: "webhook",
      decode: (payload) => ({ ...decode(payload), stream }),
      keyOf: (command) => command.subject.id,
    }),
  );
  return stopAll(consumers);
}

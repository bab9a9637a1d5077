import type { Connection } from "mongoose";
import { BusServiceService } from "../../proto/gen/corridor/common/v1/bus_service";
import { KeyServiceService } from "../../proto/gen/corridor/common/v1/key_service";
import { SearchServiceService } from "../../proto/gen/corridor/common/v1/search_service";
import { WebhookServiceService } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { type BusConsumer, type ConsumerOptions, startConsumer } from "../shared/bus/bus-consumer";
import { makeBusService } from "../shared/bus/bus-service";
import { shareDueNotes } from "../shared/bus/due-signals";
import { type Bus, openServiceBus, streamOf } from "../shared/bus/jetstream";
import { makeKeyService } from "../shared/bus/key-service";
import { type Relay, startRelay } from "../shared/bus/outbox-relay";
import { makeParkedMessages } from "../shared/bus/parked-messages";
import { makeSealer } from "../shared/crypto/sealing";
import type { Clock } from "../shared/kernel/clock";
import { type Ids, idsOf } from "../shared/kernel/ids";
import { type DueNotes, makeDueNotes } from "../shared/process/due-work";
import { type Running, stopAll } from "../shared/process/lifecycle";
import type { Logger } from "../shared/process/logger";
import { openRuntime, type Runtime } from "../shared/process/runtime";
import { serveRpc } from "../shared/rpc/rpc-server";
import { makeSearchService } from "../shared/rpc/search-service";
import { startKeyRotation } from "../shared/storage/key-rotation";
import { makeLease, processHolder } from "../shared/storage/lease";
import type { Mongo } from "../shared/storage/mongo";
import { makeReplicaRegistry } from "../shared/storage/replica-registry";
import { openServiceStore } from "../shared/storage/service-store";
import { makeHttpSender } from "./adapters/http/http-sender";
import { makeReachViolations, type Vetting } from "./adapters/http/reachable-addresses";
import { makeResolve } from "./adapters/http/resolver";
import { makeSigningKeys } from "./adapters/http/signing-keys";
import { startDelivering } from "./app/delivering";
import { makeFeedSignals } from "./app/feed-signals";
import { makeFind } from "./app/search";
import { openSubscriptions } from "./app/subscriptions";
import type { WebhookConfig } from "./config";
import { decodeAgentEvents } from "./consumers/agent-events";
import { decodeDocumentEvents } from "./consumers/document-events";
import { decodePaymentEvents } from "./consumers/payment-events";
import type { SubjectEvents } from "./domain/handled";
import { positionFloor } from "./domain/restore";
import { productionPlan, quickPlan, type RetryPlan } from "./domain/retry-plan";
import { createSubscriptionHandler } from "./handlers/create-subscription";
import { deleteSecretHandler } from "./handlers/delete-secret";
import { deleteSubscriptionHandler } from "./handlers/delete-subscription";
import { encodeChange } from "./handlers/event-codec";
import { getDeliveryHandler } from "./handlers/get-delivery";
import { listBacklogHandler } from "./handlers/list-backlog";
import { listDeliveriesHandler } from "./handlers/list-deliveries";
import { listEventsHandler } from "./handlers/list-events";
import { listSubscriptionsHandler } from "./handlers/list-subscriptions";
import { recoverHandler } from "./handlers/recover";
import { redeliverHandler } from "./handlers/redeliver";
import { rotateSecretHandler } from "./handlers/rotate-secret";
import { sendTestHandler } from "./handlers/send-test";
import { makeCreateSubscription } from "./operations/create-subscription";
import { makeDeleteSecret } from "./operations/delete-secret";
import { makeDeleteSubscription } from "./operations/delete-subscription";
import { makeReadFeed } from "./operations/read-feed";
import { makeRecover } from "./operations/recover";
import { makeRedeliver } from "./operations/redeliver";
import { makeRotateSecret } from "./operations/rotate-secret";
import { makeSendTest } from "./operations/send-test";
import { makeSwitchSubscription } from "./operations/switch-subscription";
import type { TakeMessage } from "./operations/take-message";
import { type ChangeStore, makeChangeStore } from "./store/change-store";
import { makeDeliveryStore } from "./store/delivery-store";
import { makeEventStore } from "./store/event-store";
import { makeHandledStore } from "./store/handled-store";
import { makeQueueStore } from "./store/queue-store";
import { readRestores } from "./store/restore-store";
import { type SubscriptionStore, sealedSecrets } from "./store/subscription-store";
import { makeDeliveryMetrics } from "./telemetry";
import { startReplicas } from "./workers/replicas";
import { startRetirement } from "./workers/retirement";

interface WebhookOverrides {
  clock?: Clock;
  ids?: Ids;
  /** Replaces the profile's plan. */
  plan?: RetryPlan;
  /** Replace those of the machine, `address:port`. */
  nameServers?: readonly string[];
}

/** Most messages of one producer in progress; each is in progress until its deliveries are tried and stored. */
const messagesInHand = 128;

/** The sources of events for tenants, by bus subject. */
const sources = [
  { stream: "CORRIDOR_PAYMENT", subject: "corridor.payment.events", decode: decodePaymentEvents },
  { stream: "CORRIDOR_IDENTITY", subject: "corridor.identity.documents", decode: decodeDocumentEvents },
  { stream: "CORRIDOR_AUTH", subject: "corridor.auth.agents", decode: decodeAgentEvents },
] as const;

/** Subject of the subscription changes that the audit log records. */
const subject = "corridor.webhook.subscriptions";

/** The handlers that this service shares with others. */
const commonHandlers = (
  connection: Connection,
  consumers: readonly BusConsumer[],
  stores: Parameters<typeof makeFind>[1],
) => ({
  ...makeBusService({ connection, consumers }),
  ...makeSearchService(makeFind(connection, stores)),
});

type SubscriptionDeps = Parameters<typeof makeCreateSubscription>[0] &
  Parameters<typeof makeDeleteSubscription>[0] &
  Parameters<typeof makeRotateSecret>[0] &
  Parameters<typeof makeSendTest>[0] & { subscriptions: Pick<SubscriptionStore, "list"> };

const subscriptionHandlers = (deps: SubscriptionDeps) => ({
  createSubscription: createSubscriptionHandler(makeCreateSubscription(deps)),
  listSubscriptions: listSubscriptionsHandler(deps.subscriptions),
  deleteSubscription: deleteSubscriptionHandler(makeDeleteSubscription(deps)),
  rotateSecret: rotateSecretHandler(makeRotateSecret(deps)),
  deleteSecret: deleteSecretHandler(makeDeleteSecret(deps)),
  sendTest: sendTestHandler(makeSendTest(deps)),
});

/** Starts the webhook service; resolves once it serves. Until the bus answers it serves without new events. */
export async function startWebhook(
  config: WebhookConfig,
  { clock: givenClock, ids = idsOf("webhook"), plan, nameServers }: WebhookOverrides = {},
): Promise<Running & { port: number }> {
  const isLocal = config.PROFILE === "local";
  const runtime = await openRuntime("webhook", config);
  const clock = givenClock ?? runtime.clock;
  const { logger, tracing } = runtime;
  const { MONGODB_URI: uri, MONGODB_DATABASE: database, PROFILE: profile } = config;
  const mongo = await openServiceStore({ ...runtime, uri, database, profile });
  const { connection, transact } = mongo;
  const due = makeDueNotes();
  const bus = await openServiceBus("webhook", config, logger);
  const holder = ids.uuid();
  const { known, noteChange, subscriptions } = openSubscriptions(connection, bus, holder);
  const opened = { subscriptions, ...(await openStores(mongo, clock, due)) };
  await subscriptions.init();
  const { deliveries, parked, changes, registry } = opened;
  const sharing = shareDueNotes(bus, "webhook", { queues: due });
  const feeds = makeFeedSignals(bus);
  const relay = openRelay(config, runtime, mongo, { changes, bus, clock });
  const { sealer, keys } = await openKeys(config, connection, { ids, logger });

  const reach = isLocal ? "public and loopback" : "public";
  const vetting: Vetting = { resolve: makeResolve(nameServers), reach };
  const sender = makeHttpSender({ ...vetting, extraCa: isLocal ? config.WEBHOOK_CA_FILE : undefined });
  const switching = makeSwitchSubscription({
    ...{ transact, subscriptions, changes, clock, noteChange },
    nudgeRelay: relay.nudge,
  });
  const stores = { ...opened, transact, switching, clock, ids };
  const opening = [runtime, mongo, bus, sharing, feeds, relay, sender, keys];
  const replicas = await startReplicas({ registry, holder, logger });
  const delivering = startDelivering({
    ...{ ...stores, known, handled: makeHandledStore(connection, clock) },
    due,
    holder,
    replicas: replicas.count,
    noteGrown: feeds.noteGrown,
    keysOf: makeSigningKeys(sealer),
    send: sender.send,
    plan: plan ?? (config.PROFILE === "production" ? productionPlan : quickPlan),
    random: () => ids.bytes(4).readUInt32BE() / 2 ** 32,
    tracing,
    logger,
    metrics: makeDeliveryMetrics({ ...runtime, clock, oldestPending: deliveries.oldestPending }),
  });
  const retirement = startRetirement({ ...opened, logger });
  const deps = { ...stores, wakeWorkers: delivering.wakeWorkers };
  const consumers = startConsumers(delivering.takeMessage, { ...runtime, bus, parked, connection });
  const reachViolations = makeReachViolations(vetting, isLocal);
  const ports = isLocal ? "443, 8443 or above 1023" : "443 or 8443";

  const server = await serveRpc(
    { ...WebhookServiceService, ...BusServiceService, ...KeyServiceService, ...SearchServiceService },
    {
      ...{ ...commonHandlers(connection, consumers, opened), ...makeKeyService(keys) },
      ...subscriptionHandlers({ ...deps, reachViolations, ports, sealer }),
      listDeliveries: listDeliveriesHandler(deps),
      getDelivery: getDeliveryHandler(deps),
      redeliver: redeliverHandler(makeRedeliver(deps)),
      recover: recoverHandler(makeRecover(deps)),
      listBacklog: listBacklogHandler(deps),
      listEvents: listEventsHandler(makeReadFeed(deps)),
    },
    { ...runtime, address: `${config.LISTEN_HOST}:${config.GRPC_PORT}` },
  );
  return {
    port: server.port,
    ...stopAll([...opening, replicas, delivering, retirement, stopAll(consumers), server]),
  };
}

function openRelay(
  config: WebhookConfig,
  runtime: Runtime,
  { connection }: Pick<Mongo, "connection">,
  { changes, bus, clock }: { changes: ChangeStore; bus: Bus; clock: Clock },
): Relay {
  return startRelay({
    ...runtime,
    source: changes.outbox(subject, encodeChange),
    bus,
    stream: streamOf("webhook", config.NATS_STREAM_REPLICAS),
    lease: makeLease({ connection, name: "webhook-relay", holder: processHolder }),
    connection,
    clock,
  });
}

/** Opens the keys of this service, and the records that are sealed under them. */
async function openKeys(
  { WEBHOOK_SEALING_KEY_FILE }: WebhookConfig,
  connection: Connection,
  { ids, logger }: { ids: Ids; logger: Logger },
) {
  const sealer = makeSealer(WEBHOOK_SEALING_KEY_FILE, ids);
  const uses = [sealedSecrets("WEBHOOK_SEALING_KEY_FILE", sealer)];
  return { sealer, keys: await startKeyRotation({ connection, rings: { WEBHOOK_SEALING_KEY_FILE }, uses, logger }) };
}

async function openStores(
  { connection, transact }: Pick<Mongo, "connection" | "transact">,
  clock: Clock,
  due: DueNotes,
) {
  const restores = await readRestores(connection);
  const stores = {
    deliveries: makeDeliveryStore(connection),
    queues: makeQueueStore(connection, due.note),
    events: makeEventStore(connection, transact, positionFloor(restores)),
    parked: makeParkedMessages(connection),
    changes: makeChangeStore(connection, clock),
    registry: makeReplicaRegistry(connection, "replicas"),
  };
  await Promise.all(Object.values(stores).map((store) => store.init()));
  return { ...stores, restores };
}

/** One consumer for each producer. */
function startConsumers(
  takeMessage: TakeMessage,
  deps: Pick<ConsumerOptions<SubjectEvents>, "bus" | "parked" | "connection" | "logger" | "tracing" | "metrics">,
): BusConsumer[] {
  return sources.map(({ stream, subject, decode }) =>
    startConsumer({
      ...deps,
      stream,
      subject,
      durable: "webhook",
      decode: (payload) => ({ ...decode(payload), stream }),
      keyOf: (message) => message.subject.id,
      externalIdOf: ({ externalId }) => externalId,
      handle: (message, _source, novelty) => takeMessage({ ...message, novelty }),
      concurrency: messagesInHand,
    }),
  );
}

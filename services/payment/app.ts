import { hostname } from "node:os";
import { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import { PaymentServiceService } from "../../proto/gen/corridor/payment/v1/payment_service";
import { SchemaServiceService } from "../../proto/gen/corridor/schema/v1/schema_service";
import { currentCall } from "../shared/call-context";
import { plusMs, systemClock } from "../shared/clock";
import { type Ground, openGround } from "../shared/ground";
import { systemIds } from "../shared/ids";
import { openBus, streamOf } from "../shared/jetstream";
import { makeLease } from "../shared/lease";
import { stopAll } from "../shared/lifecycle";
import { errorFields } from "../shared/logger";
import { gauge } from "../shared/metrics";
import { openMongo } from "../shared/mongo";
import { startRelay } from "../shared/outbox-relay";
import { makeRpcClient } from "../shared/rpc-client";
import { type RpcServer, serveRpc } from "../shared/rpc-server";
import { makeSealer } from "../shared/sealing";
import type { PaymentConfig } from "./config";
import { startExecutor } from "./executor";
import { acceptPaymentHandler } from "./handlers/accept-payment";
import { encodeEvents } from "./handlers/event-codec";
import { getPaymentHandler } from "./handlers/get-payment";
import { receiveCallbackHandler } from "./handlers/receive-callback";
import { makeAcceptPayment } from "./operations/accept-payment";
import { makeAdvancePayment } from "./operations/advance-payment";
import { makeSettleCallback } from "./operations/settle-callback";
import type { Rails } from "./ports";
import { makeQuotes } from "./quotes";
import { makeHttpRail } from "./rails/http-rail";
import { makeSchemaChecker } from "./schema-checker";
import { makePaymentOutbox } from "./store/payment-outbox";
import { makePaymentStore } from "./store/payment-store";

/** Everything published about payments. */
const subject = "corridor.payment.events";
const timeoutMs = 5_000;
const overdueMs = 60_000;

/** Starts the payment service. It answers SERVING when its store is ready; a bus that is away only delays events. */
export async function startPayment(config: PaymentConfig): Promise<RpcServer> {
  const ground = await openGround("payment", config);
  const { logger, tracing, metrics, tls } = ground;
  const mongo = await openMongo({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    profile: config.PROFILE,
    tracing,
  });
  const sealer = makeSealer(config.PAYMENT_SEALING_KEY_FILE, systemIds);
  const payments = makePaymentStore(mongo.connection, sealer);
  await payments.init();
  gauge(metrics, "corridor_payments_overdue", "Payments that nobody has looked at a minute after their time.", () =>
    payments.countOverdue(plusMs(systemClock.now(), -overdueMs)),
  );

  const bus = await openBus({ url: config.NATS_URL, name: "payment", logger });
  const relay = startRelay({
    source: makePaymentOutbox(mongo.connection, subject, encodeEvents),
    bus,
    stream: streamOf("payment", config.NATS_STREAM_REPLICAS),
    lease: makeLease({
      connection: mongo.connection,
      name: "payment-relay",
      holder: `${hostname()}-${process.pid}`,
      ttlMs: 3_000,
    }),
    connection: mongo.connection,
    clock: systemClock,
    logger,
    tracing,
    metrics,
  });

  const schemaClient = makeRpcClient(SchemaServiceService, {
    target: config.SCHEMA_TARGET,
    tls,
    timeoutMs,
    retryable: ["getSchema"],
    tracing,
  });
  const fxClient = makeRpcClient(FxServiceService, {
    target: config.FX_TARGET,
    tls,
    timeoutMs,
    retryable: ["claimQuote", "releaseQuote"],
    tracing,
  });
  const schemas = makeSchemaChecker(schemaClient);
  const rails = openRails(config, ground);
  const executor = startExecutor({
    payments,
    advance: makeAdvancePayment({ payments, rails, clock: systemClock, nudgeRelay: relay.nudge }),
    clock: systemClock,
    logger,
    tracing,
  });
  const acceptPayment = makeAcceptPayment({
    payments,
    schemas,
    quotes: makeQuotes(fxClient),
    clock: systemClock,
    proceed(payment) {
      relay.nudge();
      executor.proceed(payment);
    },
    traceparent: () => currentCall()?.traceparent ?? "",
  });
  const settleCallback = makeSettleCallback({ payments, rails, clock: systemClock, nudgeRelay: relay.nudge });

  const handlers = {
    acceptPayment: acceptPaymentHandler(acceptPayment),
    getPayment: getPaymentHandler(payments),
    receiveCallback: receiveCallbackHandler(settleCallback),
  };
  const address = `${config.LISTEN_HOST}:${config.GRPC_PORT}`;
  const server = await serveRpc(PaymentServiceService, handlers, { address, tls, logger, tracing, metrics });
  schemas.check("push", {}).catch((error: unknown) => logger.warn(errorFields(error), "schemas are not warm yet"));
  const { stop } = stopAll([ground, mongo, bus, relay, schemaClient, fxClient, executor, server]);
  return { port: server.port, stop };
}

function openRails(config: PaymentConfig, { logger, tracing }: Ground): Rails {
  const pix = makeHttpRail({
    name: "pix",
    baseUrl: config.RAIL_BASE_URL,
    apiKey: config.RAIL_API_KEY_FILE,
    callbackSecret: config.RAIL_CALLBACK_SECRET_FILE,
    timeoutMs: config.RAIL_TIMEOUT_MS,
    clock: systemClock,
    logger,
    tracing,
  });
  return new Map([["pix", pix]]);
}

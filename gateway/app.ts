import { setTimeout as sleep } from "node:timers/promises";
import express, { type Express } from "express";
import type { Clock } from "../services/shared/clock";
import { openGround } from "../services/shared/ground";
import { type Ids, systemIds } from "../services/shared/ids";
import { type Running, stopAll } from "../services/shared/lifecycle";
import { secondsHistogram } from "../services/shared/metrics";
import { makeAuthenticate } from "./authenticate";
import { openUpstreams } from "./clients";
import type { GatewayConfig } from "./config";
import { makeHandleHttp, sendAnswer } from "./handle-http";
import { type HttpListener, listen } from "./http-server";
import { makeKeySet } from "./key-set";
import { makeReadiness } from "./readiness";
import { makeRouteMap } from "./route-map";
import { makeRouteTable } from "./route-table";
import { makeVerifyBearer } from "./verify-bearer";

interface GatewayOverrides {
  clock?: Clock;
  ids?: Ids;
}

export interface Gateway extends Running {
  /** Port of plain HTTP; absent outside the local profile. */
  port: number | undefined;
  /** Port of HTTPS; absent without a certificate. */
  tlsPort: number | undefined;
}

/**
 * Starts the gateway; resolved when it listens. It starts without its upstreams and says so at `/readyz`. Stopping it
 * turns `/readyz` to 503, serves on for the drain time so that balancers and callers move away, then answers what runs.
 */
export async function startGateway(
  config: GatewayConfig,
  { clock: givenClock, ids = systemIds }: GatewayOverrides = {},
): Promise<Gateway> {
  const ground = await openGround("gateway", config);
  const clock = givenClock ?? ground.clock;
  const { logger, tracing, tls } = ground;
  const upstreams = openUpstreams(config, tls, tracing);
  const { AUTH_TARGET: auth, SCHEMA_TARGET: schema, FX_TARGET: fx } = config;
  const targets = {
    auth,
    schema,
    fx,
    payment: config.PAYMENT_TARGET,
    wallet: config.WALLET_TARGET,
    webhook: config.WEBHOOK_TARGET,
  };
  const readiness = makeReadiness(targets, tls, clock);
  const keySet = makeKeySet({ getKeySet: upstreams.auth.getKeySet, clock, logger });
  const verifyBearer = makeVerifyBearer({
    keySet,
    audience: config.AUTH_AUDIENCE,
    environment: config.PROFILE,
    clock,
  });
  const durations = secondsHistogram(
    ground.metrics,
    "corridor_http_request_duration_seconds",
    "Time to answer a REST request.",
    ["route", "status"],
  );
  let isDraining = false;
  const table = makeRouteTable({ upstreams, keySet, readiness, clock, isDraining: () => isDraining });
  const handleHttp = makeHandleHttp({
    findRoute: makeRouteMap(table),
    authenticate: makeAuthenticate({ verifyBearer, authenticateKey: upstreams.auth.authenticateKey, clock }),
    logger,
    tracing,
    requestServed: (route, status, durationMs) => durations.observe({ route, status }, durationMs / 1_000),
    clock,
    ids,
  });
  const listeners = await openListeners(
    config,
    makeExpress(handleHttp, () => isDraining),
  );
  logger.info({ port: listeners.http?.port, tlsPort: listeners.https?.port }, "serving HTTP");
  const parts = [ground, readiness, upstreams, listeners.http, listeners.https].filter((part) => part !== undefined);
  return {
    port: listeners.http?.port,
    tlsPort: listeners.https?.port,
    async stop() {
      isDraining = true;
      await sleep(config.GATEWAY_DRAIN_MS);
      await stopAll(parts).stop();
    },
  };
}

/** Express with nothing that a request does not need; all routing is one look-up in our own table. */
function makeExpress(handleHttp: ReturnType<typeof makeHandleHttp>, isDraining: () => boolean): Express {
  const app = express();
  app.disable("etag");
  app.disable("x-powered-by");
  app.set("query parser", "simple");
  app.use(async (request, response) => {
    const [answer, requestId] = await handleHttp(request);
    sendAnswer(response, answer, { requestId, isSecure: request.secure, isDraining: isDraining() });
  });
  return app;
}

async function openListeners(
  config: GatewayConfig,
  app: Express,
): Promise<{ http: HttpListener | undefined; https: HttpListener | undefined }> {
  const { LISTEN_HOST: host, GATEWAY_TLS_CERT_FILE: certificate, GATEWAY_TLS_KEY_FILE: key } = config;
  const http = config.PROFILE === "local" ? await listen(app, { host, port: config.GATEWAY_PORT }) : undefined;
  const hasCertificate = certificate !== undefined && key !== undefined;
  const https = hasCertificate
    ? await listen(app, { host, port: config.GATEWAY_TLS_PORT, tls: { certificate, key } })
    : undefined;
  return { http, https };
}

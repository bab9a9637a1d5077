import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import express, { type ErrorRequestHandler, Router } from "express";
import { systemIds } from "../services/shared/kernel/ids";
import { errorFields, type Logger } from "../services/shared/process/logger";
import { type Acts, openActs } from "./acts";
import { openCallbacks } from "./callbacks";
import type { SandboxConfig } from "./config";
import { openDatabase } from "./database";
import { openDuties } from "./duties";
import { faultRoutes } from "./fault-routes";
import { makeFaults } from "./faults";
import { text } from "./input";
import { openMovements } from "./movements";
import { oidcIssuer } from "./oidc/issuer";
import { openProviders, operations, type Shelves, statementProviders } from "./providers";
import { requireKey } from "./require-key";
import { type Aftermath, makeServe } from "./serve";
import { sinkRoutes } from "./sink";
import { statementRoutes } from "./statements";
import { worldValues } from "./values";
import type { World } from "./world";
import { clockRoutes, openWorldClock } from "./world-clock";

export interface Sandbox {
  url: string;
  tlsUrl: string | undefined;
  /** Answers what is under way, stops listening and closes the book. */
  stop(): Promise<void>;
}

/** Longer than the clients' own, so that they close idle connections first and never meet a closed one. */
const keepAliveTimeoutMs = 65_000;
const drainMs = 5_000;
const clockPatience = { followMs: 20_000, advanceMs: 5_000 };
/** What asks for the key that the platform presents. */
const keyedPaths = ["/rails", "/screening", "/acquirer", "/debits", "/kyc"];

/** Starts the simulated outside world, and carries on what its book left open. */
export async function startSandbox(config: SandboxConfig, logger: Logger): Promise<Sandbox> {
  const { host } = config;
  const database = openDatabase(config.dataDir);
  const clock = openWorldClock(database);
  const faults = makeFaults();
  const base = { database, clock, faults, ids: systemIds, logger };
  const duties = openDuties(base);
  const callbacks = openCallbacks({ ...base, ...config });
  const movements = openMovements({ ...base, duties });
  const acts = openActs({ ...base, duties });
  const aftermath: Aftermath = {
    tell: (provider, reference) => callbacks.tell(provider, reference),
    act: (provider, reference, orders) =>
      database.write(() => {
        for (const order of orders) acts.order(provider, reference, order);
      }),
  };
  const world: World = { ...base, duties, callbacks, movements, acts, serve: makeServe({ faults, aftermath }) };
  const { providers, open, shelves } = openProviders(world, config);

  const app = express().disable("x-powered-by").disable("etag");
  app.use(sinkRoutes({ ...world }));
  app.use(oidcIssuer(() => `http://${host}:${portOf(server)}`));
  app.use(express.json({ limit: "64kb" }));
  app.use(...open, clockRoutes(clock, clockPatience), faultRoutes(faults, operations), acts.routes);
  app.use(readRoutes(shelves, acts.names));
  app.get("/callbacks", (_req, res) => {
    res.json(callbacks.owed());
  });
  const key = config.statementKey ?? config.railKey;
  app.use(statementRoutes({ movements, providers: statementProviders, key }));
  app.use(keyedPaths, requireKey(config.railKey));
  app.use(...providers);
  app.use((_req, res) => {
    res.status(404).json({ error: "not_found" });
  });
  app.use(renderError(logger));

  callbacks.start();
  duties.start();
  const server = await listen(createServer(app), config.port, host);
  const tlsServer = config.tls && (await listen(createTlsServer(config.tls, app), config.tls.port, host));
  const sandbox = {
    url: `http://${host}:${portOf(server)}`,
    tlsUrl: tlsServer && `https://${host}:${portOf(tlsServer)}`,
  };
  logger.info(sandbox, "sandbox listens");
  return {
    ...sandbox,
    async stop() {
      clock.close();
      await Promise.all([server, tlsServer].map(close));
      await duties.stop();
      await callbacks.stop();
      await database.close();
    },
  };
}

function readRoutes(shelves: Shelves, acts: Acts["names"]): Router {
  const routes = Router();
  routes.get("/healthz", (_req, res) => {
    res.json({ status: "ok" });
  });
  routes.get("/values", (_req, res) => {
    res.json(worldValues({ acts: acts(), operations }));
  });
  routes.get("/book", (req, res) => {
    const reference = text(req.query["reference"]) || undefined;
    res.json(Object.fromEntries(Object.entries(shelves).map(([name, list]) => [name, list(reference)])));
  });
  return routes;
}

/** What body parsers refuse is the caller's fault and says so; anything else is a bug of the sandbox. */
function renderError(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const status = error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : 500;
    if (status >= 500) logger.error(errorFields(error), "sandbox call failed");
    res.status(status).json({ error: status >= 500 ? "internal" : "invalid_request" });
  };
}

async function listen<T extends Server>(server: T, port: number, host: string): Promise<T> {
  server.keepAliveTimeout = keepAliveTimeoutMs;
  server.listen(port, host);
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the sandbox is not listening on a port");
  return address.port;
}

async function close(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  const hurry = setTimeout(() => server.closeAllConnections(), drainMs);
  server.close();
  await once(server, "close");
  clearTimeout(hurry);
}

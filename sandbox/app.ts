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
import type { Environment } from "./environment";
import { faultRoutes } from "./fault-routes";
import { makeFaults } from "./faults";
import { text } from "./input";
import { openMovements } from "./movements";
import { type BookSections, openProviders, operations, statementProviders } from "./providers";
import { requireKey } from "./require-key";
import { clockRoutes, openSandboxClock } from "./sandbox-clock";
import { openScheduledJobs } from "./scheduled-jobs";
import { type Aftermath, makeServe } from "./serve";
import { statementRoutes } from "./statements";
import { sandboxValues } from "./values";
import { webhookReceiverRoutes } from "./webhook-receiver";

export interface Sandbox {
  url: string;
  tlsUrl: string | undefined;
  /** Answers calls in progress, stops listening and closes the book. */
  stop(): Promise<void>;
}

/** Longer than the clients' own, so that a client closes an idle connection before the server does. */
const keepAliveTimeoutMs = 65_000;
const drainMs = 5_000;
const clockPatience = { followMs: 20_000, advanceMs: 5_000 };
/** Paths that require the platform's key. */
const keyedPaths = ["/rails", "/screening", "/acquirer", "/debits", "/kyc"];

/** Starts the sandbox and resumes the work that its book left open. */
export async function startSandbox(config: SandboxConfig, logger: Logger): Promise<Sandbox> {
  const { host } = config;
  const database = openDatabase(config.dataDir);
  const clock = openSandboxClock(database);
  const faults = makeFaults();
  const base = { database, clock, faults, ids: systemIds, logger };
  const jobs = openScheduledJobs(base);
  const callbacks = openCallbacks({ ...base, ...config });
  const movements = openMovements({ ...base, jobs });
  const acts = openActs({ ...base, jobs });
  const aftermath: Aftermath = {
    notify: (provider, reference) => callbacks.notify(provider, reference),
    act: (provider, reference, orders) =>
      database.write(() => {
        for (const order of orders) acts.order(provider, reference, order);
      }),
  };
  const environment: Environment = {
    ...base,
    jobs,
    callbacks,
    movements,
    acts,
    serve: makeServe({ faults, aftermath }),
  };
  const { providers, open, sections } = openProviders(environment, config);

  const app = express().disable("x-powered-by").disable("etag");
  app.use(webhookReceiverRoutes({ ...environment }));
  app.use(express.json({ limit: "64kb" }));
  app.use(...open, clockRoutes(clock, clockPatience), faultRoutes(faults, operations), acts.routes);
  app.use(readRoutes(sections, acts.names));
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
  jobs.start();
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
      await jobs.stop();
      await callbacks.stop();
      await database.close();
    },
  };
}

function readRoutes(sections: BookSections, acts: Acts["names"]): Router {
  const routes = Router();
  routes.get("/healthz", (_req, res) => {
    res.json({ status: "ok" });
  });
  routes.get("/values", (_req, res) => {
    res.json(sandboxValues({ acts: acts(), operations }));
  });
  routes.get("/book", (req, res) => {
    const reference = text(req.query["reference"]) || undefined;
    res.json(Object.fromEntries(Object.entries(sections).map(([name, list]) => [name, list(reference)])));
  });
  return routes;
}

/** Reports errors of body parsers as the caller's fault; any other error is a bug of the sandbox. */
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

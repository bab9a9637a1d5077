import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Health, HealthAnswer } from "./health";
import type { Running } from "./lifecycle";
import type { Metrics } from "./metrics";

export interface Probed {
  metrics: Metrics;
  health: Pick<Health, "startup" | "readiness">;
}

/** The most open connections: more than all probes and scrapers of a process ever use. */
const mostConnections = 64;
/** How long a connection may send nothing, send slowly or not read, milliseconds: anyone who can reach the port may connect. */
const silenceMs = 10_000;
const timing = { headersTimeout: silenceMs, requestTimeout: silenceMs, connectionsCheckingInterval: 1_000 };

const say = (response: ServerResponse, { isGood, missing }: HealthAnswer): void => {
  const body = JSON.stringify(isGood ? { status: "ok" } : { status: "not ok", missing });
  response.writeHead(isGood ? 200 : 503, { "content-type": "application/json" }).end(body);
};

/**
 * Serves, unencrypted and unauthenticated, `GET /metrics` in the Prometheus text format and the three probes:
 * `/startupz` is 200 once the start is complete, `/readyz` while the process can do its work, and `/livez` always: a process
 * whose event loop hangs does not answer it.
 */
export async function serveProbes(
  { metrics, health }: Probed,
  host: string,
  port: number,
): Promise<Running & { port: number }> {
  const pages: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    "/livez": async (response) => say(response, { isGood: true, missing: [] }),
    "/startupz": async (response) => say(response, health.startup()),
    "/readyz": async (response) => say(response, await health.readiness()),
    "/metrics": async (response) => {
      const text = await metrics.registry.metrics();
      response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text);
    },
  };
  const server = createServer(timing);
  const admit = guard(server);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!admit(request, response)) return;
    const page = request.method === "GET" ? pages[request.url ?? ""] : undefined;
    if (page === undefined) return void response.writeHead(404).end();
    page(response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Limits what connections cost. Beyond the limit the oldest one is closed, so that a probe always gets in, and each connection has one
 * request at a time, so that answers cannot pile up. Returns a function that decides about a request; false: its connection has been
 * closed.
 */
function guard(server: Server): (request: IncomingMessage, response: ServerResponse) => boolean {
  server.timeout = silenceMs;
  const open = new Set<Socket>();
  const busy = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    const [oldest] = open;
    if (open.size >= mostConnections) oldest?.destroy();
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      busy.delete(socket);
    });
  });
  return ({ socket }, response) => {
    if (busy.has(socket) || socket.destroyed) {
      socket.destroy();
      return false;
    }
    busy.add(socket);
    response.once("close", () => busy.delete(socket));
    return true;
  };
}

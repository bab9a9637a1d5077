import { createServer, type ServerResponse } from "node:http";
import type { Health, HealthAnswer } from "./health";
import type { Running } from "./lifecycle";
import type { Metrics } from "./metrics";

export interface Probed {
  metrics: Metrics;
  health: Pick<Health, "startup" | "readiness">;
}

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
  const server = createServer((request, response) => {
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

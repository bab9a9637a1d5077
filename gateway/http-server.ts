import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../services/shared/lifecycle";

const limits: ServerOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  /** How often Node looks for requests that are over their time. */
  connectionsCheckingInterval: 1_000,
};

const maxConnections = 4_096;
const maxRequestsPerSocket = 1_000;

/** A listener that drains: `stop` takes no new connection and ends when the last running request is answered. */
export interface HttpListener extends Running {
  port: number;
}

/** Listens for HTTP, or for HTTPS when a certificate is given. */
export async function listen(
  handler: RequestListener,
  { host, port, tls }: { host: string; port: number; tls?: { certificate: string; key: string } },
): Promise<HttpListener> {
  const server: Server =
    tls === undefined
      ? createServer(limits, handler)
      : createSecureServer({ ...limits, cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2" }, handler);
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = maxRequestsPerSocket;
  let running = 0;
  server.on("request", (_request, response) => {
    running += 1;
    response.once("close", () => {
      running -= 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      while (running > 0) await sleep(10);
      // What is still open now carries no request: callers that connected and said nothing.
      await Promise.race([closed, sleep(100)]);
      server.closeAllConnections();
      await closed;
    },
  };
}

import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "../../../docs/webhooks/verify-webhook";
import { ensureLocalCa, type LocalCa } from "../../../local/local-ca";

/** One request that the sink got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** Exactly as it came. */
  body: string;
  at: number;
}

export type Respond = (received: Received, response: ServerResponse) => void;

export interface Sink {
  ca: LocalCa;
  url(path: string): string;
  received(path: string): Received[];
  /** How a path answers; 200 unless it is set. */
  respond(path: string, respond: Respond): void;
  stop(): Promise<void>;
}

/** A receiver of webhooks on loopback with a certificate of the local authority. */
export async function startSink(dir: string): Promise<Sink> {
  const ca = await ensureLocalCa(dir);
  const all: Received[] = [];
  const responders = new Map<string, Respond>();
  const server = createServer({ cert: await readFile(ca.certFile), key: await readFile(ca.keyFile) });
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const received = { path, headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      all.push(received);
      const respond = responders.get(path);
      if (respond === undefined) response.writeHead(200).end();
      else respond(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    ca,
    url: (path) => `https://localhost:${port}${path}`,
    received: (path) => all.filter((one) => one.path === path),
    respond: (path, respond) => void responders.set(path, respond),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The time of a delivery's signature when it verifies with the secret, as the guide has receivers check it. */
export function verifiedTime({ headers, body }: Received, secret: string): number | undefined {
  const header = String(headers["x-service-signature"]);
  try {
    verifyWebhook({ secret, header, body });
    return Number.parseInt(header.slice("t=".length), 10);
  } catch {
    return undefined;
  }
}

/** True when the official library of Standard Webhooks verifies the delivery with the secret. */
export function verifiesAsStandard({ headers, body }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

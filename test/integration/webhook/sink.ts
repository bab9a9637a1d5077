import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
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
  /** How a path answers; 200 unless told. */
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

/** The time of a delivery's signature when it verifies with the secret, as a receiver checks it. */
export function verifiedTime({ headers, body }: Received, secret: string): number | undefined {
  const [, t = "", v1 = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-service-signature"])) ?? [];
  const expected = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return v1 === expected ? Number.parseInt(t, 10) : undefined;
}

/** True when the Standard Webhooks headers verify with the secret. */
export function verifiesAsStandard({ headers, body }: Received, secret: string): boolean {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const mac = createHmac("sha256", Buffer.from(secret, "base64")).update(content).digest("base64");
  return headers["webhook-signature"] === `v1,${mac}`;
}

import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../services/shared/process/lifecycle";
import { repeat } from "../services/shared/process/repeat";
import { openAcceptors } from "./acceptors";
import { holdBodies } from "./awaited-body";
import type { Callers } from "./callers";
import type { Doors } from "./doors";
import type { RequestTime } from "./request-time";

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  /** How often Node looks for requests that are over their time. */
  connectionsCheckingInterval: 1_000,
};

/** Connections that wait to be taken, so that a rush of strangers keeps no caller out. */
const backlog = 4_096;
/** A stranger who cannot agree on a key in this time goes. */
const handshakeTimeout = 5_000;

/** A listener that drains: `stop` takes no new connection and ends when the last running request is answered. */
export interface HttpListener extends Running {
  port: number;
}

/** PEM files of a listener. They are read again when they change, so that certificates are replaced without a restart. */
export interface TlsFiles {
  certificate: string;
  key: string;
  /** Authorities of client certificates; when given, a connection without such a certificate fails. */
  clientCa: string | undefined;
  /** Called when files that changed cannot be used; the ones before stay. */
  onBadFiles(error: unknown): void;
}

const filesAreReadEveryMs = 10_000;

export interface ListenOptions {
  host: string;
  port: number;
  tls?: TlsFiles;
  time: Pick<RequestTime, "watch" | "requestMs">;
  doors: Pick<Doors, "guard" | "admit">;
  callers: Pick<Callers, "meet">;
}

/** Listens for HTTP, or for HTTPS when there are certificates. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<HttpListener> {
  const { host, port, tls, time, doors, callers } = options;
  const headersTimeout = Math.min(limits.headersTimeout, time.requestMs);
  // Host is looked at with the other headers, so that its refusal has the form of all others.
  const timed = { ...limits, requestTimeout: time.requestMs, headersTimeout, requireHostHeader: false };
  const { server, reloading } =
    tls === undefined ? { server: createServer(timed), reloading: undefined } : listenSecurely(tls, timed);
  doors.guard(server, callers);
  time.watch(server);
  let running = 0;
  const take: RequestListener = (request, response) => {
    if (!doors.admit(request, response)) return;
    running += 1;
    response.once("close", () => {
      running -= 1;
    });
    handler(request, response);
  };
  server.on("request", take);
  holdBodies(server);
  // What else is expected of us is seen when it is asked for; the answer is that of the request.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const acceptors = await openAcceptors(server, { host, port, backlog });
  return {
    port: acceptors.port,
    async stop() {
      await reloading?.stop();
      const closed = acceptors.close();
      // A connection that was taken just now may still send its request, so nothing may run for a while before the end.
      do {
        while (running > 0) await sleep(10);
        await Promise.race([closed, sleep(200)]);
      } while (running > 0);
      // What is still open now carries no request: callers that connected and said nothing.
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A TLS server that follows its files. */
function listenSecurely(files: TlsFiles, limits: ServerOptions): { server: Server; reloading: Running } {
  let present = readTls(files);
  const mutual = { requestCert: files.clientCa !== undefined, rejectUnauthorized: files.clientCa !== undefined };
  const server = createSecureServer({ ...limits, ...mutual, ...present, handshakeTimeout, minVersion: "TLSv1.2" });
  const reload = (): Promise<void> => {
    const next = readTls(files);
    if (next.cert !== present.cert || next.key !== present.key || next.ca !== present.ca) {
      server.setSecureContext({ ...next, minVersion: "TLSv1.2" });
      present = next;
    }
    return Promise.resolve();
  };
  const reloading = repeat(filesAreReadEveryMs, async () => reload(), files.onBadFiles);
  return { server, reloading };
}

const readTls = ({ certificate, key, clientCa }: TlsFiles) => ({
  cert: readFileSync(certificate, "utf8"),
  key: readFileSync(key, "utf8"),
  ca: clientCa === undefined ? undefined : readFileSync(clientCa, "utf8"),
});

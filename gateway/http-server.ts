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
  /** How often Node looks for requests that have exceeded their time. */
  connectionsCheckingInterval: 1_000,
};

/** Connections that wait to be taken, so that a rush of strangers keeps no caller out. */
const backlog = 4_096;
/** A stranger that has not completed its handshake in this time is disconnected. */
const handshakeTimeout = 5_000;

/** A listener that drains: `stop` accepts no new connection and resolves when the last running request is answered. */
export interface HttpListener extends Running {
  port: number;
}

/** PEM files of a listener. They are read again when they change, so that certificates can be replaced without a restart. */
export interface TlsFiles {
  certificate: string;
  key: string;
  /** Authorities of client certificates; when given, a connection without such a certificate fails. */
  clientCa: string | undefined;
  /** Called when changed files cannot be used; the previous ones stay in use. */
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
  // Host is checked with the other headers, so that its refusal has the form of all others.
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
  // Any other `Expect` is left to the handling of the request, which gets its usual answer.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const acceptors = await openAcceptors(server, { host, port, backlog });
  return {
    port: acceptors.port,
    async stop() {
      await reloading?.stop();
      const closed = acceptors.close();
      // A connection that was just accepted may still send its request, so a short time without running requests must pass before the end.
      do {
        while (running > 0) await sleep(10);
        await Promise.race([closed, sleep(200)]);
      } while (running > 0);
      // Connections that are still open carry no request: their callers connected and sent nothing.
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

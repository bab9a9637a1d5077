import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { monotonicMs } from "../services/shared/kernel/clock";
import { bidFarewell, refuseTunnel } from "./farewell";

export interface RequestTimeOptions {
  /** Longest time for receiving a whole request. */
  requestMs: number;
  /** The same for an upload. */
  uploadMs: number;
  /** Fewest bytes of an upload in a second, on average over any `requestMs`. */
  uploadBytesPerSecond: number;
  /** While true, uploads have no more time than other requests. */
  isDraining(): boolean;
}

/** Cuts off connections with a request that does not arrive in time, so that no caller can hold one by sending slowly. */
export interface RequestTime extends Pick<RequestTimeOptions, "requestMs"> {
  /** Watches the requests of a server. */
  watch(server: Server): void;
  /**
   * Grants a request the time of an upload. Returns a function to call when it is answered; bytes still sent after that have no deadline.
   */
  extend(request: IncomingMessage): () => void;
}

interface Upload {
  endsAtMs: number;
  /** Bytes that its connection had received when it was last looked at. */
  seenBytes: number;
}

/**
 * Node checks the age of each request and reports it once; an upload is checked again, for as long as it arrives fast enough and its time
 * has not run out.
 */
export function makeRequestTime(options: RequestTimeOptions): RequestTime {
  const { requestMs, uploadMs, uploadBytesPerSecond, isDraining } = options;
  const leastBytes = (uploadBytesPerSecond * requestMs) / 1_000;
  const responses = new WeakMap<Duplex, ServerResponse>();
  const uploads = new WeakMap<IncomingMessage, Upload>();
  const isInTime = (request: IncomingMessage, upload: Upload): boolean => {
    const { bytesRead } = request.socket;
    // Bytes that wait to be read are late because of us.
    const isFast = bytesRead - upload.seenBytes >= leastBytes || request.readableLength > 0;
    upload.seenBytes = bytesRead;
    return isFast && monotonicMs() < upload.endsAtMs && !isDraining();
  };
  const onLate = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const response = responses.get(socket);
    const request = response?.req;
    const upload = request === undefined ? undefined : uploads.get(request);
    if (request === undefined || upload === undefined || !isInTime(request, upload)) {
      bidFarewell(socket, response, error);
      return;
    }
    const nextMs = Math.min(requestMs, upload.endsAtMs - monotonicMs());
    setTimeout(() => {
      if (!request.complete && !socket.destroyed) onLate(error, socket);
    }, nextMs).unref();
  };
  return {
    requestMs,
    watch(server) {
      server.on("request", (request, response) => void responses.set(request.socket, response));
      server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
        if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") onLate(error, socket);
        else bidFarewell(socket, responses.get(socket), error);
      });
      server.on("connect", (_request, socket) => refuseTunnel(socket));
    },
    extend(request) {
      uploads.set(request, { endsAtMs: monotonicMs() + uploadMs, seenBytes: request.socket.bytesRead });
      return () => void uploads.delete(request);
    },
  };
}

import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { systemIds } from "../services/shared/kernel/ids";

interface Farewell {
  status: string;
  code: string;
  message: string;
  /** True if the request's own framing is at fault, so that no field of it can be named. */
  isMalformed?: boolean;
}

const malformed: Farewell = {
  status: "400 Bad Request",
  code: "VE_001",
  message: "the request must be well-formed HTTP/1.1",
  isMalformed: true,
};

/** Last answers to connections that carry no request that could be answered. */
const farewells: ReadonlyMap<string | undefined, Farewell> = new Map([
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { status: "408 Request Timeout", code: "REQ_408", message: "the request must come in whole in time" },
  ],
  [
    "HPE_HEADER_OVERFLOW",
    {
      status: "431 Request Header Fields Too Large",
      code: "REQ_431",
      message: "the headers must be at most 16384 bytes long",
    },
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    { status: "413 Payload Too Large", code: "REQ_413", message: "chunk extensions must be at most 16384 bytes long" },
  ],
]);

const tunnel: Farewell = {
  status: "405 Method Not Allowed",
  code: "REQ_405",
  message: "the route does not take this method",
};

/** Ends a connection that asks for a tunnel. It no longer has any other listener. */
export function refuseTunnel(socket: Duplex): void {
  socket.on("error", () => undefined);
  socket.end(textOf(tunnel));
}

/** Sends the reason, unless an answer has begun, and closes the connection. */
export function bidFarewell(socket: Duplex, response: ServerResponse | undefined, error: NodeJS.ErrnoException): void {
  const isAnswering = response?.headersSent === true && !response.writableFinished;
  const farewell = farewells.get(error.code) ?? (error.code?.startsWith("HPE_") === true ? malformed : undefined);
  if (socket.writable && farewell !== undefined && !isAnswering) socket.write(textOf(farewell));
  socket.destroy(error);
}

function textOf({ status, code, message, isMalformed = false }: Farewell): string {
  const requestId = systemIds.uuid();
  const errors = isMalformed ? { errors: [{ field: "request", message: "must be well-formed HTTP/1.1" }] } : {};
  const body = JSON.stringify({ code, message, requestId, ...errors });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    "cache-control: no-store",
    "x-content-type-options: nosniff",
    ...(code === "REQ_405" ? ["allow: "] : []),
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

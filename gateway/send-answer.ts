import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { isBodyUnasked } from "./awaited-body";
import type { Doors } from "./doors";
import type { Answer, StreamedBody } from "./route";

/** Headers of every answer; those of a door replace them, and a route's own replace both. */
const commonHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Bytes written to a connection at once: the next ones are written when its reader has taken these. */
const pieceBytes = 32 * 1024;

/** Largest body that is copied, so that it goes out in one write with its headers. */
const smallBytes = 8 * 1024;

export interface SendFacts {
  requestId: string;
  isSecure: boolean;
  isDraining: boolean;
  doors: Pick<Doors, "hold" | "silenceSeconds">;
  /** Headers of the door. */
  doorHeaders: Readonly<Record<string, string>>;
}

/** Writes an answer. While the gateway drains, each connection ends with the answer that it carries. */
export function sendAnswer(
  response: ServerResponse,
  { status, headers, body, isShared = false }: Answer,
  { requestId, isSecure, isDraining, doors, doorHeaders }: SendFacts,
): void {
  if (isBodyUnasked(response)) response.shouldKeepAlive = false;
  const silenceSeconds = isDraining || !response.shouldKeepAlive ? undefined : doors.silenceSeconds(response);
  response.writeHead(status, {
    ...commonHeaders,
    ...doorHeaders,
    ...(isSecure ? { "strict-transport-security": "max-age=31536000" } : {}),
    ...headers,
    ...(silenceSeconds === undefined ? {} : { "keep-alive": `timeout=${silenceSeconds}` }),
    ...(isDraining ? { connection: "close" } : {}),
    ...(body?.length === undefined ? {} : { "content-length": body.length }),
    "x-request-id": requestId,
  });
  if (body === undefined || response.req.method === "HEAD") {
    if (body !== undefined && !Buffer.isBuffer(body)) giveUp(body);
    response.end();
  }
  // A body that cannot be completed aborts the connection, so that its receiver does not mistake it for a whole one.
  else if (!Buffer.isBuffer(body)) pipeline(body.content, response).catch(() => response.destroy());
  else {
    // A body for many callers is held once; every other answer has its own.
    doors.hold(response, isShared ? Math.min(body.length, pieceBytes) : body.length);
    // Single-byte text goes out in one piece with the headers.
    if (body.length <= smallBytes) response.end(body.toString("latin1"), "latin1");
    else writePieces(response, body, 0);
  }
}

/** Ends a body that will not be read. */
function giveUp({ content }: StreamedBody): void {
  // An error at the end of a connection has no caller to report it to.
  content[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined);
}

function writePieces(response: ServerResponse, body: Buffer, from: number): void {
  let at = from;
  while (body.length - at > pieceBytes) {
    const hasRoom = response.write(body.subarray(at, at + pieceBytes));
    at += pieceBytes;
    if (!hasRoom) return void response.once("drain", () => writePieces(response, body, at));
  }
  response.end(body.subarray(at));
}

import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Requests whose sender withholds the body until a 100 Continue (RFC 9110 section 10.1.1). */
const waiting = new WeakSet<IncomingMessage>();

/** Postpones asking a sender for its body until a reader wants it: Node asks before it knows what the request is. */
export function holdBodies(server: Server): void {
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    waiting.add(request);
    server.emit("request", request, response);
  });
}

/** Asks for the body of a request whose sender waits for that. */
export function askForBody(response: ServerResponse): void {
  if (waiting.delete(response.req)) response.writeContinue();
}

/** True for a request whose withheld body was never asked for: it may come or not, so nothing can follow it on its connection. */
export const isBodyUnasked = ({ req }: ServerResponse): boolean => waiting.has(req);

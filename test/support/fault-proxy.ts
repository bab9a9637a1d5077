import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Faults of a request on its way: none; the request is lost before it is handled, or its answer after; half of the answer arrives, or none
 * in time; or it is refused, before it is handled or after.
 */
export const faults = ["pass", "lostBefore", "lostAfter", "half", "silent", "busy", "away", "awayAfter"] as const;
export type Fault = (typeof faults)[number];

/** Chooses the fault of a request by its content. */
type Choose = (method: string, path: string, body: string) => Fault;

/** A proxy in front of a gateway that applies to each request the fault that a test chooses. */
export interface FaultProxy {
  url: string;
  /** Sets the faults of requests from here on. */
  plan(choose: Choose): void;
  /** Method and path of every request that reached the gateway. */
  handled: string[];
  stop(): Promise<void>;
}

const refusals = {
  busy: [429, "RL_001"],
  away: [503, "SYS_503"],
  awayAfter: [503, "SYS_503"],
} as const;

export async function startFaultProxy(gatewayUrl: string): Promise<FaultProxy> {
  let choose: Choose = () => "pass";
  const handled: string[] = [];
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy());
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fault = choose(method, url, Buffer.concat(chunks).toString("utf8"));
    if (fault === "lostBefore") return void response.destroy();
    if (fault === "busy" || fault === "away") return refuse(response, fault);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const answer = await fetch(`${gatewayUrl}${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    handled.push(`${method} ${url}`);
    if (fault === "lostAfter") return void response.destroy();
    if (fault === "silent") return;
    if (fault === "awayAfter") return refuse(response, fault);
    const kept = [...answer.headers].filter(([name]) => !/^(connection|transfer-encoding|keep-alive)$/.test(name));
    response.writeHead(answer.status, { ...Object.fromEntries(kept), "content-length": body.length });
    if (fault === "half") response.write(body.subarray(0, body.length / 2), () => response.destroy());
    else response.end(body);
  };
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    plan(chosen) {
      choose = chosen;
    },
    handled,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function refuse(response: ServerResponse, fault: keyof typeof refusals): void {
  const [status, code] = refusals[fault];
  response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
  response.end(JSON.stringify({ code, message: "of the test", requestId: "proxy" }));
}

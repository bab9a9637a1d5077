import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makeProviderCall, type ProviderCall } from "../../services/shared/http/provider-call";
import { makeLogger } from "../../services/shared/process/logger";
import { makeMetrics } from "../../services/shared/process/metrics";
import { noTracing } from "../../services/shared/process/tracing";

export interface StandInAnswer {
  status: number;
  body: object | string;
}

export interface StandIn {
  url: string;
  say(answer: StandInAnswer): void;
  calls(): number;
  stop(): void;
}

/** Starts a provider that answers every call with its last configured answer. */
export async function startStandIn(): Promise<StandIn> {
  let next: StandInAnswer = { status: 500, body: "" };
  let calls = 0;
  const server = createServer((req, res) => {
    calls += 1;
    req.resume();
    req.once("end", () => {
      const text = typeof next.body === "string" ? next.body : JSON.stringify(next.body);
      res.writeHead(next.status, { "content-type": "application/json" }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    say(answer) {
      next = answer;
    },
    calls: () => calls,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A separate path to a provider: one that fails ten times is not called for a while. */
export const callTo = (baseUrl: string, apiKey = "key"): ProviderCall =>
  makeProviderCall({
    name: "provider",
    baseUrl,
    apiKey,
    timeoutMs: 20_000,
    logger: makeLogger("stand-in", "error"),
    tracing: noTracing,
    metrics: makeMetrics("test"),
  });

/** Answers of a proxy between us and a provider, or of a provider in trouble: none contains any information. */
export const strangeAnswers: readonly StandInAnswer[] = [
  ...[401, 403, 404, 409, 422, 425, 429, 500, 503].flatMap((status) => [
    { status, body: { error: "something_else" } },
    { status, body: "<html>no</html>" },
  ]),
  { status: 200, body: "" },
  { status: 200, body: {} },
  { status: 200, body: [] },
  { status: 200, body: '{"reference":"' },
];

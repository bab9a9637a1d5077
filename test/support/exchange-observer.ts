import { join } from "node:path";

/** One request with its answer, as seen by a gateway. */
export interface Exchange {
  /** The setting of the port that received it. */
  listener: "GATEWAY_PORT" | "GATEWAY_TLS_PORT" | "OPERATOR_PORT" | "CONSOLE_PORT";
  method: string;
  /** Path and query. */
  path: string;
  /** The body of the request; absent unless it is JSON. */
  sent?: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body of the answer; empty unless it is JSON. */
  text: string;
}

/** Observes all exchanges of clients of a test file with its platforms. */
export interface ExchangeObserver {
  /** Gateways append their exchanges to it, one JSON document per line. */
  file: string;
  seeWebhook(body: string): void;
}

let observer: ExchangeObserver | undefined;

/** Makes an observer see all later exchanges. Suites that compare nothing need not load the comparison. */
export function observeExchanges(by: ExchangeObserver): void {
  observer = by;
}

/** Environment of a gateway whose exchanges are observed: of every client, whatever it is written in and wherever it runs. */
export const observedGateway = ({
  NODE_OPTIONS = "",
  ...env
}: Readonly<Record<string, string>> = {}): Record<string, string> => {
  if (observer === undefined) return NODE_OPTIONS === "" ? env : { ...env, NODE_OPTIONS };
  const recorder = join(__dirname, "record-exchanges.js");
  return { ...env, NODE_OPTIONS: `${NODE_OPTIONS} --require ${recorder}`.trim(), EXCHANGES_FILE: observer.file };
};

export const seeWebhook = (body: string): void => observer?.seeWebhook(body);

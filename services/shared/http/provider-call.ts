import { request } from "undici";
import { monotonicMs, systemClock } from "../kernel/clock";
import { answerLimits, type JsonLimits, type JsonObject, type JsonValue, parseJson } from "../kernel/json";
import { currentCall } from "../process/call-context";
import { errorFields, type Logger } from "../process/logger";
import { counter, type Metrics, secondsHistogram } from "../process/metrics";
import type { Tracing } from "../process/tracing";

export interface ProviderCallOptions {
  /** Name of the provider, for logs and spans. */
  name: string;
  baseUrl: string;
  apiKey: string;
  /** Longest time of a call, the wait for its turn included; after it the outcome is unknown. */
  timeoutMs: number;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
}

/** A provider's answer: its status, and its body, which is empty unless it is a JSON object. */
export interface ProviderAnswer {
  status: number;
  body: JsonObject;
  /** The provider's text, unchanged. */
  raw: string;
}

/** Calls one provider. Undefined when the outcome is unknown. */
export type ProviderCall = (method: "GET" | "POST", path: string, body?: object) => Promise<ProviderAnswer | undefined>;

const maxAnswerBytes = 64 * 1024;
/** Most concurrent calls to one provider; further calls wait. */
const maxRunning = 64;
/** Unanswered calls in a row after which the provider counts as away and is not called for a moment. */
const failuresToOpen = 10;
const openMs = 1_000;

/**
 * HTTP and JSON with a time-out, a bound on the calls under way, and a breaker: a provider that does not answer is not
 * called again for a second, then by one trial call at a time. A call that was not made counts as unknown, like a lost one.
 */
export function makeProviderCall(options: ProviderCallOptions): ProviderCall {
  const { name, logger, tracing, timeoutMs } = options;
  const gate = makeGate(maxRunning);
  const breaker = makeBreaker();
  const { count, time } = observeCalls(options);
  return async (method, path, body) => {
    const untilMs = monotonicMs() + Math.min(timeoutMs, leftMs());
    const leave = breaker.mayCall() ? await gate(untilMs - monotonicMs()) : undefined;
    const patienceMs = Math.floor(untilMs - monotonicMs());
    if (leave === undefined || patienceMs < leastMs) {
      leave?.();
      count("not made");
      return undefined;
    }
    const stop = time();
    try {
      const answer = await tracing.span(`${name} ${method}`, { kind: "client" }, () =>
        send(options, { method, path, body, patienceMs }),
      );
      breaker.record(answer.status < 500);
      if (answer.status >= 500) logger.warn({ provider: name, method, status: answer.status }, "provider failed");
      count(answer.status >= 500 ? "failed" : "answered");
      return answer.status >= 500 ? undefined : answer;
    } catch (error) {
      breaker.record(false);
      logger.warn({ provider: name, method, ...errorFields(error) }, "provider did not answer");
      count("silent");
      return undefined;
    } finally {
      stop();
      leave();
    }
  };
}

function observeCalls({ name: provider, metrics }: ProviderCallOptions) {
  const calls = counter(metrics, "corridor_provider_calls_total", "Calls to providers by outcome.", [
    "provider",
    "outcome",
  ]);
  const durations = secondsHistogram(metrics, "corridor_provider_call_duration_seconds", "Time of one call.", [
    "provider",
  ]);
  return {
    count: (outcome: "answered" | "failed" | "silent" | "not made"): void => calls.inc({ provider, outcome }),
    time: () => durations.startTimer({ provider }),
  };
}

/** Time left until the caller's deadline; nothing is sent after it. */
const leftMs = (): number => (currentCall()?.deadlineMs ?? Number.POSITIVE_INFINITY) - systemClock.now().getTime();
/** With less time than this no answer can be expected, milliseconds. */
const leastMs = 20;

interface Sending {
  method: "GET" | "POST";
  path: string;
  body: object | undefined;
  patienceMs: number;
}

async function send(
  { baseUrl, apiKey }: ProviderCallOptions,
  { method, path, body, patienceMs }: Sending,
): Promise<ProviderAnswer> {
  const traceparent = currentCall()?.traceparent;
  const response = await request(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const bytes = await readBounded(response.body);
  const raw = bytes.toString("utf8");
  return { status: response.statusCode, body: objectOf(raw), raw };
}

/** Returns the JSON object; an empty one for any other text, whatever the status. */
function objectOf(text: string): JsonObject {
  const value = parsed(text);
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** Answers may be longer than requests: a payment's whole history of refunds comes in one. */
const longAnswerLimits: JsonLimits = { ...answerLimits, arrayLength: 1_000, keys: 10_000 };

function parsed(text: string): JsonValue {
  try {
    return parseJson(text, longAnswerLimits).value;
  } catch {
    return null;
  }
}

/** Whether a provider's text is the address of a page: a browser that is sent to anything else may run it. */
export const isPage = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** Reads a whole body; throws, and ends the connection, when the body is longer than any provider's answer. */
export async function readBounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error("the provider's answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function makeBreaker() {
  let failures = 0;
  let openUntilMs = 0;
  return {
    mayCall(): boolean {
      if (failures < failuresToOpen) return true;
      const nowMs = monotonicMs();
      if (nowMs < openUntilMs) return false;
      // This call alone is the trial; the others depend on its result.
      openUntilMs = nowMs + openMs;
      return true;
    },
    record(isGood: boolean): void {
      failures = isGood ? 0 : failures + 1;
      if (failures === failuresToOpen) openUntilMs = monotonicMs() + openMs;
    },
  };
}

/** Admits a bounded number of calls; one that waits too long gets undefined. Call the result to free the slot. */
function makeGate(places: number): (patienceMs: number) => Promise<(() => void) | undefined> {
  let free = places;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return (patienceMs) => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve(leave);
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1);
        resolve(undefined);
      }, patienceMs);
      waiting.push(enter);
    });
  };
}

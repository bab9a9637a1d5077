import { createSecureContext, rootCertificates } from "node:tls";
import { Agent, request } from "undici";
import { type Clock, monotonicMs, systemClock } from "../../../shared/kernel/clock";
import type { Running } from "../../../shared/process/lifecycle";
import type { AttemptAnswer } from "../../domain/attempt-outcome";
import type { AttemptFailure } from "../../domain/delivery";
import { signatureHeaders } from "../../domain/signature";
import type { Attempt, Send } from "../../ports";
import { checkHost, makeVettedLookup, RefusedAddressError, type Vetting } from "./reachable-addresses";

export interface HttpSenderOptions extends Vetting {
  /** A certificate authority that is trusted beside the public ones, PEM. */
  extraCa: string | undefined;
  /** Time of the signatures; receivers compare it with their own clocks. */
  clock?: Clock;
}

/** Most connections to one origin. It may have endpoints of many tenants, some of which hang. */
const connectionsPerOrigin = 128;
/** Longest time of one attempt, from resolving the name to the last byte of the answer. */
const timeoutMs = 10_000;
/** The body of an answer is ignored, but up to this many bytes are read so that the connection can be reused. */
const maxAnswerBytes = 50 * 1_024;

/**
 * Posts deliveries over HTTPS. It connects to the very address that was checked, and treats redirects as ordinary
 * answers.
 */
export function makeHttpSender({ extraCa, clock = systemClock, ...vetting }: HttpSenderOptions): Running & {
  send: Send;
} {
  // Shared by all connections, because each would otherwise parse the many authorities again.
  const secureContext = createSecureContext(extraCa === undefined ? {} : { ca: [...rootCertificates, extraCa] });
  const agent = new Agent({
    connect: { secureContext, lookup: makeVettedLookup(vetting), timeout: timeoutMs },
    connections: connectionsPerOrigin,
    pipelining: 1,
    maxHeaderSize: 16 * 1_024,
  });
  const post = async (attempt: Attempt, signal: AbortSignal): Promise<Omit<AttemptAnswer, "durationMs">> => {
    await withSignal(signal, checkHost(attempt.url, vetting));
    const body = Buffer.from(attempt.body);
    const headers = headersOf(attempt, body, Math.floor(clock.now().getTime() / 1_000));
    const answer = await request(attempt.url, { method: "POST", headers, body, dispatcher: agent, signal });
    // The status has already arrived and counts, whatever happens to the body.
    await answer.body.dump({ limit: maxAnswerBytes }).catch(() => {});
    const { statusCode: status } = answer;
    return { status, retryAfterMs: retryAfterMs(answer.headers["retry-after"], clock.now()), failure: undefined };
  };
  return {
    async send(attempt) {
      const startMs = monotonicMs();
      // Not AbortSignal.timeout, because its timers outlive quick attempts.
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), timeoutMs);
      const answer = await post(attempt, controller.signal).catch((error: unknown) => ({
        status: undefined,
        retryAfterMs: undefined,
        failure: failureOf(error, controller.signal),
      }));
      clearTimeout(timer);
      return { ...answer, durationMs: monotonicMs() - startMs };
    },
    stop: () => agent.destroy(),
  };
}

function failureOf(error: unknown, { aborted }: AbortSignal): AttemptFailure {
  if (error instanceof RefusedAddressError) return "address refused";
  return aborted ? "timeout" : "connection";
}

/** Returns the outcome of `work`, or rejects as soon as the signal fires. The work continues and its result is dropped. */
function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error("out of time"));
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

function headersOf(attempt: Attempt, body: Buffer, timestamp: number): Record<string, string> {
  const { eventId, sequence, keys, traceparent } = attempt;
  return {
    "content-type": "application/json",
    "user-agent": "corridor-webhooks/1",
    "x-service-event-id": eventId,
    "x-service-delivery-attempt": String(attempt.attempt),
    "x-service-sequence": String(sequence),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(keys === undefined ? {} : signatureHeaders(keys, { eventId, timestamp, body })),
  };
}

/** Reads Retry-After (RFC 9110, 10.2.3): seconds or a date; undefined for anything else. */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^\d{1,9}$/.test(header)) return Number.parseInt(header, 10) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

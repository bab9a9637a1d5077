import { setTimeout as sleep } from "node:timers/promises";
import { status } from "@grpc/grpc-js";
import { systemClock } from "../kernel/clock";
import { currentCall } from "../process/call-context";
import type { Running } from "../process/lifecycle";
import { channelCredentials, type RpcTls } from "../process/rpc-certificates";
import type { Tracing } from "../process/tracing";
import type { Outcome, Rpc, RpcService } from "./rpc";
import type { CallHead, OutgoingCall } from "./rpc-call-stream";
import { toRefusal } from "./rpc-errors";
import { openReplicas } from "./rpc-replicas";
import { openUnaryCalls, type UnaryCalls } from "./rpc-unary-client";

export interface RpcClientOptions<S> {
  /** gRPC target: `dns:///name:port`, or `ipv4:a:port,b:port`. Calls go round robin over all its addresses. */
  target: string;
  tls: RpcTls | undefined;
  /** Longest wait for an answer. A caller's nearer deadline wins. */
  timeoutMs: number;
  /** Methods that may be retried when the peer is UNAVAILABLE: those that are idempotent by content or have no effect. */
  retryable: readonly (keyof S & string)[];
  tracing: Tracing;
}

/** Part of the caller's time that a hop keeps for its own work after the answer, milliseconds. */
const hopMarginMs = 100;

/** A larger request is sent as a unary call, so that others do not wait behind it, bytes. */
const maxRequestOnStream = 64 * 1024;

/**
 * A service's methods over gRPC. Calls travel on one stream to each replica; large ones, and all while no stream is
 * open, are unary calls. A failed call throws the peer's refusal. `stop` ends the connections once all
 * calls are answered.
 */
export function makeRpcClient<S extends RpcService>(service: S, options: RpcClientOptions<S>): Rpc<S> & Running {
  const credentials = channelCredentials(options.tls);
  const unary = openUnaryCalls(options.target, credentials);
  const replicas = openReplicas(options.target, credentials);
  const carry = (call: OutgoingCall): Promise<Outcome> =>
    ((call.request.length > maxRequestOnStream ? undefined : replicas.pick()) ?? unary).carry(call);
  return {
    ...makeMethods(service, options, { ...unary, carry }),
    async stop() {
      await replicas.stop();
      unary.close();
    },
  };
}

/** The same with unary calls only, for callers such as health checks. */
export function makeUnaryClient<S extends RpcService>(service: S, options: RpcClientOptions<S>): Rpc<S> & Running {
  const unary = openUnaryCalls(options.target, channelCredentials(options.tls));
  return { ...makeMethods(service, options, unary), stop: () => Promise.resolve(unary.close()) };
}

function makeMethods<S extends RpcService>(
  service: S,
  { retryable, timeoutMs, tracing }: RpcClientOptions<S>,
  { carry, carryMany }: Pick<UnaryCalls, "carry" | "carryMany">,
): Rpc<S> {
  const budget = makeRetryBudget();
  const methods = Object.entries(service).map(([key, method]) => {
    const { path } = method;
    const attempts = retryable.includes(key) ? maxAttempts : 1;
    const ask = (request: unknown): Promise<Outcome> => {
      const call = outgoing(path, timeoutMs);
      if (method.requestStream === true) {
        return carryMany(call, encodedEach(request as AsyncIterable<unknown>, method.requestSerialize));
      }
      const whole = { ...call, request: method.requestSerialize(request) };
      return withRetries(() => carry(whole), { attempts, budget, deadlineMs: call.deadlineMs });
    };
    const send = async (request: unknown): Promise<unknown> => {
      const outcome = await ask(request);
      if (outcome.code !== status.OK) throw toRefusal(outcome);
      return method.responseDeserialize(outcome.body);
    };
    return [key, (request: unknown) => tracing.span(path.slice(1), { kind: "client" }, () => send(request))];
  });
  return Object.fromEntries(methods) as Rpc<S>;
}

async function* encodedEach(requests: AsyncIterable<unknown>, encode: (request: unknown) => Buffer) {
  for await (const request of requests) yield encode(request);
}

function outgoing(path: string, timeoutMs: number): CallHead {
  const call = currentCall();
  const own = systemClock.now().getTime() + timeoutMs;
  return {
    path,
    deadlineMs: Math.min(own, (call?.deadlineMs ?? Number.POSITIVE_INFINITY) - hopMarginMs),
    requestId: call?.requestId,
    traceparent: call?.traceparent,
    externalId: call?.about?.externalId,
  };
}

const maxAttempts = 4;
const firstRestMs = 100;
const longestRestMs = 1_000;

interface RetryLimits {
  attempts: number;
  budget: RetryBudget;
  deadlineMs: number;
}

/** Retries a call while the peer is UNAVAILABLE, with growing pauses, as long as there is time. */
async function withRetries(send: () => Promise<Outcome>, { attempts, budget, deadlineMs }: RetryLimits) {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send();
    if (outcome.code !== status.UNAVAILABLE) {
      budget.gain();
      return outcome;
    }
    const restMs = Math.random() * Math.min(firstRestMs * 3 ** (attempt - 1), longestRestMs);
    const isLate = systemClock.now().getTime() + restMs >= deadlineMs;
    if (attempt >= attempts || isLate || !budget.spend()) return outcome;
    await sleep(restMs);
  }
}

interface RetryBudget {
  gain(): void;
  /** Returns false when too many calls failed lately: then no call is retried, to spare a peer in trouble. */
  spend(): boolean;
}

/** Half of the tokens may be spent; ten calls that succeed give one back. */
function makeRetryBudget(): RetryBudget {
  const most = 100;
  let tokens = most;
  return {
    gain() {
      tokens = Math.min(tokens + 0.1, most);
    },
    spend() {
      tokens = Math.max(tokens - 1, 0);
      return tokens >= most / 2;
    },
  };
}

import { status } from "@grpc/grpc-js";
import { monotonicMs } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import { type CallContext, currentCall, runInCall } from "../process/call-context";
import { errorFields, type Logger } from "../process/logger";
import type { Metrics } from "../process/metrics";
import { mayCall } from "../process/rpc-callers";
import type { Tracing } from "../process/tracing";
import { maxMessageBytes, type Outcome, type Rpc, type RpcService } from "./rpc";
import { asRefusal, toFailure } from "./rpc-errors";
import { checkRequest } from "./rpc-request-check";

/** One call from a transport. */
export interface IncomingCall {
  /** Names in the caller's certificate. */
  callers: readonly string[];
  context: CallContext;
  /** The encoded request, or a stream of requests. */
  request: Buffer | AsyncIterable<Buffer>;
  /** True when the caller has gone away. */
  isCancelled?(): boolean;
}

/** Answers one call of one method; never rejects. */
export type ServedMethod = (call: IncomingCall) => Promise<Outcome>;

export interface ServedMethodDeps {
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  /** True when callers are known by their certificates, so that each method serves only its listed callers. */
  areCallersKnown: boolean;
  /** Takes a slot for a call in work; returns false when none is free. */
  enter(): boolean;
  leave(): void;
}

const noBytes = Buffer.alloc(0);

const refused = (code: status, message: string): Promise<Outcome> => Promise.resolve({ code, message, body: noBytes });

/** Makes the methods of a service, shared by all transports. */
export function makeServedMethods<S extends RpcService>(
  service: S,
  handlers: Rpc<S>,
  deps: ServedMethodDeps,
): { path: string; requestStream: boolean; serve: ServedMethod }[] {
  return Object.entries(service).map(([key, method]) => {
    const handler = handlers[key] as (request: unknown) => Promise<unknown>;
    const { path, requestStream = false } = method;
    const read = (bytes: Buffer): unknown => readMessage(path, bytes, method.requestDeserialize);
    const answer = async (request: IncomingCall["request"]): Promise<Buffer> =>
      method.responseSerialize(await handler(decoded(request, read)));
    return { path, requestStream, serve: makeServedMethod(path, answer, deps) };
  });
}

function decoded(request: IncomingCall["request"], read: (bytes: Buffer) => unknown): unknown {
  return Buffer.isBuffer(request) ? read(request) : decodedEach(request, read);
}

/** Decodes one message of a method and checks it with `checkRequest`. */
function readMessage(path: string, bytes: Buffer, decode: (bytes: Buffer) => unknown): unknown {
  const message = decodeOrRefuse(bytes, decode);
  checkRequest(path, message);
  return message;
}

function decodeOrRefuse(bytes: Buffer, decode: (bytes: Buffer) => unknown): unknown {
  try {
    return decode(bytes);
  } catch (cause) {
    const violations = [{ field: "request", message: "must be a message of this method" }];
    throw new DomainError("INVALID_ARGUMENT", "the request is not a message of this method", { violations, cause });
  }
}

async function* decodedEach(requests: AsyncIterable<Buffer>, read: (bytes: Buffer) => unknown) {
  for await (const request of requests) yield read(request);
}

/**
 * Wraps one handler with the method allowlist, the limit of concurrent calls, call context, span, one log line and one
 * measurement. Only refusals pass their error text on.
 */
function makeServedMethod(
  path: string,
  answer: (request: IncomingCall["request"]) => Promise<Buffer>,
  deps: ServedMethodDeps,
): ServedMethod {
  const { logger, tracing, metrics } = deps;
  const name = path.slice(1);

  const attempt = async ({ request, isCancelled }: IncomingCall): Promise<Outcome> => {
    try {
      const body = await answer(request);
      if (body.length <= maxMessageBytes) return { code: status.OK, message: "", body };
      throw new Error(`an answer of ${body.length} bytes is too large`);
    } catch (error) {
      if (isCancelled?.() === true) return { code: status.CANCELLED, message: "the caller is gone", body: noBytes };
      const refusal = asRefusal(error);
      if (refusal.reason === "INTERNAL") logger.error({ rpc: name, ...errorFields(error) }, "rpc failed");
      return toFailure(refusal);
    }
  };

  return (call) => {
    const { callers, context } = call;
    if (deps.areCallersKnown && !mayCall(path, callers)) {
      logger.warn({ rpc: name, caller: callers }, "a caller may not call this method");
      return refused(status.PERMISSION_DENIED, "the caller may not call this method");
    }
    if (!deps.enter()) return refused(status.RESOURCE_EXHAUSTED, "too many calls at once");
    const startMs = monotonicMs();
    const work = async (): Promise<Outcome> => {
      const outcome = await attempt(call);
      deps.leave();
      const durationMs = monotonicMs() - startMs;
      const code = status[outcome.code];
      metrics.rpcServed(name, code, durationMs);
      const { traceparent } = currentCall() ?? context;
      logger.info(
        { rpc: name, code, durationMs: Math.round(durationMs * 10) / 10, requestId: context.requestId, traceparent },
        "rpc",
      );
      return outcome;
    };
    return runInCall(context, () => tracing.span(name, { kind: "server" }, work));
  };
}

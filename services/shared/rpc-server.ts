import {
  type handleClientStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  type ServerReadableStream,
  type ServerUnaryCall,
  status,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { type CallContext, currentCall, runInCall } from "./call-context";
import { monotonicMs } from "./clock";
import { systemIds } from "./ids";
import type { Running } from "./lifecycle";
import { errorFields, type Logger } from "./logger";
import type { Metrics } from "./metrics";
import { maxMessageBytes, metadataKeys, type Rpc, type RpcService } from "./rpc";
import { mayCall, namesOf } from "./rpc-callers";
import { type RpcTls, serverCredentials } from "./rpc-certificates";
import { asRefusal, toServiceError } from "./rpc-errors";
import { serveReflection } from "./rpc-reflection";
import type { Tracing } from "./tracing";

export interface RpcServerOptions {
  /** Address to listen on, for example 127.0.0.1:0. */
  address: string;
  tls: RpcTls | undefined;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
}

export interface RpcServer extends Running {
  /** The port in use. */
  port: number;
}

/** One request, or many. */
type Answerable = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>;

const header = (metadata: Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString();

function contextOf(call: Answerable): CallContext {
  const deadline = call.getDeadline();
  const traceparent = header(call.metadata, metadataKeys.traceparent);
  return {
    requestId: header(call.metadata, metadataKeys.requestId) ?? systemIds.uuid(),
    ...(deadline === Number.POSITIVE_INFINITY ? {} : { deadlineMs: Number(deadline) }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/** Names that the caller's certificate gives it. */
const callerOf = (call: Answerable): readonly string[] =>
  namesOf(call.getAuthContext()?.sslPeerCertificate?.subjectaltname);

/** Wraps one handler: method allowlist, call context, span, one log line, one measurement, and no error text but a refusal's own. */
function serveMethod(
  path: string,
  handler: (request: unknown) => Promise<unknown>,
  { logger, tracing, metrics, tls }: RpcServerOptions,
): handleUnaryCall<unknown, unknown> & handleClientStreamingCall<unknown, unknown> {
  const name = path.slice(1);
  return (call, callback) => {
    const startMs = monotonicMs();
    if (tls !== undefined && !mayCall(path, callerOf(call))) {
      logger.warn({ rpc: name, caller: callerOf(call) }, "a caller may not call this method");
      return callback({ code: status.PERMISSION_DENIED, details: "the caller may not call this method" });
    }
    const finish = (code: status, traceparent: string | undefined): void => {
      const durationMs = monotonicMs() - startMs;
      metrics.rpcServed(name, status[code], durationMs);
      logger.info(
        {
          rpc: name,
          code: status[code],
          durationMs: Math.round(durationMs * 10) / 10,
          requestId: context.requestId,
          traceparent,
        },
        "rpc",
      );
    };
    const context = contextOf(call);
    const work = async (): Promise<void> => {
      const { traceparent } = currentCall() ?? context;
      try {
        callback(null, await handler("request" in call ? call.request : call));
        finish(status.OK, traceparent);
      } catch (error) {
        if (call.cancelled && "readable" in call) return finish(status.CANCELLED, traceparent);
        const refusal = asRefusal(error);
        if (refusal.reason === "INTERNAL") logger.error({ rpc: name, ...errorFields(error) }, "rpc failed");
        const failure = toServiceError(refusal);
        callback(failure);
        finish(failure.code, traceparent);
      }
    };
    void runInCall(context, () => tracing.span(name, { kind: "server" }, work));
  };
}

/**
 * Serves handlers over gRPC, with health and reflection. `stop` answers NOT_SERVING, lets running calls end, and takes no
 * new ones.
 */
export async function serveRpc<S extends RpcService>(
  service: S,
  handlers: Rpc<S>,
  options: RpcServerOptions,
): Promise<RpcServer> {
  const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 5_000,
  });
  for (const [key, method] of Object.entries(service)) {
    const handler = handlers[key] as (request: unknown) => Promise<unknown>;
    const definition = { [key]: { ...method, requestStream: method.requestStream ?? false, responseStream: false } };
    server.addService(definition, { [key]: serveMethod(method.path, handler, options) });
  }
  const health = new HealthImplementation({ "": "SERVING" });
  health.addToServer(server);
  serveReflection(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, serverCredentials(options.tls), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  options.logger.info({ port, tls: options.tls !== undefined }, "serving gRPC");
  return {
    port,
    async stop() {
      health.setStatus("", "NOT_SERVING");
      await new Promise<void>((resolve, reject) => server.tryShutdown((error) => (error ? reject(error) : resolve())));
    },
  };
}

import {
  type handleClientStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  type ServerReadableStream,
  type ServerUnaryCall,
  status,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { CallStreamServiceService } from "../../../proto/gen/corridor/common/v1/call_stream";
import { isExternalId } from "../kernel/external-id";
import { systemIds } from "../kernel/ids";
import type { CallContext } from "../process/call-context";
import type { Health } from "../process/health";
import type { Running } from "../process/lifecycle";
import type { Logger } from "../process/logger";
import { counter, gauge, type Metrics } from "../process/metrics";
import { namesOf } from "../process/rpc-callers";
import { type RpcTls, serverCredentials } from "../process/rpc-certificates";
import type { Tracing } from "../process/tracing";
import { connectionOptions, maxMessageBytes, metadataKeys, type Rpc, type RpcService, sameBytes } from "./rpc";
import { type CallersOf, makeCallStreams } from "./rpc-call-stream-server";
import { toStatusDetails } from "./rpc-errors";
import { serveReflection } from "./rpc-reflection";
import { makeServedMethods, type ServedMethod } from "./rpc-served-method";

export interface RpcServerOptions {
  /** Address to listen on, for example 127.0.0.1:0. */
  address: string;
  tls: RpcTls | undefined;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  /** The health that the probes of the process report. */
  health?: Health;
  /** Most concurrent calls over all transports; further ones are refused at once. */
  maxInFlight?: number;
}

export interface RpcServer extends Running {
  /** The port in use. */
  port: number;
}

export interface HealthSwitch {
  /** Answers health checks with NOT_SERVING while this process cannot do its work; calls are still taken. */
  setServing(isServing: boolean): void;
}

/** One request, or many. */
type Answerable = ServerUnaryCall<Buffer, Buffer> | ServerReadableStream<Buffer, Buffer>;

const header = (metadata: Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString();

function contextOf(call: Answerable): CallContext {
  const deadline = call.getDeadline();
  const traceparent = header(call.metadata, metadataKeys.traceparent);
  const externalId = header(call.metadata, metadataKeys.externalId);
  return {
    requestId: header(call.metadata, metadataKeys.requestId) ?? systemIds.uuid(),
    ...(deadline === Number.POSITIVE_INFINITY ? {} : { deadlineMs: Number(deadline) }),
    ...(traceparent === undefined ? {} : { traceparent }),
    about: isExternalId(externalId) ? { externalId } : {},
  };
}

/** Names of the peer by its certificate; none without certificates. */
const makeCallersOf =
  (tls: RpcTls | undefined): CallersOf =>
  (call) =>
    tls === undefined ? [] : namesOf(call.getAuthContext()?.sslPeerCertificate?.subjectaltname, tls.release());

/** Serves one method for unary calls and streams of requests. */
const serveMethod =
  (
    serve: ServedMethod,
    callersOf: CallersOf,
    onCall: () => void,
  ): handleUnaryCall<Buffer, Buffer> & handleClientStreamingCall<Buffer, Buffer> =>
  async (call, callback) => {
    onCall();
    const callers = callersOf(call);
    const { code, message, body } = await serve({
      callers,
      context: contextOf(call),
      ...("request" in call ? { request: call.request } : { request: call, isCancelled: () => call.cancelled }),
    });
    if (code === status.CANCELLED) return;
    if (code === status.OK) return callback(null, body);
    const metadata = new Metadata();
    if (body.length > 0) metadata.set(metadataKeys.error, toStatusDetails({ code, message, body }));
    callback({ code, details: message, metadata });
  };

/**
 * Serves handlers over gRPC, by unary calls and on streams of calls, with health, and with reflection where no certificates
 * are used. `stop` answers NOT_SERVING, sends callers elsewhere, lets running calls end, and takes no new ones.
 */
export async function serveRpc<S extends RpcService>(
  service: S,
  handlers: Rpc<S>,
  options: RpcServerOptions,
): Promise<RpcServer & HealthSwitch> {
  const { tls, metrics } = options;
  const server = new Server({ ...connectionOptions, "grpc.max_send_message_length": 2 * maxMessageBytes });
  const gate = makeGate(metrics, options.maxInFlight ?? 2_048);
  const methods = makeServedMethods(service, handlers, { ...options, ...gate, areCallersKnown: tls !== undefined });
  const callersOf = makeCallersOf(tls);
  const calls = counter(metrics, "corridor_rpc_calls_total", "Calls by transport.", ["transport"]);
  for (const { path, serve, requestStream } of methods) {
    const handle = serveMethod(serve, callersOf, () => calls.inc({ transport: "unary" }));
    server.register(path, handle, sameBytes, sameBytes, requestStream ? "clientStream" : "unary");
  }
  const single = methods.filter(({ requestStream }) => !requestStream);
  const streams = makeCallStreams({
    methods: new Map(single.map(({ path, serve }) => [path, serve])),
    callersOf,
    onCall: () => calls.inc({ transport: "stream" }),
  });
  const { path, requestDeserialize, responseSerialize } = CallStreamServiceService.carry;
  server.register(path, streams.handle, responseSerialize, requestDeserialize, "bidi");
  gauge(metrics, "corridor_rpc_streams", "Streams of calls that are open to this process.", streams.count);
  const health = new HealthImplementation({ "": "SERVING" });
  health.addToServer(server);
  // With certificates no caller may list the methods.
  if (tls === undefined) serveReflection(server);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(options.address, serverCredentials(tls), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  options.logger.info({ port, tls: tls !== undefined }, "serving gRPC");
  options.health?.started();
  return {
    port,
    setServing(isServing) {
      options.health?.setServing(isServing);
      health.setStatus("", isServing ? "SERVING" : "NOT_SERVING");
    },
    async stop() {
      options.health?.stopping();
      health.setStatus("", "NOT_SERVING");
      streams.drain();
      await new Promise<void>((resolve, reject) => server.tryShutdown((error) => (error ? reject(error) : resolve())));
    },
  };
}

/** Counts the calls in work, and those that were refused because there were too many. */
function makeGate(metrics: Metrics, maxInFlight: number): { enter(): boolean; leave(): void } {
  let inFlight = 0;
  const shed = counter(metrics, "corridor_rpc_shed_total", "Calls refused because there were too many.");
  gauge(metrics, "corridor_rpc_in_flight", "Calls in work.", () => inFlight);
  return {
    enter() {
      if (inFlight < maxInFlight) {
        inFlight += 1;
        return true;
      }
      shed.inc();
      return false;
    },
    leave() {
      inFlight -= 1;
    },
  };
}

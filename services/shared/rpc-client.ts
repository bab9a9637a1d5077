import { once } from "node:events";
import { Client, Metadata, type ServiceError } from "@grpc/grpc-js";
import { currentCall } from "./call-context";
import { systemClock } from "./clock";
import type { Running } from "./lifecycle";
import { maxMessageBytes, metadataKeys, type Rpc, type RpcService } from "./rpc";
import { channelCredentials, type RpcTls } from "./rpc-certificates";
import { fromServiceError } from "./rpc-errors";
import type { Tracing } from "./tracing";

export interface RpcClientOptions<S> {
  /** gRPC target: `dns:///name:port`, or `ipv4:a:port,b:port`. Calls go round robin over all its addresses. */
  target: string;
  tls: RpcTls | undefined;
  /** Longest wait for an answer. A caller's nearer deadline wins. */
  timeoutMs: number;
  /** Methods that may be sent again when the peer is UNAVAILABLE: those keyed by their content or without effect. */
  retryable: readonly (keyof S & string)[];
  tracing: Tracing;
}

/** What a hop keeps of the caller's time for its own work after the answer. */
const hopMarginMs = 100;

/** A service's methods over gRPC. A failed call throws the peer's refusal; `stop` ends the connections. */
export function makeRpcClient<S extends RpcService>(service: S, options: RpcClientOptions<S>): Rpc<S> & Running {
  const client = new Client(options.target, channelCredentials(options.tls), {
    "grpc.service_config": JSON.stringify(serviceConfig(service, options.retryable)),
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.initial_reconnect_backoff_ms": 50,
    "grpc.max_reconnect_backoff_ms": 250,
  });
  const methods = Object.entries(service).map(([key, method]) => {
    const name = method.path.slice(1);
    const send = method.requestStream ? sendMany : sendOne;
    const call = (request: unknown): Promise<unknown> => send(client, method, request, options.timeoutMs);
    return [key, (request: unknown) => options.tracing.span(name, { kind: "client" }, () => call(request))];
  });
  const rpc = Object.fromEntries(methods) as Rpc<S>;
  return { ...rpc, stop: () => Promise.resolve(client.close()) };
}

const sendOne = (client: Client, method: RpcService[string], request: unknown, timeoutMs: number): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = method;
    const { metadata, deadline } = outgoing(timeoutMs);
    const onAnswer = (error: ServiceError | null, response?: unknown): void =>
      error === null ? resolve(response) : reject(fromServiceError(error));
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, { deadline }, onAnswer);
  });

/** Sends no faster than the peer reads. Requests that fail end the call; a peer that answers early ends the requests. */
const sendMany = (client: Client, method: RpcService[string], requests: unknown, timeoutMs: number): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = method;
    const { metadata, deadline } = outgoing(timeoutMs);
    const answered = new AbortController();
    const { signal } = answered;
    const onAnswer = (error: ServiceError | null, response?: unknown): void => {
      answered.abort();
      if (error === null) resolve(response);
      else reject(fromServiceError(error));
    };
    const call = client.makeClientStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      metadata,
      { deadline },
      onAnswer,
    );
    const pour = async (): Promise<void> => {
      for await (const request of requests as AsyncIterable<unknown>) {
        if (signal.aborted) return;
        if (!call.write(request)) await once(call, "drain", { signal });
      }
      call.end();
    };
    pour().catch((error: unknown) => {
      reject(error);
      call.cancel();
    });
  });

function outgoing(timeoutMs: number): { metadata: Metadata; deadline: number } {
  const metadata = new Metadata();
  const call = currentCall();
  if (call !== undefined) metadata.set(metadataKeys.requestId, call.requestId);
  if (call?.traceparent !== undefined) metadata.set(metadataKeys.traceparent, call.traceparent);
  const own = systemClock.now().getTime() + timeoutMs;
  return { metadata, deadline: Math.min(own, (call?.deadlineMs ?? Number.POSITIVE_INFINITY) - hopMarginMs) };
}

function serviceConfig<S extends RpcService>(service: S, retryable: readonly (keyof S & string)[]): object {
  const names = retryable.map((key) => {
    const [, name, method] = service[key]?.path.split("/") ?? [];
    return { service: name, method };
  });
  const retryPolicy = {
    maxAttempts: 4,
    initialBackoff: "0.1s",
    maxBackoff: "1s",
    backoffMultiplier: 3,
    retryableStatusCodes: ["UNAVAILABLE"],
  };
  return {
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: names.length === 0 ? [] : [{ name: names, retryPolicy }],
    retryThrottling: { maxTokens: 100, tokenRatio: 0.1 },
  };
}

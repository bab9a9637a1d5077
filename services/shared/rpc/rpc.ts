import type { status } from "@grpc/grpc-js";

/** One method as ts-proto generates it. Method syntax keeps the record below assignable from concrete services. */
interface Method<Request, Response> {
  path: string;
  /** True when the caller sends many messages and gets one answer. */
  requestStream?: boolean;
  requestSerialize(value: Request): Buffer;
  requestDeserialize(bytes: Buffer): Request;
  responseSerialize(value: Response): Buffer;
  responseDeserialize(bytes: Buffer): Response;
}

/** A service definition as ts-proto generates it for grpc-js. */
export type RpcService = Record<string, Method<unknown, unknown>>;

/**
 * The methods of a service as plain functions. A server serves this and a client is this, so that neither handlers nor
 * callers see the transport between them. A stream of requests is read no faster than its handler consumes it. It ends,
 * or throws, when the caller goes away, so a request that must be complete marks its end with a last message.
 */
export type Rpc<S> = {
  [K in keyof S]: S[K] extends Method<infer Request, infer Response>
    ? (request: S[K] extends { requestStream: true } ? AsyncIterable<Request> : Request) => Promise<Response>
    : never;
};

/** The outcome of one call, on any transport. */
export interface Outcome {
  code: status;
  /** Status message of a failure. */
  message: string;
  /** The encoded response; for a failed call its encoded ErrorDetail, empty when the peer sent none. */
  body: Buffer;
}

/** Largest message in either direction, bytes. */
export const maxMessageBytes = 1024 * 1024;

/** Settings of every connection, at both ends. */
export const connectionOptions = {
  "grpc.max_receive_message_length": maxMessageBytes,
  "grpc.max_send_message_length": maxMessageBytes,
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 5_000,
};

/** Leaves the bytes of a message unchanged: both transports carry encoded messages. */
export const sameBytes = (bytes: Buffer): Buffer => bytes;

/** Metadata entries that carry the call context. */
export const metadataKeys = {
  requestId: "x-request-id",
  traceparent: "traceparent",
  externalId: "x-external-id",
  /** The entry in which gRPC libraries expect the details of a failure. */
  error: "grpc-status-details-bin",
} as const;

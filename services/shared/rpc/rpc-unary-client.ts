import { once } from "node:events";
import { type ChannelCredentials, Client, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { connectionOptions, metadataKeys, type Outcome, sameBytes } from "./rpc";
import type { CallHead, OutgoingCall } from "./rpc-call-stream";
import { detailIn } from "./rpc-errors";

/** Calls that are separate HTTP/2 requests. */
export interface UnaryCalls {
  /** Sends a call to one of the target's addresses, in turn. Never rejects. */
  carry(call: OutgoingCall): Promise<Outcome>;
  /**
   * Sends a call with many requests, no faster than the peer reads. Rejects when the requests fail, and ends the call; a
   * peer that answers early ends the requests.
   */
  carryMany(call: CallHead, requests: AsyncIterable<Buffer>): Promise<Outcome>;
  close(): void;
}

/** Connects to a gRPC target at the first call. */
export function openUnaryCalls(target: string, credentials: ChannelCredentials): UnaryCalls {
  const client = new Client(target, credentials, {
    ...connectionOptions,
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
    "grpc.initial_reconnect_backoff_ms": 50,
    "grpc.max_reconnect_backoff_ms": 250,
  });
  return {
    carry: ({ request, ...head }) =>
      new Promise((resolve) => {
        const { metadata, deadline } = sentWith(head);
        const settle = (error: ServiceError | null, body?: Buffer): void => resolve(outcomeOf(error, body));
        client.makeUnaryRequest(head.path, sameBytes, sameBytes, request, metadata, { deadline }, settle);
      }),
    carryMany: (head, requests) =>
      new Promise((resolve, reject) => {
        const { metadata, deadline } = sentWith(head);
        const answered = new AbortController();
        const { signal } = answered;
        const settle = (error: ServiceError | null, body?: Buffer): void => {
          answered.abort();
          resolve(outcomeOf(error, body));
        };
        const call = client.makeClientStreamRequest(head.path, sameBytes, sameBytes, metadata, { deadline }, settle);
        const pour = async (): Promise<void> => {
          for await (const request of requests) {
            if (signal.aborted) return;
            if (!call.write(request)) await once(call, "drain", { signal });
          }
          call.end();
        };
        pour().catch((error: unknown) => {
          reject(error);
          call.cancel();
        });
      }),
    close: () => client.close(),
  };
}

function sentWith({ requestId, traceparent, externalId, deadlineMs }: CallHead): {
  metadata: Metadata;
  deadline: number;
} {
  const metadata = new Metadata();
  if (requestId !== undefined) metadata.set(metadataKeys.requestId, requestId);
  if (traceparent !== undefined) metadata.set(metadataKeys.traceparent, traceparent);
  if (externalId !== undefined) metadata.set(metadataKeys.externalId, externalId);
  return { metadata, deadline: deadlineMs };
}

function outcomeOf(error: ServiceError | null, body: Buffer = Buffer.alloc(0)): Outcome {
  if (error === null) return { code: status.OK, message: "", body };
  const [detail] = error.metadata.get(metadataKeys.error);
  return {
    code: error.code,
    message: error.details,
    body: Buffer.isBuffer(detail) ? detailIn(detail) : Buffer.alloc(0),
  };
}

import { Metadata, type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { Answer, CarryRequest, CarryResponse } from "../../proto/gen/corridor/common/v1/call_stream";
import { systemClock } from "./clock";
import { systemIds } from "./ids";
import type { Outcome } from "./rpc";
import { makeBatches } from "./rpc-batches";
import { namesOf } from "./rpc-callers";
import type { ServedMethod } from "./rpc-served-method";

type Stream = ServerDuplexStream<CarryRequest, CarryResponse>;

/** The streams of a server that carry calls. */
export interface CallStreams {
  /** Answers the calls of one stream until its caller ends it. */
  handle(stream: Stream): void;
  /** Asks all callers to send their next calls elsewhere. What has come and what is on its way is answered. */
  drain(): void;
  /** Streams that are open now. */
  count(): number;
}

/** Serves streams of calls; `onCall` is told of each call. */
export function makeCallStreams(methods: ReadonlyMap<string, ServedMethod>, onCall: () => void): CallStreams {
  const open = new Map<Stream, { drain(): void }>();
  let isDraining = false;
  return {
    handle(stream) {
      const served = serveStream(stream, methods, onCall);
      open.set(stream, served);
      for (const event of ["end", "cancelled", "error", "close"]) stream.on(event, () => open.delete(stream));
      if (isDraining) served.drain();
    },
    drain() {
      isDraining = true;
      for (const { drain } of open.values()) drain();
    },
    count: () => open.size,
  };
}

const unknownMethod: Outcome = { code: status.UNIMPLEMENTED, message: "no such method", body: Buffer.alloc(0) };

function serveStream(
  stream: Stream,
  methods: ReadonlyMap<string, ServedMethod>,
  onCall: () => void,
): { drain(): void } {
  const callers = namesOf(stream.getAuthContext()?.sslPeerCertificate?.subjectaltname);
  const methodOf = new Map<number, ServedMethod | undefined>();
  /** Ids of calls whose answer somebody waits for. */
  const waiting = new Set<number>();
  const answers = makeBatches<Answer>(
    ({ body }) => body.length,
    (batch) => isClosed || stream.write({ answers: batch, isDraining: false }),
  );
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    waiting.clear();
  };
  const answer = (callId: number, { code, message, body }: Outcome): void => {
    if (waiting.delete(callId)) answers.add({ callId, status: code, message, body });
  };

  stream.on("data", ({ methods: named, calls, cancelled }: CarryRequest) => {
    for (const { number, path } of named) methodOf.set(number, methods.get(path));
    for (const { callId, method, timeoutMs, requestId, traceparent, request } of calls) {
      onCall();
      waiting.add(callId);
      const serve = methodOf.get(method);
      const context = {
        requestId: requestId === "" ? systemIds.uuid() : requestId,
        deadlineMs: systemClock.now().getTime() + timeoutMs,
        ...(traceparent === "" ? {} : { traceparent }),
      };
      if (serve === undefined) answer(callId, unknownMethod);
      else void serve({ callers, context, request }).then((outcome) => answer(callId, outcome));
    }
    for (const callId of cancelled) waiting.delete(callId);
  });
  stream.on("drain", answers.resume);
  stream.on("cancelled", close);
  stream.on("error", close);
  stream.on("end", () => stream.end());
  stream.sendMetadata(new Metadata());
  return {
    drain() {
      if (!isClosed) stream.write({ answers: [], isDraining: true });
    },
  };
}

import { Metadata, type ServerDuplexStream, status } from "@grpc/grpc-js";
import type { Answer, Call, CarryRequest, CarryResponse } from "../../../proto/gen/corridor/common/v1/call_stream";
import { systemClock } from "../kernel/clock";
import { isExternalId } from "../kernel/external-id";
import { systemIds } from "../kernel/ids";
import type { Outcome } from "./rpc";
import { makeBatches } from "./rpc-batches";
import type { ServedMethod } from "./rpc-served-method";

type Stream = ServerDuplexStream<CarryRequest, CarryResponse>;

/** The streams of a server that carry calls. */
export interface CallStreams {
  /** Answers the calls of one stream until its caller ends it. */
  handle(stream: Stream): void;
  /** Asks all callers to send their next calls elsewhere. Calls received or in flight are still answered. */
  drain(): void;
  /** Number of open streams. */
  count(): number;
}

/** Names of a caller by its certificate. */
export type CallersOf = (call: {
  getAuthContext(): { sslPeerCertificate?: { subjectaltname?: string } | undefined } | undefined | null;
}) => readonly string[];

export interface CallStreamsOptions {
  /** Served methods by path. */
  methods: ReadonlyMap<string, ServedMethod>;
  callersOf: CallersOf;
  /** Called for each call. */
  onCall(): void;
}

/** Most unanswered calls of one stream; our own clients stop at half of it. */
const mostWaiting = 2_048;
/** Most unread answers of a caller; more of them, or more bytes, end its stream. */
const mostUnread = { answers: 8_192, bytes: 16 * 1024 * 1024 };
/** Most streams of one caller, over all of its replicas. */
const mostStreams = 256;

/** Serves streams of calls, each within its own bounds. */
export function makeCallStreams({ methods, callersOf, onCall }: CallStreamsOptions): CallStreams {
  const open = new Map<Stream, { caller: string; drain(): void }>();
  let isDraining = false;
  return {
    handle(stream) {
      const callers = callersOf(stream);
      const caller = callers.join(" ");
      if ([...open.values()].filter((other) => other.caller === caller).length >= mostStreams) {
        return void stream.emit("error", { code: status.RESOURCE_EXHAUSTED, details: "too many streams" });
      }
      const served = serveStream(stream, { methods, callers, onCall });
      open.set(stream, { ...served, caller });
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

const failed = (code: status, message: string): Outcome => ({ code, message, body: Buffer.alloc(0) });
const unknownMethod = failed(status.UNIMPLEMENTED, "no such method");
const tooMany = failed(status.RESOURCE_EXHAUSTED, "too many calls wait on this stream");

/** The methods that a caller has assigned numbers to. There are never more numbers than methods. */
function makeNumbers(methods: ReadonlyMap<string, ServedMethod>) {
  const serveOf = new Map<number, ServedMethod>();
  const numberOf = new Map<string, number>();
  return {
    name(number: number, path: string): void {
      const serve = methods.get(path);
      if (serve === undefined) return;
      const before = numberOf.get(path);
      if (before !== undefined) serveOf.delete(before);
      serveOf.set(number, serve);
      numberOf.set(path, number);
    },
    get: (number: number): ServedMethod | undefined => serveOf.get(number),
  };
}

const sizeOf = ({ body, message }: Answer): number => body.length + message.length;

interface StreamDeps extends Pick<CallStreamsOptions, "methods" | "onCall"> {
  callers: readonly string[];
}

function serveStream(stream: Stream, { methods, callers, onCall }: StreamDeps): { drain(): void } {
  const numbers = makeNumbers(methods);
  /** Ids of unanswered calls. */
  const waiting = new Set<number>();
  const unread = { answers: 0, bytes: 0 };
  let isClosed = false;
  const answers = makeBatches<Answer>(sizeOf, (batch) => {
    const read = (): void => {
      for (const one of batch) unread.bytes -= sizeOf(one);
      unread.answers -= batch.length;
    };
    const hasRoom = isClosed || stream.write({ answers: batch, isDraining: false }, read);
    // A caller that does not read its answers is not read until it does.
    if (!hasRoom) stream.pause();
    return hasRoom;
  });
  const close = (): void => {
    isClosed = true;
    waiting.clear();
  };
  const answer = (callId: number, { code, message, body }: Outcome): void => {
    if (isClosed) return;
    unread.answers += 1;
    const added = { callId, status: code, message, body };
    unread.bytes += sizeOf(added);
    answers.add(added);
    if (unread.answers <= mostUnread.answers && unread.bytes <= mostUnread.bytes) return;
    close();
    stream.emit("error", { code: status.RESOURCE_EXHAUSTED, details: "too many answers wait to be read" });
  };
  const take = ({ callId, method, timeoutMs, requestId, traceparent, externalId, request }: Call): void => {
    const serve = numbers.get(method);
    onCall();
    const hasRoom = waiting.size < mostWaiting && !waiting.has(callId);
    if (serve === undefined || !hasRoom) {
      answer(callId, serve === undefined ? unknownMethod : tooMany);
      return;
    }
    waiting.add(callId);
    const context = {
      requestId: requestId === "" ? systemIds.uuid() : requestId,
      deadlineMs: systemClock.now().getTime() + timeoutMs,
      ...(traceparent === "" ? {} : { traceparent }),
      about: isExternalId(externalId) ? { externalId } : {},
    };
    void serve({ callers, context, request }).then((outcome) => {
      if (waiting.delete(callId)) answer(callId, outcome);
    });
  };

  stream.on("data", ({ methods: named, calls, cancelled }: CarryRequest) => {
    for (const { number, path } of named) numbers.name(number, path);
    for (const call of calls) if (!isClosed) take(call);
    for (const callId of cancelled) waiting.delete(callId);
  });
  stream.on("drain", () => {
    answers.resume();
    stream.resume();
  });
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

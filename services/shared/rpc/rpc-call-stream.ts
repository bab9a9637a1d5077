import { type Client, type ClientDuplexStream, type StatusObject, status } from "@grpc/grpc-js";
import {
  type Call,
  CallStreamServiceService,
  type CarryRequest,
  type CarryResponse,
} from "../../../proto/gen/corridor/common/v1/call_stream";
import { systemClock } from "../kernel/clock";
import type { Outcome } from "./rpc";
import { makeBatches } from "./rpc-batches";

/** A call without its request. */
export interface CallHead {
  /** `/<service>/<method>`. */
  path: string;
  /** When the caller stops waiting, milliseconds of the system clock. */
  deadlineMs: number;
  requestId: string | undefined;
  traceparent: string | undefined;
  externalId?: string | undefined;
}

/** One call for a transport to carry. */
export interface OutgoingCall extends CallHead {
  /** The encoded request. */
  request: Buffer;
}

/** One stream of calls to one replica. */
export interface CallStream {
  /** False until the replica has accepted the stream, and after it ends. */
  isOpen(): boolean;
  /** True while the limit of calls is under way: a further one is refused. */
  isFull(): boolean;
  /** Sends a call. Never rejects: a broken stream ends its calls as UNAVAILABLE with unknown outcome. */
  carry(call: OutgoingCall): Promise<Outcome>;
  /** Takes no more calls, and ends the stream once all are answered. */
  end(): void;
  /** Resolves when either side has ended the stream. */
  closed: Promise<void>;
}

/** Most calls under way on one stream. */
const maxInFlight = 1_024;

type Item = { call: Call } | { cancelled: number };

const failed = (code: status, message: string): Outcome => ({ code, message, body: Buffer.alloc(0) });

/** Opens a stream on a connection to one replica. */
export function openCallStream(client: Client): CallStream {
  const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.carry;
  const stream: ClientDuplexStream<CarryRequest, CarryResponse> = client.makeBidiStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
  );
  const waiting = makeWaiting();
  const numbers = makeNumbers();
  let isOpen = false;
  let isEnding = false;
  let isClosed = false;

  const items = makeBatches<Item>(
    (item) => ("call" in item ? item.call.request.length : 0),
    (batch) => {
      if (isClosed) return true;
      const calls = batch.flatMap((item) => ("call" in item ? [item.call] : []));
      const cancelled = batch.flatMap((item) => ("cancelled" in item ? [item.cancelled] : []));
      return stream.write({ methods: numbers.takeNew(), calls, cancelled });
    },
  );
  const endWhenIdle = (): void => {
    if (isEnding && waiting.size() === 0) stream.cancel();
  };
  const giveUp = (callId: number): void => {
    items.add({ cancelled: callId });
    waiting.settle(callId, failed(status.DEADLINE_EXCEEDED, "no answer in time"));
    endWhenIdle();
  };
  const isFull = (): boolean => waiting.size() >= maxInFlight;
  const end = (): void => {
    isEnding = true;
    endWhenIdle();
  };

  stream.on("metadata", () => {
    isOpen = true;
  });
  stream.on("data", ({ answers, isDraining }: CarryResponse) => {
    for (const answer of answers) waiting.settle(answer.callId, { ...answer, code: statusOf(answer.status) });
    isEnding ||= isDraining;
    endWhenIdle();
  });
  stream.on("drain", items.resume);
  // The status reports the same, and also a normal end.
  stream.on("error", () => {});
  const closed = new Promise<void>((resolve) => {
    stream.on("status", ({ code, details }: StatusObject) => {
      isEnding = true;
      isClosed = true;
      waiting.settleAll(failed(status.UNAVAILABLE, `${status[code]}: ${details}`));
      resolve();
    });
  });

  return {
    isOpen: () => isOpen && !isEnding,
    isFull,
    carry: (call) =>
      new Promise((resolve) => {
        const timeoutMs = Math.round(call.deadlineMs - systemClock.now().getTime());
        if (isFull()) return resolve(failed(status.RESOURCE_EXHAUSTED, "too many calls are under way"));
        if (timeoutMs <= 0) return resolve(failed(status.DEADLINE_EXCEEDED, "no time is left"));
        const callId = waiting.add(resolve, timeoutMs, giveUp);
        const { path: method, request, requestId = "", traceparent = "", externalId = "" } = call;
        const context = { requestId, traceparent, externalId };
        items.add({ call: { callId, method: numbers.of(method), timeoutMs, ...context, request } });
      }),
    end,
    closed,
  };
}

const statuses = new Map<number, status>(
  Object.values(status).flatMap((code) => (typeof code === "string" ? [] : [[code, code]])),
);

const statusOf = (code: number): status => statuses.get(code) ?? status.UNKNOWN;

type Settle = (outcome: Outcome) => void;

interface Waiting {
  /** Adds a call and returns its id; `giveUp` is called with it when its time is over. */
  add(settle: Settle, timeoutMs: number, giveUp: (callId: number) => void): number;
  /** Settles a call; one that was settled stays as it is. */
  settle(callId: number, outcome: Outcome): void;
  settleAll(outcome: Outcome): void;
  size(): number;
}

/** The calls that have no outcome yet. */
function makeWaiting(): Waiting {
  const calls = new Map<number, { settle: Settle; timer: NodeJS.Timeout }>();
  let lastId = 0;
  const settle: Waiting["settle"] = (callId, outcome) => {
    const call = calls.get(callId);
    if (call === undefined) return;
    calls.delete(callId);
    clearTimeout(call.timer);
    call.settle(outcome);
  };
  return {
    add(settleCall, timeoutMs, giveUp) {
      lastId = (lastId + 1) >>> 0;
      const callId = lastId;
      calls.set(callId, { settle: settleCall, timer: setTimeout(() => giveUp(callId), timeoutMs) });
      return callId;
    },
    settle,
    settleAll(outcome) {
      for (const callId of calls.keys()) settle(callId, outcome);
    },
    size: () => calls.size,
  };
}

/** Numbers that stand for the paths of methods on one stream. */
function makeNumbers(): { of(path: string): number; takeNew(): CarryRequest["methods"] } {
  const known = new Map<string, number>();
  let fresh: CarryRequest["methods"] = [];
  return {
    of(path) {
      const number = known.get(path) ?? known.size + 1;
      if (!known.has(path)) fresh.push({ number, path });
      known.set(path, number);
      return number;
    },
    takeNew() {
      const taken = fresh;
      fresh = [];
      return taken;
    },
  };
}

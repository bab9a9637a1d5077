import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  JetStreamError,
  type JsMsg,
} from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import type { Connection } from "mongoose";
import { monotonicMs } from "../kernel/clock";
import { hasReason } from "../kernel/errors";
import { type CallContext, runInCall } from "../process/call-context";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { counter, type Metrics } from "../process/metrics";
import type { Tracing } from "../process/tracing";
import { makeWaker, type Waker } from "../process/waker";
import { messageParked } from "./bus-users";
import { makeConsumerPositions } from "./consumer-positions";
import type { Bus } from "./jetstream";
import { foreignOrigin } from "./message-origin";
import { holdMessages, type MessageInHand } from "./messages-in-hand";
import { type Novelty, noveltyOf } from "./novelty";
import { replayEndOf } from "./outbox-replayer";
import type { ParkedMessage, ParkedMessages } from "./parked-messages";
import { type GapWatch, watchGaps } from "./stream-gaps";

/** A message's place on the bus, and its bytes. */
export type MessageSource = Omit<ParkedMessage, "cause">;

export interface ConsumerOptions<M> {
  bus: Bus;
  /** Name of the stream. Its producer creates it; until then the consumer waits. */
  stream: string;
  subject: string;
  /** Durable name: replicas with the same name share the messages. */
  durable: string;
  /** Throws when the bytes are not a message of this subject. */
  decode(payload: Uint8Array): M;
  /** Messages with the same key are handled one after the other. */
  keyOf(message: M): string;
  /** The caller's id of the payment that a message is about, for log lines. */
  externalIdOf?(message: M): string | undefined;
  /** Most messages that are handled at a time. */
  concurrency?: number;
  /** `source` lets a handler park the message itself. */
  handle(message: M, source: MessageSource, novelty: Novelty): Promise<void>;
  /** After this long without a sign of progress a message is redelivered to another process, milliseconds. */
  ackWaitMs?: number;
  parked: ParkedMessages;
  /** The store of the consumer's position. */
  connection: Connection;
  /** How often to check whether the stream dropped messages before they were handled, milliseconds. */
  gapLookMs?: number;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
}

const usualConcurrency = 32;
const usualAckWaitMs = 10_000;
const triesBeforeParking = 5;
const retryMs = 200;
/** How long one pull request stays open, and the interval of the bus's heartbeats meanwhile, milliseconds. */
const pullMs = 30_000;
const heartbeatMs = 2_000;
/** Longest time between checks of the open requests, milliseconds; any change of them wakes the loop. */
const lookMs = 30_000;
/** A request without an answer by then gets no heartbeats, milliseconds; one that lives longer is being served. */
const silentMs = 10 * heartbeatMs;
/** This many in a row, while the bus answers other calls, mean that it has lost the route from the consumer to us. */
const silencesBeforeRemaking = 3;
/** Error codes of the JetStream API. */
const [streamNotFound, consumerNotFound] = [10_059, 10_014];
/** Waits before a message is retried, milliseconds; the last one repeats. */
const retryDelays = [100, 250, 1_000, 5_000, 30_000] as const;
/** The same for a message whose predecessors are missing: another replica has them in work and finishes soon. */
const gapDelays = [50, 100, 250, 500, 1_000] as const;
const quickGapTries = 40;

/** A running consumer. */
export interface BusConsumer extends Running {
  stream: string;
  subject: string;
  durable: string;
  /** Reads and handles a message again. Throws when it still fails. */
  replay(source: MessageSource): Promise<void>;
}

/**
 * Handles every message of a subject at least once, through a durable pull consumer. The consumer is created again when it
 * vanishes, and recreated at its position when the bus answers but no longer delivers.
 * A message that was taken stays with this process: it goes to another replica only when this process dies or stalls for
 * longer than the bus waits. A failed message is redelivered with growing delays; an unreadable one is parked after five
 * attempts. Messages that the stream dropped before they were handled are requested from their producer. `stop` lets
 * running handlers end.
 */
export function startConsumer<M>(options: ConsumerOptions<M>): BusConsumer {
  const { logger, stream, subject, durable, decode, handle, concurrency = usualConcurrency } = options;
  const positions = makeConsumerPositions(options.connection, `${stream}/${durable}`);
  const look = options.gapLookMs === undefined ? {} : { lookMs: options.gapLookMs };
  const gaps = watchGaps({ ...options, ...look, positions });
  const waker = makeWaker();
  const inWork = makeInWork(options, gaps, waker);
  let isStopping = false;

  const run = async (): Promise<void> => {
    let isMissingLogged = false;
    let silences = 0;
    while (!isStopping) {
      let openedMs = monotonicMs();
      try {
        if (silences >= silencesBeforeRemaking) await remakeConsumer(options);
        const consumer = await openConsumer(options);
        isMissingLogged = false;
        openedMs = monotonicMs();
        const pulls = makePulls(consumer, waker, (message) => {
          silences = 0;
          if (isStopping) message.nak();
          else inWork.start(message);
        });
        while (!isStopping && pulls.failure() === undefined) {
          pulls.ask(concurrency - inWork.count(), concurrency);
          await waker.wait(lookMs);
        }
        await pulls.end();
      } catch (error) {
        silences = isSilence(error) && monotonicMs() - openedMs < silentMs ? silences + 1 : 0;
        const isMissing = error instanceof JetStreamApiError && error.code === streamNotFound;
        // Logged once: an undeployed producer is no fault of this process.
        if (!isMissing) logger.warn({ stream, durable, ...errorFields(error) }, "the consumer restarts");
        else if (!isMissingLogged) logger.info({ stream, durable }, "the consumer waits for its stream");
        isMissingLogged = isMissing;
      }
      if (!isStopping) await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  };

  const loop = run();
  return {
    stream,
    subject,
    durable,
    replay: async (source) => handle(decode(source.payload), source, "repeat"),
    async stop() {
      isStopping = true;
      waker.wake();
      await gaps.stop();
      await loop;
      await inWork.stop();
    },
  };
}

/** Messages that were taken and not yet answered. `stop` resolves with the last of them. */
interface InWork extends Running {
  count(): number;
  /** Starts a message after the earlier ones of its key. */
  start(message: JsMsg): void;
}

function makeInWork<M>(options: ConsumerOptions<M>, gaps: Pick<GapWatch, "filled">, waker: Waker): InWork {
  const { logger, stream, durable, decode, keyOf, ackWaitMs = usualAckWaitMs } = options;
  const handleOne = makeMessageHandler(options, gaps);
  const running = new Map<string, Promise<void>>();
  const inHand = holdMessages(ackWaitMs, ({ seq }) =>
    logger.error({ stream, durable, streamSequence: seq }, "a handler does not end"),
  );
  return {
    count: inHand.count,
    start(message) {
      const held = inHand.take(message);
      const reading = read(message, decode);
      const key = "content" in reading ? keyOf(reading.content) : `unreadable/${message.seq}`;
      const before = running.get(key) ?? Promise.resolve();
      const mine = before
        .then(() => handleOne(held, reading))
        .finally(() => {
          held.giveUp();
          if (running.get(key) === mine) running.delete(key);
          waker.wake();
        });
      running.set(key, mine);
    },
    async stop() {
      await Promise.all(running.values());
      await inHand.stop();
    },
  };
}

/** Open pull requests. */
interface Pulls {
  /** Requests as many messages as there is room for beyond those requested, once that is a good part of all places. */
  ask(room: number, places: number): void;
  /** Why messages have stopped; undefined while they flow. */
  failure(): Error | undefined;
  /** Ends all requests. Throws the error of any that failed. */
  end(): Promise<void>;
}

/** Never requests more than can be worked on, so that no message waits in an unread buffer. */
function makePulls(consumer: Consumer, waker: Waker, onMessage: (message: JsMsg) => void): Pulls {
  const open = new Map<ConsumerMessages, Promise<void>>();
  let asked = 0;
  let failure: Error | undefined;
  const pull = async (count: number): Promise<void> => {
    let left = count;
    try {
      const messages = await consumer.fetch({ max_messages: count, expires: pullMs, idle_heartbeat: heartbeatMs });
      const reading = (async () => {
        for await (const message of messages) {
          left -= 1;
          asked -= 1;
          onMessage(message);
        }
      })();
      open.set(messages, reading);
      await reading.finally(() => open.delete(messages));
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
    }
    asked -= left;
    waker.wake();
  };
  return {
    ask(room, places) {
      const count = room - asked;
      if (count < 1 || (asked > 0 && count < places / 4)) return;
      asked += count;
      void pull(count);
    },
    failure: () => failure,
    async end() {
      // Not awaited: each ends only with the loop that reads it.
      for (const messages of open.keys()) void messages.close();
      await Promise.allSettled(open.values());
      if (failure !== undefined) throw failure;
    },
  };
}

/** The content of a message, the reason why it cannot be read or is not its producer's, or the id of a replay that ended. */
type Reading<M> = { content: M } | { unreadable: unknown } | { foreign: string } | { replayed: string };

function read<M>(message: JsMsg, decode: (payload: Uint8Array) => M): Reading<M> {
  const foreign = foreignOrigin(message);
  if (foreign !== undefined) return { foreign };
  const replayed = replayEndOf(message.headers?.get("Nats-Msg-Id"), message.data);
  if (replayed !== undefined) return { replayed };
  try {
    return { content: decode(message.data) };
  } catch (error) {
    return { unreadable: error };
  }
}

const isSilence = (error: unknown): boolean => error instanceof JetStreamError && error.message === "heartbeats missed";

const configOf = <M>(
  { durable, subject, ackWaitMs = usualAckWaitMs }: ConsumerOptions<M>,
  { deliver_policy, opt_start_seq }: Pick<ConsumerConfig, "deliver_policy" | "opt_start_seq">,
): Partial<ConsumerConfig> => ({
  durable_name: durable,
  filter_subject: subject,
  ack_policy: AckPolicy.Explicit,
  deliver_policy,
  ...(opt_start_seq === undefined ? {} : { opt_start_seq }),
  ack_wait: nanos(ackWaitMs),
  max_deliver: -1,
  max_ack_pending: 5_000,
});

async function openConsumer<M>(options: ConsumerOptions<M>): Promise<Consumer> {
  const { bus, stream, durable } = options;
  const { manager, jetstream } = await bus.client();
  const known = await manager.consumers.info(stream, durable).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === consumerNotFound) return undefined;
    throw error;
  });
  // The start of an existing consumer cannot be changed.
  await manager.consumers.add(stream, configOf(options, known?.config ?? { deliver_policy: DeliverPolicy.All }));
  return jetstream.consumers.get(stream, durable);
}

/**
 * Recreates the durable consumer after the last message up to which all were acknowledged. Messages in work elsewhere are
 * delivered twice, and the whole stream is when this process dies between the two calls: handlers recognise repeats.
 */
async function remakeConsumer<M>(options: ConsumerOptions<M>): Promise<void> {
  const { bus, stream, durable, logger } = options;
  const { manager } = await bus.client();
  const { ack_floor } = await manager.consumers.info(stream, durable);
  const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: ack_floor.stream_seq + 1 };
  await manager.consumers.delete(stream, durable);
  await manager.consumers.add(stream, configOf(options, start));
  logger.error({ stream, durable, ...start }, "the bus delivered nothing to the consumer, which was recreated");
}

function delayAfter(error: unknown, deliveryCount: number): number {
  const isGap = hasReason(error, "VERSION_CONFLICT") && deliveryCount <= quickGapTries;
  const delays = isGap ? gapDelays : retryDelays;
  return delays[Math.min(deliveryCount, delays.length) - 1] ?? delays[0];
}

function outcomeOf(reading: Reading<unknown>): string {
  if ("foreign" in reading) return "foreign";
  return "unreadable" in reading ? "parked" : "handled";
}

const sourceOf = ({ info, subject, data }: JsMsg): MessageSource => ({
  stream: info.stream,
  sequence: info.streamSequence,
  subject,
  payload: data,
});

/** Handles one message until it is acknowledged, parked, returned, or left to the process that has it now. Never throws. */
function makeMessageHandler<M>(
  { bus, handle, parked, logger, tracing, metrics, durable, externalIdOf }: ConsumerOptions<M>,
  gaps: Pick<GapWatch, "filled">,
) {
  const outcomes = counter(metrics, "corridor_consumed_messages_total", "Messages taken from the bus.", ["outcome"]);
  // Prometheus sees no increase in a counter that first appears with the value 1.
  for (const outcome of ["handled", "again", "parked", "foreign"]) outcomes.inc({ outcome }, 0);

  const park = async (message: JsMsg, error: unknown): Promise<void> => {
    const { deliveryCount, streamSequence } = message.info;
    if (deliveryCount < triesBeforeParking) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    await parked.park({ ...sourceOf(message), cause });
    bus.signal(messageParked);
    logger.error({ durable, streamSequence, ...errorFields(error) }, "a message cannot be read and is parked");
  };

  /** Not parked: nobody should ever have it handled. */
  const discard = ({ subject, info: { streamSequence } }: JsMsg, cause: string): void => {
    logger.error({ durable, subject, streamSequence, cause }, "a message that is not its producer's is discarded");
  };

  const work = async (message: JsMsg, reading: Reading<M>): Promise<void> => {
    if ("foreign" in reading) return discard(message, reading.foreign);
    if ("replayed" in reading) return gaps.filled(reading.replayed);
    if ("unreadable" in reading) return park(message, reading.unreadable);
    return handle(reading.content, sourceOf(message), noveltyOf(message));
  };

  const contextOf = (reading: Reading<M>): CallContext => {
    const externalId = "content" in reading ? externalIdOf?.(reading.content) : undefined;
    return { requestId: "", about: externalId === undefined ? {} : { externalId } };
  };

  const take = async ({ message, isOurs }: MessageInHand, reading: Reading<M>): Promise<void> => {
    // Another process may have started on the message while this one stalled.
    if (!isOurs()) return;
    const parent = message.headers?.get("traceparent") || undefined;
    const { deliveryCount, streamSequence } = message.info;
    try {
      await tracing.span(`${message.subject} process`, { kind: "consumer", parent }, () => work(message, reading));
      message.ack();
      outcomes.inc({ outcome: outcomeOf(reading) });
    } catch (error) {
      const delayMs = delayAfter(error, deliveryCount);
      logger.warn(
        { durable, streamSequence, deliveryCount, delayMs, ...errorFields(error) },
        "a message failed and will be redelivered",
      );
      outcomes.inc({ outcome: "again" });
      if (isOurs()) message.nak(delayMs);
    }
  };
  return (inHand: MessageInHand, reading: Reading<M>): Promise<void> =>
    runInCall(contextOf(reading), () => take(inHand, reading));
}

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
import { holdMessages, type MessageInHand } from "./messages-in-hand";
import { replayEndOf } from "./outbox-replayer";
import type { ParkedMessage, ParkedMessages } from "./parked-messages";
import { type GapWatch, watchGaps } from "./stream-gaps";

/** Where a message stands on the bus, and its bytes. */
export type MessageSource = Omit<ParkedMessage, "cause">;

export interface ConsumerOptions<M> {
  bus: Bus;
  /** Name of the stream. Its producer makes it; until then the consumer waits. */
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
  /** `source` is for those who park what they cannot carry out. A repeat is what the bus has handed to somebody before. */
  handle(message: M, source: MessageSource, isRepeat: boolean): Promise<void>;
  /** After this long without a word from its process, milliseconds, a message goes to another one. */
  ackWaitMs?: number;
  parked: ParkedMessages;
  /** Where it is remembered how far the consumer came. */
  connection: Connection;
  /** How often it is looked whether the stream has forgotten something too early, milliseconds. */
  gapLookMs?: number;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
}

const usualConcurrency = 32;
const usualAckWaitMs = 10_000;
const triesBeforeParking = 5;
const retryMs = 200;
/** How long one request for messages stays open, and how often the bus says meanwhile that it is there, milliseconds. */
const pullMs = 30_000;
const heartbeatMs = 2_000;
/** The loop looks at its requests at least so often, milliseconds; whatever changes them wakes it. */
const lookMs = 30_000;
/** A request that nobody has answered by then hears no heartbeats, milliseconds; the bus serves us when one lives longer. */
const silentMs = 10 * heartbeatMs;
/** So many of these in a row, while the bus answers all else, mean that it has lost its way from the consumer to us. */
const silencesBeforeRemaking = 3;
/** Error codes of the JetStream API. */
const [streamNotFound, consumerNotFound] = [10_059, 10_014];
/** Waits before a message is tried again, milliseconds; the last one repeats. */
const retryDelays = [100, 250, 1_000, 5_000, 30_000] as const;
/** The same for one whose predecessors are missing: another replica has them in work, and is done with them soon. */
const gapDelays = [50, 100, 250, 500, 1_000] as const;
const quickGapTries = 40;

/** A consumer that runs. */
export interface BusConsumer extends Running {
  stream: string;
  subject: string;
  durable: string;
  /** Reads and handles a message once more. Throws what is wrong with it. */
  replay(source: MessageSource): Promise<void>;
}

/**
 * Handles every message of a subject at least once, through a durable pull consumer that is made again when it vanishes, and from
 * where it stood when the bus answers but no longer delivers.
 * What is taken from the bus is worked on and kept in work: it goes to another replica only when this process dies, or
 * stands still for longer than the bus waits. What fails comes again, later each time; what cannot be read is parked after
 * five tries. What the stream has forgotten before it was handled is asked for again. `stop` lets running handlers end.
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
        // Said once: a producer that is not deployed is no fault of this process.
        if (!isMissing) logger.warn({ stream, durable, ...errorFields(error) }, "the consumer starts again");
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
    replay: async (source) => handle(decode(source.payload), source, true),
    async stop() {
      isStopping = true;
      waker.wake();
      await gaps.stop();
      await loop;
      await inWork.stop();
    },
  };
}

/** Messages that are taken and not answered. `stop` ends with the last of them. */
interface InWork extends Running {
  count(): number;
  /** Starts a message behind the earlier ones of its key. */
  start(message: JsMsg): void;
}

function makeInWork<M>(options: ConsumerOptions<M>, gaps: Pick<GapWatch, "filled">, waker: Waker): InWork {
  const { logger, stream, durable, decode, keyOf, ackWaitMs = usualAckWaitMs } = options;
  const handleOne = makeMessageHandler(options, gaps);
  const running = new Map<string, Promise<void>>();
  const inHand = holdMessages(ackWaitMs, ({ seq }) =>
    logger.error({ stream, durable, streamSequence: seq }, "a handler hangs"),
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

/** Requests for messages that are open. */
interface Pulls {
  /** Asks for as many as there is room for beside those that are asked for, once that is a good part of all places. */
  ask(room: number, places: number): void;
  /** Why nothing comes any more, once that is so. */
  failure(): Error | undefined;
  /** Ends all requests. Throws what one of them failed with. */
  end(): Promise<void>;
}

/** No more is ever asked for than there is room to work on, so that nothing waits in a buffer that nobody looks at. */
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

/** What a message says, or why it cannot be read; or it tells the end of a replay. */
type Reading<M> = { content: M } | { unreadable: unknown } | { replayed: string };

function read<M>(message: JsMsg, decode: (payload: Uint8Array) => M): Reading<M> {
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
  // Where one begins cannot be changed.
  await manager.consumers.add(stream, configOf(options, known?.config ?? { deliver_policy: DeliverPolicy.All }));
  return jetstream.consumers.get(stream, durable);
}

/**
 * Makes the durable consumer again behind the last message before which all were acknowledged. What others have in work comes twice,
 * and when this process dies between the two calls everything in the stream does: handlers take what they know for done.
 */
async function remakeConsumer<M>(options: ConsumerOptions<M>): Promise<void> {
  const { bus, stream, durable, logger } = options;
  const { manager } = await bus.client();
  const { ack_floor } = await manager.consumers.info(stream, durable);
  const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: ack_floor.stream_seq + 1 };
  await manager.consumers.delete(stream, durable);
  await manager.consumers.add(stream, configOf(options, start));
  logger.error({ stream, durable, ...start }, "the bus delivered nothing to the consumer, which was made again");
}

function delayAfter(error: unknown, deliveryCount: number): number {
  const isGap = hasReason(error, "VERSION_CONFLICT") && deliveryCount <= quickGapTries;
  const delays = isGap ? gapDelays : retryDelays;
  return delays[Math.min(deliveryCount, delays.length) - 1] ?? delays[0];
}

const sourceOf = ({ info, subject, data }: JsMsg): MessageSource => ({
  stream: info.stream,
  sequence: info.streamSequence,
  subject,
  payload: data,
});

/** Handles one message to its end: acknowledged, parked, asked for again, or left to who has it now. Never throws. */
function makeMessageHandler<M>(
  { bus, handle, parked, logger, tracing, metrics, durable, externalIdOf }: ConsumerOptions<M>,
  gaps: Pick<GapWatch, "filled">,
) {
  const outcomes = counter(metrics, "corridor_consumed_messages_total", "Messages taken from the bus.", ["outcome"]);
  // Prometheus sees no growth in a count that begins with its first one.
  for (const outcome of ["handled", "again", "parked"]) outcomes.inc({ outcome }, 0);

  const park = async (message: JsMsg, error: unknown): Promise<void> => {
    const { deliveryCount, streamSequence } = message.info;
    if (deliveryCount < triesBeforeParking) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    await parked.park({ ...sourceOf(message), cause });
    bus.signal(messageParked);
    logger.error({ durable, streamSequence, ...errorFields(error) }, "a message cannot be read and is parked");
  };

  const work = (message: JsMsg, reading: Reading<M>): Promise<void> => {
    if ("replayed" in reading) return gaps.filled(reading.replayed);
    if ("unreadable" in reading) return park(message, reading.unreadable);
    return handle(reading.content, sourceOf(message), message.info.deliveryCount > 1);
  };

  const contextOf = (reading: Reading<M>): CallContext => {
    const externalId = "content" in reading ? externalIdOf?.(reading.content) : undefined;
    return { requestId: "", about: externalId === undefined ? {} : { externalId } };
  };

  const take = async ({ message, isOurs }: MessageInHand, reading: Reading<M>): Promise<void> => {
    // Nothing is begun that another process may have begun with while this one stood still.
    if (!isOurs()) return;
    const parent = message.headers?.get("traceparent") || undefined;
    const { deliveryCount, streamSequence } = message.info;
    try {
      await tracing.span(`${message.subject} process`, { kind: "consumer", parent }, () => work(message, reading));
      message.ack();
      outcomes.inc({ outcome: "unreadable" in reading ? "parked" : "handled" });
    } catch (error) {
      const delayMs = delayAfter(error, deliveryCount);
      logger.warn({ durable, streamSequence, deliveryCount, delayMs, ...errorFields(error) }, "a message comes again");
      outcomes.inc({ outcome: "again" });
      if (isOurs()) message.nak(delayMs);
    }
  };
  return (inHand: MessageInHand, reading: Reading<M>): Promise<void> =>
    runInCall(contextOf(reading), () => take(inHand, reading));
}

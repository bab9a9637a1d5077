import { AckPolicy, type ConsumerMessages, DeliverPolicy, JetStreamApiError, type JsMsg } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import type { Bus } from "./jetstream";
import type { Running } from "./lifecycle";
import { errorFields, type Logger } from "./logger";
import { counter, type Metrics } from "./metrics";
import type { ParkedMessage, ParkedMessages } from "./parked-messages";
import type { Tracing } from "./tracing";

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
  /** Most messages that are handled at a time. */
  concurrency?: number;
  /** `source` is for those who park what they cannot carry out. */
  handle(message: M, source: MessageSource): Promise<void>;
  parked: ParkedMessages;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
}

const usualConcurrency = 32;
const triesBeforeParking = 5;
const retryMs = 200;
/** Error code of the JetStream API. */
const streamNotFound = 10_059;
/** After this long without an answer, milliseconds, a message goes to another replica: its consumer died. */
const ackWaitMs = 5_000;
/** Waits before a message is tried again, milliseconds; the last one repeats. */
const retryDelays = [100, 250, 1_000, 5_000, 30_000] as const;

/**
 * Handles every message of a subject at least once, through a durable pull consumer that is made again when it vanishes.
 * What fails comes again, later each time; what cannot be read is parked after five tries. `stop` lets running handlers
 * end.
 */
export function startConsumer<M>(options: ConsumerOptions<M>): Running {
  const { logger, stream, durable, decode, keyOf, concurrency = usualConcurrency } = options;
  const handleOne = makeMessageHandler(options);
  const running = new Map<string, Promise<void>>();
  let taken = 0;
  let slotFreed = (): void => {};
  let isStopping = false;
  let messages: ConsumerMessages | undefined;

  /** Starts a message behind the earlier ones of its key, once one of the slots is free. */
  const start = async (message: JsMsg): Promise<void> => {
    const reading = read(message, decode);
    const key = "content" in reading ? keyOf(reading.content) : `unreadable/${message.seq}`;
    while (taken >= concurrency) {
      await new Promise<void>((resolve) => {
        slotFreed = resolve;
      });
    }
    taken += 1;
    const before = running.get(key) ?? Promise.resolve();
    const mine = before
      .then(() => handleOne(message, reading))
      .finally(() => {
        taken -= 1;
        if (running.get(key) === mine) running.delete(key);
        slotFreed();
      });
    running.set(key, mine);
  };

  const run = async (): Promise<void> => {
    let isMissingLogged = false;
    while (!isStopping) {
      try {
        messages = await openConsumer(options);
        isMissingLogged = false;
        if (isStopping) void messages.close();
        for await (const message of messages) {
          if (isStopping) message.nak();
          else await start(message);
        }
      } catch (error) {
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
    async stop() {
      isStopping = true;
      // Not awaited: it ends only with the loop that reads the messages.
      void messages?.close();
      await loop;
      await Promise.all(running.values());
    },
  };
}

/** What a message says, or why it cannot be read. */
type Reading<M> = { content: M } | { unreadable: unknown };

function read<M>(message: JsMsg, decode: (payload: Uint8Array) => M): Reading<M> {
  try {
    return { content: decode(message.data) };
  } catch (error) {
    return { unreadable: error };
  }
}

async function openConsumer<M>(options: ConsumerOptions<M>): Promise<ConsumerMessages> {
  const { bus, stream, subject, durable, concurrency = usualConcurrency } = options;
  const { manager, jetstream } = await bus.client();
  await manager.consumers.add(stream, {
    durable_name: durable,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: 5_000,
  });
  const consumer = await jetstream.consumers.get(stream, durable);
  return consumer.consume({
    max_messages: 4 * concurrency,
    expires: 5_000,
    idle_heartbeat: 1_000,
    abort_on_missing_resource: true,
  });
}

const sourceOf = ({ info, subject, data }: JsMsg): MessageSource => ({
  stream: info.stream,
  sequence: info.streamSequence,
  subject,
  payload: data,
});

/** Handles one message to its end: acknowledged, parked, or asked for again. Never throws. */
function makeMessageHandler<M>({ handle, parked, logger, tracing, metrics, durable }: ConsumerOptions<M>) {
  const outcomes = counter(metrics, "corridor_consumed_messages_total", "Messages taken from the bus.", ["outcome"]);

  const park = async (message: JsMsg, error: unknown): Promise<void> => {
    const { deliveryCount, streamSequence } = message.info;
    if (deliveryCount < triesBeforeParking) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    await parked.park({ ...sourceOf(message), cause });
    logger.error({ durable, streamSequence, ...errorFields(error) }, "a message cannot be read and is parked");
  };

  return async (message: JsMsg, reading: Reading<M>): Promise<void> => {
    const parent = message.headers?.get("traceparent") || undefined;
    const { deliveryCount, streamSequence } = message.info;
    try {
      await tracing.span(`${message.subject} process`, { kind: "consumer", parent }, () =>
        "content" in reading ? handle(reading.content, sourceOf(message)) : park(message, reading.unreadable),
      );
      message.ack();
      outcomes.inc({ outcome: "content" in reading ? "handled" : "parked" });
    } catch (error) {
      const delayMs = retryDelays[Math.min(deliveryCount, retryDelays.length) - 1] ?? retryDelays[0];
      logger.warn({ durable, streamSequence, deliveryCount, delayMs, ...errorFields(error) }, "a message comes again");
      outcomes.inc({ outcome: "again" });
      message.nak(delayMs);
    }
  };
}

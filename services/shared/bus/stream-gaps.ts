import { isDeepStrictEqual } from "node:util";
import { beginningOfTime, latest, monotonicMs, plusMs, systemClock } from "../kernel/clock";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { counter, type Metrics } from "../process/metrics";
import { repeat } from "../process/repeat";
import { replaySubjectOf } from "./bus-users";
import type { ConsumerPositions, Position } from "./consumer-positions";
import { type Bus, retentionMs } from "./jetstream";

export interface GapWatchOptions {
  bus: Bus;
  stream: string;
  subject: string;
  durable: string;
  /** The store of the consumer's position. */
  positions: ConsumerPositions;
  logger: Logger;
  metrics: Metrics;
  /** Time between checks, milliseconds. */
  lookMs?: number;
}

/** Finds messages that the stream dropped before they were handled, and requests them from the producer until they arrive. */
export interface GapWatch extends Running {
  /** Closes a gap that the producer has published again. */
  filled(id: string): Promise<void>;
}

const usualLookMs = 10_000;
/** Longest time between writes of a consumer's position, milliseconds, even without new messages. */
const keepMs = 10 * 60_000;
/** Upper bound of the difference between machines' clocks, milliseconds. */
const hourMs = 60 * 60_000;

/** The observed state of the stream and its consumer. */
interface Seen {
  lookedAt: Date;
  created: string;
  firstSequence: number;
  lastSequence: number;
  /** All messages up to this one were acknowledged or are gone. */
  acknowledged: number;
  isCaughtUp: boolean;
}

/**
 * Returns a consumer's new position, and since when messages are missing, if any are. A producer refills a recreated stream
 * with the last days only; older messages are missing too.
 */
export function positionAfter(
  known: Position | undefined,
  seen: Seen,
): { next: Position; missingSince: Date | undefined } {
  const { lookedAt, created, firstSequence, lastSequence, acknowledged, isCaughtUp } = seen;
  const isNewLife = known !== undefined && known.created !== created;
  const handled = known === undefined || isNewLife ? 0 : known.sequence;
  const handledAt = known?.handledAt ?? beginningOfTime;
  const isLeftOut = isNewLife && handledAt < plusMs(lookedAt, hourMs - retentionMs);
  const isMissing = firstSequence > handled + 1 || isLeftOut;
  const reached = isCaughtUp ? lastSequence : acknowledged;
  return {
    next: {
      created,
      sequence: Math.max(handled, reached, firstSequence - 1),
      handledAt: isCaughtUp ? lookedAt : handledAt,
    },
    missingSince: isMissing ? latest([beginningOfTime, plusMs(handledAt, -hourMs)]) : undefined,
  };
}

/** True when no message was published or handled in between. */
const isSame = (one: Seen, { lookedAt, ...other }: Seen): boolean =>
  one.isCaughtUp && isDeepStrictEqual({ ...one, lookedAt }, { ...other, lookedAt });

export function watchGaps(options: GapWatchOptions): GapWatch {
  const { bus, stream, subject, durable, positions, logger, metrics, lookMs = usualLookMs } = options;
  const counted = counter(metrics, "corridor_consumer_gaps_total", "Gaps in a stream that are filled from the record.");

  /** What the last check saw and stored, while nothing is missing. */
  let kept: { seen: Seen; atMs: number } | undefined;

  const look = async (): Promise<void> => {
    const seen = await see(bus, stream, durable);
    if (seen === undefined) return;
    if (kept !== undefined && isSame(kept.seen, seen) && monotonicMs() - kept.atMs < keepMs) return;
    const known = await positions.get();
    const { next, missingSince } = positionAfter(known?.position, seen);
    const id = `${stream}/${durable}/${seen.created}/${known?.position.sequence ?? 0}-${seen.firstSequence}`;
    const found = missingSince === undefined ? [] : [{ id, since: missingSince }];
    // Of two replicas that see the same gap only one writes it.
    const isMoved = await positions.move(known?.position, next, found);
    if (missingSince !== undefined && isMoved) {
      counted.inc();
      logger.error({ stream, durable, since: missingSince }, "messages were dropped before they were handled");
    }
    for (const gap of [...(known?.gaps ?? []), ...found])
      bus.signal(replaySubjectOf(stream), JSON.stringify({ ...gap, subject }));
    const isWhole = isMoved && found.length + (known?.gaps.length ?? 0) === 0;
    kept = isWhole ? { seen, atMs: monotonicMs() } : undefined;
  };

  const looking = repeat(lookMs, look, (error) =>
    logger.debug({ stream, durable, ...errorFields(error) }, "the stream cannot be checked"),
  );
  return {
    async filled(id) {
      if (await positions.close(id)) logger.info({ stream, durable }, "a gap is filled");
    },
    stop: looking.stop,
  };
}

/** Reads the stream, then the consumer: whatever the stream had and is no longer pending was handled. Undefined while either is missing. */
async function see(bus: Bus, stream: string, durable: string): Promise<Seen | undefined> {
  const { manager } = await bus.client();
  const lookedAt = systemClock.now();
  const ofStream = await manager.streams.info(stream).catch(ignoreMissing);
  const ofConsumer = ofStream && (await manager.consumers.info(stream, durable).catch(ignoreMissing));
  if (ofStream === undefined || ofConsumer === undefined) return undefined;
  return {
    lookedAt,
    created: ofStream.created,
    firstSequence: ofStream.state.first_seq,
    lastSequence: ofStream.state.last_seq,
    acknowledged: ofConsumer.ack_floor.stream_seq,
    isCaughtUp: ofConsumer.num_pending + ofConsumer.num_ack_pending === 0,
  };
}

const missing = new Set([10_059, 10_014]);

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && typeof error.code === "number" && missing.has(error.code)) return;
  throw error;
}

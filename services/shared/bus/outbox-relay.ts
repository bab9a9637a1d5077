import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { type Clock, monotonicMs, plusMs, secondsSince, systemClock } from "../kernel/clock";
import { currentCall } from "../process/call-context";
import { makeDueNotes, startDueWork } from "../process/due-work";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { counter, gauge, type Metrics, secondsHistogram } from "../process/metrics";
import type { Tracing } from "../process/tracing";
import type { Lease } from "../storage/lease";
import { makeReplays } from "../storage/replays";
import { nudgeOf } from "./bus-users";
import { type Bus, type Published, retentionMs, type StreamSpec, type StreamState } from "./jetstream";
import type { OutboxMessage, OutboxSource } from "./outbox";
import { inPages, makeOutboxReplayer } from "./outbox-replayer";
import { makeRelayPositions } from "./relay-positions";

export interface RelayOptions<M extends OutboxMessage> {
  source: OutboxSource<M>;
  bus: Bus;
  stream: StreamSpec;
  /** Where the relay remembers how far it came. */
  connection: Connection;
  lease: Lease;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  /** Longest time without a look at outbox and stream, milliseconds. */
  lookMs?: number;
}

/** Brings committed messages to the stream. `stop` finishes what is on its way. */
export interface Relay extends Running {
  /** Says that a message was committed; the relay looks at once. */
  nudge(): void;
}

const pageSize = 500;
const inFlight = 64;
/** After this many full pages the relay starts again from the oldest, to find what was committed out of order. */
const pagesInSweep = 20;
/** Whoever has something to publish and may not tries to take the lease again so much later. */
const leaseRestMs = 1_000;
const retryMs = 200;
const usualLookMs = 60_000;
/** The other replicas hear at most so often that there is something to publish. */
const tellEveryMs = 1_000;

/**
 * Publishes the messages of a source, oldest first. One lease holder does it, for as long as there is something to do; the
 * others hear that there is, and take over what it leaves when it dies. A word that is lost is made up for by a look now and then.
 * A crash between publishing and marking repeats messages, which the stream drops by id and consumers by sequence. When the
 * stream was made anew or is shorter than what was acknowledged, everything of the last 7 days is published again; what a
 * hearer missed, or an operator asks for, from as far back as it was published.
 */
export function startRelay<M extends OutboxMessage>(options: RelayOptions<M>): Relay {
  const { bus, stream, lease, logger } = options;
  const publishPage = makePagePublisher(options);
  const position = makePosition(options, publishPage);
  const notes = makeDueNotes();
  const signal = nudgeOf(stream.name);
  const self = randomBytes(8).toString("hex");
  let toldMs = Number.NEGATIVE_INFINITY;
  let isNudged = false;
  let isHolder = false;
  const publish = async (page: readonly M[]): Promise<void> => {
    const outcome = await publishPage(page);
    await position.advance(outcome);
    if (outcome.failure !== undefined) throw outcome.failure;
  };
  const replays = makeReplays(options.connection);
  const replayer = makeOutboxReplayer({ ...options, replays, publish, wake: notes.note });
  const sweep = makeSweep({ ...options, publishPage, position, wake: notes.note, drained: replayer.drained });
  const tell = (): void => {
    toldMs = monotonicMs();
    bus.signal(signal, self);
  };

  const work = async (): Promise<Date | undefined> => {
    const isAsked = isNudged;
    isNudged = false;
    isHolder = await lease.hold();
    if (!isHolder) {
      // Whoever holds it is to look at what this process has committed; if it is gone, its lease ends soon.
      if (isAsked) tell();
      return plusMs(systemClock.now(), leaseRestMs);
    }
    await position.check();
    await sweep();
    await replayer.work();
    return undefined;
  };
  const failed = (error: unknown): void => {
    position.doubt();
    isHolder = false;
    // Another replica may reach what this one does not.
    lease.release().catch(() => {});
    logger.warn({ stream: stream.name, ...errorFields(error) }, "the relay tries again");
  };
  const { lookMs = usualLookMs } = options;
  const looking = startDueWork({ lookMs, work, notes, clock: systemClock, onError: failed, restMs: retryMs });

  bus.onSignal(signal, (from) => {
    if (from === self) return;
    // A new connection: the bus may have come back without what it had.
    if (from === "") position.doubt();
    notes.note();
  });
  return {
    nudge() {
      isNudged = true;
      notes.note();
      if (!isHolder || monotonicMs() - toldMs > tellEveryMs) tell();
    },
    async stop() {
      await looking.stop();
      await lease.release();
    },
  };
}

interface SweepDeps<M extends OutboxMessage> extends RelayOptions<M> {
  publishPage: PublishPage<M>;
  position: { advance(outcome: PageOutcome<M>): Promise<void> };
  wake(): void;
  drained(begunAt: Date): Promise<void>;
}

/** Publishes what waits, page by page. */
function makeSweep<M extends OutboxMessage>(deps: SweepDeps<M>): () => Promise<void> {
  const { source, lease, clock, publishPage, position, wake, drained } = deps;
  const observeLag = makeLagObserver(deps);

  /** The position is saved first: were it behind the marks, a stream cut off in between would not be noticed. */
  const settle = async (outcome: PageOutcome<M>): Promise<void> => {
    if (outcome.published.length === 0) return;
    await position.advance(outcome);
    await source.markPublished(outcome.published);
  };

  /** Reads a page, publishes the one before and marks the one before that, all at the same time. */
  return async () => {
    const begunAt = clock.now();
    let page = await source.pending(pageSize);
    let isDrained = page.length === 0;
    let done = nothingYet<M>();
    for (let count = 1; page.length > 0 && (await lease.hold()); count += 1) {
      const isFull = page.length === pageSize;
      const [next, outcome] = await allDone([
        isFull && count < pagesInSweep ? source.pending(pageSize, page.at(-1)) : Promise.resolve<M[]>([]),
        publishPage(page, observeLag),
        settle(done),
      ]);
      if (isFull) wake();
      isDrained = !isFull;
      page = outcome.failure === undefined ? next : [];
      done = outcome;
    }
    await settle(done);
    if (done.failure !== undefined) throw done.failure;
    if (isDrained) await drained(begunAt);
  };
}

/** Shows how late messages come to the stream, and how long the oldest has waited. */
function makeLagObserver<M extends OutboxMessage>({ metrics, source, clock }: RelayOptions<M>): (message: M) => void {
  const lag = secondsHistogram(metrics, "corridor_relay_lag_seconds", "Time from commit to stream.");
  gauge(metrics, "corridor_relay_oldest_pending_seconds", "Age of the oldest event not in the stream.", async () => {
    const [oldest] = await source.pending(1);
    return oldest === undefined ? 0 : secondsSince(oldest.committedAt, clock.now());
  });
  return ({ committedAt }) => lag.observe(secondsSince(committedAt, clock.now()));
}

/** Knows how far the stream was filled, and fills it again when it has lost something. */
function makePosition<M extends OutboxMessage>(options: RelayOptions<M>, publishPage: PublishPage<M>) {
  const { source, bus, stream, lease, clock, logger, metrics, lookMs = usualLookMs } = options;
  const positions = makeRelayPositions(options.connection);
  const refills = counter(metrics, "corridor_relay_refills_total", "Times a stream was filled again from the outbox.");
  let present: StreamState = { created: "", lastSequence: 0 };
  let checkedMs = Number.NEGATIVE_INFINITY;

  const moveTo = async (next: StreamState): Promise<void> => {
    present = next;
    await positions.save(stream.name, next);
  };

  const refill = async (state: StreamState): Promise<void> => {
    logger.warn({ stream: stream.name, created: state.created }, "filling the stream from the outbox");
    refills.inc();
    let { lastSequence } = state;
    for await (const page of inPages(source.since(plusMs(clock.now(), -retentionMs)), pageSize)) {
      const outcome = await publishPage(page);
      if (outcome.failure !== undefined) throw outcome.failure;
      lastSequence = Math.max(lastSequence, outcome.highest);
      await lease.hold();
    }
    await moveTo({ created: state.created, lastSequence });
  };

  return {
    /** Remembers what was acknowledged. */
    async advance({ lowestNew, highest }: PageOutcome<M>): Promise<void> {
      if (lowestNew <= present.lastSequence) {
        // The stream gives numbers a second time: it lost its end. No stream has this position, so it will be refilled.
        checkedMs = Number.NEGATIVE_INFINITY;
        await moveTo({ created: "", lastSequence: 0 });
      } else if (highest > present.lastSequence) {
        await moveTo({ ...present, lastSequence: highest });
      }
    },
    /** Has the stream looked at before anything else is published. */
    doubt(): void {
      checkedMs = Number.NEGATIVE_INFINITY;
    },
    /** Looks at the stream where it was not looked at for some time. What is published meanwhile shows a loss as well. */
    async check(): Promise<void> {
      if (monotonicMs() - checkedMs < lookMs / 2) return;
      const known = await positions.get(stream.name);
      const state = await bus.ensureStream(stream);
      if (known === undefined || known.created !== state.created || known.lastSequence > state.lastSequence) {
        await refill(state);
      } else {
        present = known;
      }
      checkedMs = monotonicMs();
    },
  };
}

interface PageOutcome<M> {
  published: M[];
  /** Lowest sequence that the stream gave to a message that it did not have yet. */
  lowestNew: number;
  highest: number;
  failure: Error | undefined;
}

type PublishPage<M> = (page: readonly M[], onPublished?: (message: M) => void) => Promise<PageOutcome<M>>;

const nothingYet = <M>(): PageOutcome<M> => ({
  published: [],
  lowestNew: Number.POSITIVE_INFINITY,
  highest: 0,
  failure: undefined,
});

/** Publishes one page with a bounded number in flight, in order. After a failure nothing more of the page is sent. */
function makePagePublisher<M extends OutboxMessage>({ bus, tracing, stream }: RelayOptions<M>): PublishPage<M> {
  const publish = (message: M): Promise<Published> =>
    tracing.isOn
      ? tracing.span(`${message.subject} publish`, { kind: "producer", parent: message.traceparent }, () =>
          bus.publish({ ...message, traceparent: currentCall()?.traceparent }),
        )
      : bus.publish(message);

  return async (page, onPublished = () => {}) => {
    const outcome = nothingYet<M>();
    const left = page.values();
    const send = async (): Promise<void> => {
      for (const message of left) {
        if (outcome.failure !== undefined) return;
        try {
          const { sequence, isRepeat } = await publish(message);
          outcome.published.push(message);
          outcome.highest = Math.max(outcome.highest, sequence);
          if (!isRepeat) outcome.lowestNew = Math.min(outcome.lowestNew, sequence);
          onPublished(message);
        } catch (error) {
          outcome.failure = new Error(`a message for ${stream.name} was not acknowledged`, { cause: error });
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(inFlight, page.length) }, send));
    return outcome;
  };
}

/** Waits for all, also when one fails, so that nothing of a failed round is still running in the next. */
async function allDone<A, B, C>(work: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import { type Clock, monotonicMs, plusMs, secondsSince, systemClock } from "../kernel/clock";
import { makeDueNotes, startDueWork } from "../process/due-work";
import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { gauge, type Metrics, secondsHistogram } from "../process/metrics";
import type { Tracing } from "../process/tracing";
import type { Lease } from "../storage/lease";
import { makeReplays } from "../storage/replays";
import { nudgeOf } from "./bus-users";
import type { Bus, StreamSpec } from "./jetstream";
import type { OutboxMessage, OutboxSource } from "./outbox";
import { makeOutboxReplayer } from "./outbox-replayer";
import { makePagePublisher, nothingYet, type PageOutcome, type PublishPage } from "./page-publisher";
import { makeStreamPosition, type StreamPosition } from "./stream-position";

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
  /** Says that a message was committed which the source does not have in memory; the relay looks at once. */
  nudge(): void;
}

const pageSize = 500;
/** After this many full pages the relay starts again from the oldest, to find what was committed out of order. */
const pagesInSweep = 20;
/** Whoever has something to publish and may not tries to take the lease again so much later. */
const leaseRestMs = 1_000;
const retryMs = 200;
const usualLookMs = 60_000;
/** The other replicas hear at most so often that there is something to publish. */
const tellEveryMs = 1_000;
/** What was published from memory is marked so much later, together with what follows it. */
const marksRestMs = 1_000;
/** Behind a word, or a write whose end is not known, it is looked once more so much later: longer than a write takes. */
const lookAgainMs = 6_000;

/**
 * Publishes the messages of a source, oldest first. One lease holder does it, for as long as there is something to do; the
 * others hear that there is, and take over what it leaves when it dies. What the holder has committed itself it publishes from
 * memory, and marks it a while later, many at a time; it looks into the store for what others have committed, at its start, behind
 * a failure, and now and then. A crash between publishing and marking repeats messages, which the stream drops by id and consumers
 * by sequence. When the stream was made anew or is shorter than what was acknowledged, everything of the last 7 days is published
 * again; what a hearer missed, or an operator asks for, from as far back as it was published.
 */
export function startRelay<M extends OutboxMessage>(options: RelayOptions<M>): Relay {
  const { source, bus, stream, lease, logger, lookMs = usualLookMs } = options;
  const { fresh } = source;
  const notes = makeDueNotes();
  const telling = makeTelling(bus, stream);
  const looks = makeLooks(lookMs, () => fresh?.isIncomplete() === true);
  const lookOnce = (): void => {
    looks.ask("heard");
    notes.note();
  };
  const rounds = makeRounds(options, lookMs, lookOnce);
  const holding = makeHolding(lease);

  /** When there will be something to do here, as far as this process knows. */
  const nextAt = (): Date | undefined => soonest([fresh?.restMs(), rounds.restMs(), looks.restMs()]);
  const work = async (): Promise<Date | undefined> => {
    while (looks.isDue() || fresh?.restMs() === 0) {
      if (!(await holding.hold())) {
        // Whoever holds it is to look at what this process has committed; if it is gone, its lease ends soon.
        const isOwn = looks.isOwn();
        if (fresh?.drop() === true || isOwn) telling.tell();
        looks.ask("heard");
        await rounds.markSome();
        return plusMs(systemClock.now(), leaseRestMs);
      }
      await rounds.check();
      if (looks.isDue()) {
        const done = looks.begin();
        await rounds.look();
        done();
      } else {
        telling.tellNowAndThen();
        await rounds.publishFresh();
      }
      await rounds.replay();
    }
    await rounds.markSome();
    return nextAt();
  };
  const failed = (error: unknown): void => {
    rounds.doubt();
    looks.ask("own");
    holding.giveUp();
    logger.warn({ stream: stream.name, ...errorFields(error) }, "the relay tries again");
  };
  const looking = startDueWork({ lookMs, work, notes, clock: systemClock, onError: failed, restMs: retryMs });

  fresh?.listen(() => {
    const isNow = fresh.isIncomplete() || (fresh.restMs() ?? 0) < 1;
    notes.note(isNow ? undefined : nextAt());
  });
  telling.hear((from) => {
    // A new connection: the bus may have come back without what it had.
    if (from === "") rounds.doubt();
    lookOnce();
  });
  return {
    nudge() {
      looks.ask("own");
      notes.note();
      if (holding.isHeld()) telling.tellNowAndThen();
      else telling.tell();
    },
    async stop() {
      await looking.stop();
      fresh?.hasten();
      // What is left undone here is found in the store.
      await rounds
        .finish(holding.isHeld())
        .catch((error: unknown) => logger.warn(errorFields(error), "the relay ends early"));
      if (fresh?.drop() === true) telling.tell();
      await lease.release();
    },
  };
}

/** The end of the shortest of several rests, milliseconds. */
function soonest(rests: readonly (number | undefined)[]): Date | undefined {
  const all = rests.flatMap((ms) => ms ?? []);
  return all.length === 0 ? undefined : plusMs(systemClock.now(), Math.max(1, Math.min(...all)));
}

/** Whether this process is the one that publishes. One that was refused asks again only after a rest. */
function makeHolding(lease: Lease) {
  let isHeld = false;
  let refusedMs = Number.NEGATIVE_INFINITY;
  return {
    isHeld: (): boolean => isHeld,
    async hold(): Promise<boolean> {
      if (monotonicMs() - refusedMs < leaseRestMs) return false;
      isHeld = await lease.hold();
      if (!isHeld) refusedMs = monotonicMs();
      return isHeld;
    },
    /** Another replica may reach what this one does not. */
    giveUp(): void {
      isHeld = false;
      lease.release().catch(() => {});
    },
  };
}

/** When the store is to be looked into. */
function makeLooks(lookMs: number, isIncomplete: () => boolean) {
  let asked: "heard" | "own" | undefined = "heard";
  let lookedMs = Number.NEGATIVE_INFINITY;
  let againMs = Number.POSITIVE_INFINITY;
  return {
    isDue: (): boolean =>
      asked !== undefined || isIncomplete() || monotonicMs() - lookedMs >= lookMs / 2 || monotonicMs() >= againMs,
    /** Milliseconds until it is looked again behind a word; undefined when there was none. */
    restMs: (): number | undefined => (Number.isFinite(againMs) ? Math.max(0, againMs - monotonicMs()) : undefined),
    /** True when it is for what this process has committed. */
    isOwn: (): boolean => asked === "own" || isIncomplete(),
    ask(why: "heard" | "own"): void {
      asked = asked === "own" ? asked : why;
    },
    /** To be called back when the look has succeeded. */
    begin(): () => void {
      const isWord = asked !== undefined || isIncomplete();
      asked = undefined;
      againMs = isWord ? monotonicMs() + lookAgainMs : Number.POSITIVE_INFINITY;
      return () => {
        lookedMs = monotonicMs();
      };
    },
  };
}

/** Lets the replicas of a producer hear of what they have to publish. */
function makeTelling(bus: Bus, stream: StreamSpec) {
  const signal = nudgeOf(stream.name);
  const self = randomBytes(8).toString("hex");
  let toldMs = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    toldMs = monotonicMs();
    bus.signal(signal, self);
  };
  return {
    tell,
    tellNowAndThen(): void {
      if (monotonicMs() - toldMs > tellEveryMs) tell();
    },
    hear(listener: (from: string) => void): void {
      bus.onSignal(signal, (from) => {
        if (from !== self) listener(from);
      });
    },
  };
}

/** What the holder of the lease does in one go. */
function makeRounds<M extends OutboxMessage>(options: RelayOptions<M>, lookMs: number, wake: () => void) {
  const { source, bus, stream, lease, connection } = options;
  const { fresh } = source;
  const publishPage = makePagePublisher<M>(options);
  const position = makeStreamPosition({ ...options, lookMs, publishPage });
  const marks = makeMarks(source, position);
  const observeLag = makeLagObserver(options);
  const publish = async (page: readonly M[]): Promise<void> => {
    const outcome = await publishPage(page);
    await position.advance(outcome);
    marks.add([]);
    if (outcome.failure !== undefined) throw outcome.failure;
  };
  const replays = makeReplays(connection);
  const replayer = makeOutboxReplayer({ ...options, bus, stream, replays, publish, wake });
  const sweep = makeSweep({ ...options, publishPage, observeLag, marks, position, wake, drained: replayer.drained });
  const publishFresh = async (): Promise<void> => {
    const page = fresh?.take(pageSize) ?? [];
    const outcome = await publishPage(page, observeLag);
    await position.advance(outcome);
    marks.add(outcome.published);
    if (outcome.failure !== undefined) throw outcome.failure;
  };
  return {
    doubt: position.doubt,
    check: position.check,
    publishFresh,
    replay: replayer.work,
    markSome: marks.writeDue,
    restMs: marks.restMs,
    async look(): Promise<void> {
      // What is in the store is published from there, and what was published is not to be found there.
      fresh?.drop();
      await marks.write();
      await sweep();
    },
    async finish(mayPublish: boolean): Promise<void> {
      while (mayPublish && fresh?.restMs() === 0 && (await lease.hold())) await publishFresh();
      await marks.write();
    },
  };
}

/** What was published and is not marked yet. */
interface Marks<M> {
  add(published: readonly M[]): void;
  /** Milliseconds until they are due; undefined when there are none. */
  restMs(): number | undefined;
  writeDue(): Promise<void>;
  write(): Promise<void>;
}

/** The position is saved first: were it behind the marks, a stream cut off in between would not be noticed. */
function makeMarks<M extends OutboxMessage>(
  source: Pick<OutboxSource<M>, "markPublished">,
  position: Pick<StreamPosition<M>, "save">,
): Marks<M> {
  let waiting: M[] = [];
  let dueMs: number | undefined;
  const write = async (): Promise<void> => {
    await position.save();
    if (waiting.length > 0) await source.markPublished(waiting);
    waiting = [];
    dueMs = undefined;
  };
  const restMs = (): number | undefined => (dueMs === undefined ? undefined : Math.max(0, dueMs - monotonicMs()));
  return {
    add(published) {
      waiting.push(...published);
      dueMs ??= monotonicMs() + marksRestMs;
    },
    restMs,
    async writeDue() {
      if (restMs() === 0 || waiting.length >= pageSize) await write();
    },
    write,
  };
}

interface SweepDeps<M extends OutboxMessage> extends RelayOptions<M> {
  publishPage: PublishPage<M>;
  observeLag(message: M): void;
  marks: Pick<Marks<M>, "add" | "write">;
  position: Pick<StreamPosition<M>, "advance">;
  wake(): void;
  drained(begunAt: Date): Promise<void>;
}

/** Publishes what waits, page by page. */
function makeSweep<M extends OutboxMessage>(deps: SweepDeps<M>): () => Promise<void> {
  const { source, lease, clock, publishPage, observeLag, marks, position, wake, drained } = deps;

  const settle = async (outcome: PageOutcome<M>): Promise<void> => {
    if (outcome.published.length === 0) return;
    await position.advance(outcome);
    marks.add(outcome.published);
    await marks.write();
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

/** Waits for all, also when one fails, so that nothing of a failed round is still running in the next. */
async function allDone<A, B, C>(work: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

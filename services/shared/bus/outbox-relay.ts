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
  /** The store of the relay's position. */
  connection: Connection;
  lease: Lease;
  clock: Clock;
  logger: Logger;
  tracing: Tracing;
  metrics: Metrics;
  /** Longest time between checks of outbox and stream, milliseconds. */
  lookMs?: number;
}

/** Publishes committed messages to the stream. `stop` finishes what is in flight. */
export interface Relay extends Running {
  /** Signals a committed message that the source does not have in memory; the relay reads the store at once. */
  nudge(): void;
}

const pageSize = 500;
/** Full pages after which the relay restarts from the oldest message, to find those committed out of order. */
const pagesInSweep = 20;
/** Wait before a replica with messages to publish tries for the lease again, milliseconds. */
const leaseRestMs = 1_000;
const retryMs = 200;
const usualLookMs = 60_000;
/** Shortest time between signals to the other replicas, milliseconds. */
const signalEveryMs = 1_000;
/** Delay before messages published from memory are marked, together with later ones, milliseconds. */
const marksRestMs = 1_000;
/** Delay of a second check after a signal or a write of unknown outcome, milliseconds: longer than a write takes. */
const lookAgainMs = 6_000;

/**
 * Publishes the messages of a source, oldest first. One lease holder does so while there is work; the others are signalled
 * that there is, and take over when it dies. The holder publishes its own commits from memory and marks them a while later,
 * many at a time; it reads the store for the commits of others, at its start, after a failure, and periodically. A crash
 * between publishing and marking repeats messages, which the stream drops by id and consumers by sequence. When the stream was
 * recreated or is shorter than what was acknowledged, the last 7 days are published again; messages that a consumer missed or
 * an operator asks for, from as far back as they are recorded.
 */
export function startRelay<M extends OutboxMessage>(options: RelayOptions<M>): Relay {
  const { source, bus, stream, lease, logger, lookMs = usualLookMs } = options;
  const { fresh } = source;
  const notes = makeDueNotes();
  const signals = makeSignals(bus, stream);
  const looks = makeLooks(lookMs, () => fresh?.isIncomplete() === true);
  const lookOnce = (): void => {
    looks.ask("signalled");
    notes.note();
  };
  const rounds = makeRounds(options, lookMs, lookOnce);
  const holding = makeHolding(lease);

  /** When this process next has work, as far as it knows. */
  const nextAt = (): Date | undefined => soonest([fresh?.restMs(), rounds.restMs(), looks.restMs()]);
  const work = async (): Promise<Date | undefined> => {
    while (looks.isDue() || fresh?.restMs() === 0) {
      if (!(await holding.hold())) {
        // The holder must read what this process has committed; if it is gone, its lease ends soon.
        const isOwn = looks.isOwn();
        if (fresh?.drop() === true || isOwn) signals.send();
        looks.ask("signalled");
        await rounds.markSome();
        return plusMs(systemClock.now(), leaseRestMs);
      }
      await rounds.check();
      if (looks.isDue()) {
        const done = looks.begin();
        await rounds.look();
        done();
      } else {
        signals.sendSometimes();
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
    logger.warn({ stream: stream.name, ...errorFields(error) }, "the relay failed and will retry");
  };
  const looking = startDueWork({ lookMs, work, notes, clock: systemClock, onError: failed, restMs: retryMs });

  fresh?.listen(() => {
    const isNow = fresh.isIncomplete() || (fresh.restMs() ?? 0) < 1;
    notes.note(isNow ? undefined : nextAt());
  });
  signals.listen((from) => {
    // On a new connection the bus may have lost messages.
    if (from === "") rounds.doubt();
    lookOnce();
  });
  return {
    nudge() {
      looks.ask("own");
      notes.note();
      if (holding.isHeld()) signals.sendSometimes();
      else signals.send();
    },
    async stop() {
      await looking.stop();
      fresh?.hasten();
      // Work left undone here is found in the store.
      await rounds
        .finish(holding.isHeld())
        .catch((error: unknown) => logger.warn(errorFields(error), "the relay ended before its last round"));
      if (fresh?.drop() === true) signals.send();
      await lease.release();
    },
  };
}

/** The end of the shortest of several waits, milliseconds. */
function soonest(rests: readonly (number | undefined)[]): Date | undefined {
  const all = rests.flatMap((ms) => ms ?? []);
  return all.length === 0 ? undefined : plusMs(systemClock.now(), Math.max(1, Math.min(...all)));
}

/** Tracks whether this process holds the lease. After a refusal it asks again only after a pause. */
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
    /** Releases the lease, because another replica may reach what this one does not. */
    giveUp(): void {
      isHeld = false;
      lease.release().catch(() => {});
    },
  };
}

/** Decides when to read the store. */
function makeLooks(lookMs: number, isIncomplete: () => boolean) {
  let asked: "signalled" | "own" | undefined = "signalled";
  let lookedMs = Number.NEGATIVE_INFINITY;
  let againMs = Number.POSITIVE_INFINITY;
  return {
    isDue: (): boolean =>
      asked !== undefined || isIncomplete() || monotonicMs() - lookedMs >= lookMs / 2 || monotonicMs() >= againMs,
    /** Milliseconds until the second check after a signal; undefined without one. */
    restMs: (): number | undefined => (Number.isFinite(againMs) ? Math.max(0, againMs - monotonicMs()) : undefined),
    /** True when the check is for commits of this process. */
    isOwn: (): boolean => asked === "own" || isIncomplete(),
    ask(why: "signalled" | "own"): void {
      asked = asked === "own" ? asked : why;
    },
    /** Begins a check. Call the result when the check has succeeded. */
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

/** Signals to the replicas of a producer that there are messages to publish. */
function makeSignals(bus: Bus, stream: StreamSpec) {
  const signal = nudgeOf(stream.name);
  const self = randomBytes(8).toString("hex");
  let sentMs = Number.NEGATIVE_INFINITY;
  const send = (): void => {
    sentMs = monotonicMs();
    bus.signal(signal, self);
  };
  return {
    send,
    sendSometimes(): void {
      if (monotonicMs() - sentMs > signalEveryMs) send();
    },
    listen(listener: (from: string) => void): void {
      bus.onSignal(signal, (from) => {
        if (from !== self) listener(from);
      });
    },
  };
}

/** One round of the lease holder. */
function makeRounds<M extends OutboxMessage>(options: RelayOptions<M>, lookMs: number, wake: () => void) {
  const { source, bus, stream, lease, connection } = options;
  const { fresh } = source;
  const publishNew = makePagePublisher<M>(options);
  /** When messages that were read from the store were published last, in monotonic milliseconds. */
  let readMs = Number.NEGATIVE_INFINITY;
  const publishPage: PublishPage<M> = (page, onPublished) => {
    readMs = monotonicMs();
    return publishNew(page, onPublished);
  };
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
    const taken = fresh?.take(pageSize) ?? [];
    // What was committed before the store was read may have been published from there.
    const page = taken.map((message) => ({ ...message, isFirst: message.knownMs > readMs }));
    const outcome = await publishNew(page, observeLag);
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
      // Messages in the store are published from there, and published ones are no longer pending there.
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

/** Messages that were published and are not marked yet. */
interface Marks<M> {
  add(published: readonly M[]): void;
  /** Milliseconds until the marks are due; undefined when there are none. */
  restMs(): number | undefined;
  writeDue(): Promise<void>;
  write(): Promise<void>;
}

/** Writes marks. The position is saved first: if it lagged behind the marks, a stream that lost its end would go unnoticed. */
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

/** Publishes pending messages page by page. */
function makeSweep<M extends OutboxMessage>(deps: SweepDeps<M>): () => Promise<void> {
  const { source, lease, clock, publishPage, observeLag, marks, position, wake, drained } = deps;

  const settle = async (outcome: PageOutcome<M>): Promise<void> => {
    if (outcome.published.length === 0) return;
    await position.advance(outcome);
    marks.add(outcome.published);
    await marks.write();
  };

  /** Reads a page, publishes the previous one and marks the one before that, concurrently. */
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

/** Reports how late messages reach the stream, and how long the oldest has waited. */
function makeLagObserver<M extends OutboxMessage>({ metrics, source, clock }: RelayOptions<M>): (message: M) => void {
  const lag = secondsHistogram(metrics, "corridor_relay_lag_seconds", "Time from commit to stream.");
  gauge(metrics, "corridor_relay_oldest_pending_seconds", "Age of the oldest event not in the stream.", async () => {
    const [oldest] = await source.pending(1);
    return oldest === undefined ? 0 : secondsSince(oldest.committedAt, clock.now());
  });
  return ({ committedAt }) => lag.observe(secondsSince(committedAt, clock.now()));
}

/** Waits for all, even when one fails, so that no work of a failed round runs into the next. */
async function allDone<A, B, C>(work: [Promise<A>, Promise<B>, Promise<C>]): Promise<[A, B, C]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

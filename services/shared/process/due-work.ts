import { type Clock, monotonicMs } from "../kernel/clock";
import type { Running } from "./lifecycle";

/** Where those who write what becomes due later tell those who will do it. It may be told before anybody listens. */
export interface DueNotes {
  /** Something is due at this time; now, unless said. */
  note(at?: Date): void;
  /** Another replica writes something: when it is due has to be looked up. */
  hear(): void;
  /** One listener at a time. What was told before it is told to it at once, without a time. */
  listen(listener: (at: Date | undefined) => void): void;
  /** Is told of each note of this process, but not of what others were heard to have written. */
  onNote(listener: () => void): void;
}

export function makeDueNotes(): DueNotes {
  let listener: ((at: Date | undefined) => void) | undefined;
  let isEarly = false;
  const tellOthers: (() => void)[] = [];
  const tell = (at: Date | undefined): void => {
    if (listener === undefined) isEarly = true;
    else listener(at);
  };
  return {
    note(at) {
      tell(at);
      for (const other of tellOthers) other();
    },
    hear: () => tell(undefined),
    listen(next) {
      listener = next;
      if (isEarly) next(undefined);
      isEarly = false;
    },
    onNote: (other) => void tellOthers.push(other),
  };
}

export interface DueWorkOptions {
  /**
   * Does what is due, and returns when more will be: a time of the clock, one that has passed when something is left to do,
   * or undefined when nothing is known to come.
   */
  work(): Promise<Date | undefined>;
  /** Who writes what will be due tells it here. */
  notes?: DueNotes;
  clock: Clock;
  onError(error: unknown): void;
  /** Shortest time between two runs, however many words come, milliseconds. */
  leastMs?: number;
  /** Rest before what is left is looked at again, and behind a failure, milliseconds. */
  restMs?: number;
  /** Longest time without a look, in which a word may be lost, milliseconds. A quarter is added or taken away. */
  lookMs?: number | undefined;
  /** 0 to 1. */
  random?: () => number;
}

const usualRestMs = 250;
const usualLookMs = 30_000;
/**
 * Behind a word it is looked once more so much later, milliseconds: whoever writes may speak before its commit, and die
 * behind it. Longer than a transaction takes.
 */
const againMs = 6_000;
/** Longest time that a timer of the machine can wait. */
const longestTimerMs = 2_147_000_000;

/**
 * Works when something is due: at the earliest time that the last look has found or that was noted since, at once when
 * something is due now, and when the clock is moved. Nothing is missed when a word is lost: now and then it looks all the
 * same, each replica at other times. One run at a time; a failure ends one run only. `stop` lets it end.
 */
export function startDueWork(options: DueWorkOptions): Running {
  const { work, notes, clock, onError, restMs = usualRestMs, lookMs = usualLookMs, random = Math.random } = options;
  const agenda = makeAgenda(options);
  let isStopped = false;
  const run = async (): Promise<boolean> => {
    agenda.begin();
    try {
      const next = await work();
      if (next === undefined) return true;
      if (next <= clock.now()) return false;
      agenda.bring(next);
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  };
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      if (await run()) await agenda.sleep(lookMs * (0.75 + random() / 2));
      else await agenda.rest(restMs);
    }
  };
  notes?.listen(agenda.tell);
  const unfollow = clock.onMove?.(agenda.look);
  const ended = loop();
  return {
    async stop() {
      isStopped = true;
      unfollow?.();
      agenda.end();
      await ended;
    },
  };
}

/** When the next run is, by the machine's monotonic clock and by the clock of rules. */
function makeAgenda({ clock, leastMs = 0 }: Pick<DueWorkOptions, "clock" | "leastMs">) {
  let isEnded = false;
  let lookAtMs = 0;
  let dueAt: Date | undefined;
  let isCalled = false;
  let againAtMs = 0;
  let leastAtMs = 0;
  const leftMs = (): number => {
    if (isEnded) return 0;
    const nowMs = monotonicMs();
    const untilDue = dueAt === undefined ? longestTimerMs : dueAt.getTime() - clock.now().getTime();
    return Math.max(0, leastAtMs - nowMs, isCalled ? 0 : Math.min(untilDue, lookAtMs - nowMs));
  };
  const alarm = makeAlarm(leftMs);
  const bring = (at: Date | undefined): void => {
    if (at === undefined) isCalled = true;
    else if (dueAt === undefined || at < dueAt) dueAt = at;
    else return;
    alarm.end();
  };
  /** A time to come stays: what was noted before its commit is not in the store yet. */
  const forgetPassed = (): void => {
    if (dueAt !== undefined && dueAt <= clock.now()) dueAt = undefined;
  };
  return {
    bring,
    tell(at: Date | undefined): void {
      againAtMs = monotonicMs() + againMs;
      bring(at);
    },
    begin(): void {
      isCalled = false;
      forgetPassed();
      leastAtMs = monotonicMs() + leastMs;
    },
    /** Ends when something is due, or behind so long. */
    sleep(ms: number): Promise<void> {
      const nowMs = monotonicMs();
      lookAtMs = nowMs + ms;
      if (againAtMs > nowMs) lookAtMs = Math.min(lookAtMs, againAtMs);
      return alarm.wait();
    },
    /** Before what is left is looked at again. A word that comes ends it: it may be about something new. */
    rest(ms: number): Promise<void> {
      lookAtMs = monotonicMs() + ms;
      forgetPassed();
      return alarm.wait();
    },
    /** Has it seen anew what is due: the clock was moved. */
    look: () => alarm.end(),
    end(): void {
      isEnded = true;
      alarm.end();
    },
  };
}

/** `wait` ends when nothing is left of the time; `end` has it asked for anew. */
function makeAlarm(leftMs: () => number) {
  let end = (): void => {};
  return {
    end: () => end(),
    async wait(): Promise<void> {
      for (let ms = leftMs(); ms > 0; ms = leftMs()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
  };
}

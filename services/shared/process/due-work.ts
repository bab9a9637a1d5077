import { type Clock, monotonicMs } from "../kernel/clock";
import type { Running } from "./lifecycle";

/** Connects writers of work that becomes due later with its worker. Notes before the worker listens are kept. */
export interface DueNotes {
  /** Notes that work is due at this time, by default now. */
  note(at?: Date): void;
  /** Notes that another replica wrote work, whose due time must be read from the store. */
  refresh(): void;
  /** Sets the one listener. Earlier notes are passed to it at once, without a time. */
  listen(listener: (at: Date | undefined) => void): void;
  /** Calls back on each note of this process, but not on those of other replicas. */
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
    refresh: () => tell(undefined),
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
   * Does the due work, and returns when more will be due: a time of the clock, a past time when work is left, or undefined
   * when none is known.
   */
  work(): Promise<Date | undefined>;
  /** Notes by the writers of due work. */
  notes?: DueNotes;
  clock: Clock;
  onError(error: unknown): void;
  /** Shortest time between two runs, however many notes arrive, milliseconds. */
  leastMs?: number;
  /** Pause before remaining work is retried, and after a failure, milliseconds. */
  restMs?: number;
  /** Longest time between two runs, in case a signal was lost, milliseconds. Varied by ±25 %. */
  lookMs?: number | undefined;
  /** 0 to 1. */
  random?: () => number;
}

const usualRestMs = 250;
const usualLookMs = 30_000;
/**
 * Time after a note at which the worker runs once more, milliseconds: a writer may note before its commit and die after it.
 * Longer than a transaction takes.
 */
const againMs = 6_000;
/** Longest delay that a timer supports, milliseconds. */
const longestTimerMs = 2_147_000_000;

/**
 * Runs the work when it is due: at the earliest time that the last run returned or that was noted since, at once when work
 * is due now, and when the clock is moved. Lost signals do no harm: it also runs periodically, each replica at other times.
 * One run at a time; a failure ends one run only. `stop` lets it end.
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

/** Times of the next run, by the machine's monotonic clock and by the business clock. */
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
  /** Drops passed times. A future time stays: work noted before its commit is not in the store yet. */
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
    /** Resolves when work is due, or after this long. */
    sleep(ms: number): Promise<void> {
      const nowMs = monotonicMs();
      lookAtMs = nowMs + ms;
      if (againAtMs > nowMs) lookAtMs = Math.min(lookAtMs, againAtMs);
      return alarm.wait();
    },
    /** Pauses before remaining work is retried. A note ends the pause: it may be about new work. */
    rest(ms: number): Promise<void> {
      lookAtMs = monotonicMs() + ms;
      forgetPassed();
      return alarm.wait();
    },
    /** Evaluates again what is due, because the clock was moved. */
    look: () => alarm.end(),
    end(): void {
      isEnded = true;
      alarm.end();
    },
  };
}

/** `wait` resolves when no time is left; `end` makes it read the time left again. */
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

import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "../kernel/clock";
import type { Running } from "./lifecycle";

/** Runs `work` repeatedly with a pause between runs, one at a time, until it is stopped. A failure ends one run only. */
export const repeat = (pauseMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Running =>
  repeatAfter(() => pauseMs, work, onError);

/**
 * Runs at the moments that are multiples of `everyMs` since the epoch, so that everything that the processes write periodically is one
 * wake-up of the store and one write to its disk.
 */
export const repeatTogether = (
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Running => repeatAfter(() => untilNext(everyMs), work, onError);

/** Returns the time to the next moment. A timer that fires slightly early counts as the coming moment. */
function untilNext(everyMs: number): number {
  const leftMs = everyMs - (systemClock.now().getTime() % everyMs);
  return leftMs > everyMs / 100 ? leftMs : leftMs + everyMs;
}

function repeatAfter(pauseMs: () => number, work: () => Promise<void>, onError: (error: unknown) => void): Running {
  let isStopped = false;
  let wake = (): void => {};
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, pauseMs());
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async (): Promise<void> => {
    while (!isStopped) {
      await work().catch(onError);
      if (!isStopped) await pause();
    }
  };
  const ended = loop();
  return {
    async stop() {
      isStopped = true;
      wake();
      await ended;
    },
  };
}

export interface RepeatWhileOptions {
  pauseMs: number;
  /** True while there is work to do. */
  isNeeded(): boolean;
  work(): Promise<void>;
  onError(error: unknown): void;
}

/** Repeats like `repeat`, but sleeps until `wake` is called while there is no work, so that an idle process stays asleep. */
export function repeatWhile(options: RepeatWhileOptions): Running & { wake(): void } {
  const { pauseMs, isNeeded, work, onError } = options;
  // The caller of `wake` may be a call whose time ends while the work goes on.
  const inOwnContext = AsyncLocalStorage.snapshot();
  let running: Running | undefined;
  let ended = Promise.resolve();
  let isStopped = false;
  const once = async (): Promise<void> => {
    await work().catch(onError);
    if (isStopped || isNeeded()) return;
    const { stop } = running ?? {};
    running = undefined;
    // `stop` resolves only after this run, so it is not awaited here.
    ended = stop?.() ?? ended;
  };
  return {
    wake() {
      if (!isStopped) running ??= inOwnContext(() => repeat(pauseMs, once, onError));
    },
    async stop() {
      isStopped = true;
      await running?.stop();
      await ended;
    },
  };
}

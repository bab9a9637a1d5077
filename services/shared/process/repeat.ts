import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "../kernel/clock";
import type { Running } from "./lifecycle";

/** Runs `work` repeatedly with a pause between runs, one at a time, until it is stopped. A failure ends one run only. */
export const repeat = (pauseMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Running =>
  repeatAfter(() => pauseMs, work, onError);

/**
 * The same at the moments that are multiples of `everyMs` since the epoch, so that what all processes write by the clock is one
 * wake-up of the store and one write to its disk.
 */
export const repeatTogether = (
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Running => repeatAfter(() => untilNext(everyMs), work, onError);

/** A timer that is a little early belongs to the moment that comes. */
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
  /** True while there is anything to do. */
  isNeeded(): boolean;
  work(): Promise<void>;
  onError(error: unknown): void;
}

/** As `repeat`, but where there is nothing to do it sleeps until `wake` is called, so that an idle process stays asleep. */
export function repeatWhile(options: RepeatWhileOptions): Running & { wake(): void } {
  const { pauseMs, isNeeded, work, onError } = options;
  // Whoever wakes it may be a call, whose time ends while the work goes on.
  const inOwnContext = AsyncLocalStorage.snapshot();
  let running: Running | undefined;
  let ended = Promise.resolve();
  let isStopped = false;
  const once = async (): Promise<void> => {
    await work().catch(onError);
    if (isStopped || isNeeded()) return;
    const { stop } = running ?? {};
    running = undefined;
    // It ends with this run, for which nobody here may wait.
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

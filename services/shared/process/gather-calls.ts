import { monotonicMs } from "../kernel/clock";

export interface GatherLimits {
  /** Number of waiting calls that are let through at once, however soon. */
  most: number;
  /** Least time between two groups of calls, milliseconds. */
  everyMs: number;
}

/** Holds calls back so that they continue together, in one turn of the event loop. The first call after a pause continues at once. */
export function gatherCalls({ most, everyMs }: GatherLimits): () => Promise<void> {
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let letGoMs = Number.NEGATIVE_INFINITY;
  const letGo = (): void => {
    clearTimeout(timer);
    timer = undefined;
    letGoMs = monotonicMs();
    const all = waiting;
    waiting = [];
    for (const goOn of all) goOn();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      const restMs = letGoMs + everyMs - monotonicMs();
      if (restMs <= 0 || waiting.length >= most) letGo();
      else timer ??= setTimeout(letGo, restMs);
    });
}

import { monotonicMs } from "../kernel/clock";

export interface GatherLimits {
  /** So many go on at once, however soon. */
  most: number;
  /** Others go on no sooner than this after those before, milliseconds. */
  everyMs: number;
}

/**
 * Holds calls back so that they go on together, in one turn of the event loop. The first after a rest goes on at once.
 */
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

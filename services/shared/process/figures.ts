import { monotonicMs } from "../kernel/clock";

/** Figures of one process that are read from elsewhere, with their ages. */
export interface Figures {
  /** A figure's newest value: read now, or the one before when the answer does not come at once. None was ever read: undefined. */
  of<T>(name: string, read: () => T | Promise<T>): () => Promise<T | undefined>;
  /** Age of the figure that has not been read for the longest, from the first time that it was asked for; 0 without any. */
  oldestAgeSeconds(): number;
}

/** Prometheus waits for 10 s for all figures together. */
const answerWithinMs = 1_000;

interface Reading<T> {
  value: T | undefined;
  /** The last time that it was read, and the first time that it was asked for until then. */
  atMs: number | undefined;
  running: Promise<void> | undefined;
}

/** Keeps figures while whoever has them does not answer: a scrape never waits for long, and never fails. */
export function makeFigures(withinMs = answerWithinMs): Figures {
  const kept = new Map<string, Reading<unknown>>();
  return {
    of<T>(name: string, read: () => T | Promise<T>) {
      const reading: Reading<T> = { value: undefined, atMs: undefined, running: undefined };
      kept.set(name, reading);
      const run = async (): Promise<void> => {
        try {
          reading.value = await read();
          reading.atMs = monotonicMs();
        } catch {
          // Its age tells.
        } finally {
          reading.running = undefined;
        }
      };
      return async () => {
        reading.atMs ??= monotonicMs();
        reading.running ??= run();
        await atMost(reading.running, withinMs);
        return reading.value;
      };
    },
    oldestAgeSeconds() {
      const nowMs = monotonicMs();
      const ages = [...kept.values()].map(({ atMs }) => (atMs === undefined ? 0 : nowMs - atMs));
      return Math.max(0, ...ages) / 1_000;
    },
  };
}

async function atMost(running: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([running, late]);
  clearTimeout(timer);
}

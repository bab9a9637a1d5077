import { monotonicMs } from "../kernel/clock";

/** Metric values of one process that are read from elsewhere, with their ages. */
export interface Figures {
  /** Returns a reader of the newest value: read now, or the last one when reading is slow; undefined if never read. */
  of<T>(name: string, read: () => T | Promise<T>): () => Promise<T | undefined>;
  /** Age of the value that was last read longest ago, counted from its first request; 0 without any. */
  oldestAgeSeconds(): number;
}

/** Longest wait for one value, milliseconds. Prometheus waits 10 s for all together. */
const answerWithinMs = 1_000;

interface Reading<T> {
  value: T | undefined;
  /** When it was last read, or first requested if never read. */
  atMs: number | undefined;
  running: Promise<void> | undefined;
}

/** Keeps the last values while their source does not answer, so a scrape never waits long and never fails. */
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
          // Its age shows the failure.
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

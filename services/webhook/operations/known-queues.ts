import { monotonicMs } from "../../shared/kernel/clock";
import type { QueueStore } from "../store/queue-store";

/** Knows which subscriptions have a queue, and remembers it for a moment. */
export interface KnownQueues {
  /** Returns which of these have a queue. With `mayBeOld` the answer may be out of date by less than a second. */
  opened(ids: readonly string[], mayBeOld: boolean): Promise<ReadonlySet<string>>;
  /** Notes that this process has opened the queues of these. */
  noteOpened(ids: readonly string[]): void;
}

/** Longest use of a read, milliseconds. */
const longestMs = 900;
/** Most subscriptions held in memory. */
const capacity = 10_000;

export function makeKnownQueues(queues: Pick<QueueStore, "opened">, nowMs: () => number = monotonicMs): KnownQueues {
  const known = new Map<string, { isOpen: boolean; readMs: number }>();
  const keep = (id: string, isOpen: boolean, readMs: number): void => {
    // A read that began before this process opened the queue does not see it.
    if (readMs < (known.get(id)?.readMs ?? readMs)) return;
    known.delete(id);
    const [oldest] = known.keys();
    if (known.size >= capacity && oldest !== undefined) known.delete(oldest);
    known.set(id, { isOpen, readMs });
  };
  const isRead = (id: string): boolean => nowMs() - (known.get(id)?.readMs ?? Number.NEGATIVE_INFINITY) < longestMs;
  return {
    async opened(ids, mayBeOld) {
      const wanted = mayBeOld ? ids.filter((id) => !isRead(id)) : ids;
      const readMs = nowMs();
      const found = new Set(await queues.opened(wanted));
      for (const id of wanted) keep(id, found.has(id), readMs);
      return new Set(ids.filter((id) => (wanted.includes(id) ? found.has(id) : known.get(id)?.isOpen === true)));
    },
    noteOpened(ids) {
      for (const id of ids) keep(id, true, nowMs());
    },
  };
}

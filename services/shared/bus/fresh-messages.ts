import { monotonicMs } from "../kernel/clock";
import type { FreshMessages, OutboxMessage } from "./outbox";

/** What stores tell of their commits. */
export interface FreshDrafts<D> {
  /** This was committed. It may wait so long, milliseconds, for more of the same key to go with it. */
  add(key: string, draft: D, lingerMs: number): void;
  /** Something was committed, or may have been, that only the store can tell. */
  doubt(): void;
}

export interface FreshOptions<D, M> {
  /** Two that follow each other as one; undefined when something is missing between them. */
  merge(earlier: D, later: D): D | undefined;
  toMessage(draft: D): M;
}

/** What is kept is small and soon gone; a bus that is away must not fill the memory. */
const most = 2_000;

/** Keeps in memory what was committed until the relay takes it. */
export function makeFreshMessages<D, M extends OutboxMessage>({
  merge,
  toMessage,
}: FreshOptions<D, M>): FreshMessages<M> & FreshDrafts<D> {
  const waiting = new Map<string, { draft: D; dueMs: number }>();
  let isIncomplete = false;
  let tell = (): void => {};
  const doubt = (): void => {
    isIncomplete = true;
    tell();
  };
  return {
    add(key, draft, lingerMs) {
      const dueMs = monotonicMs() + lingerMs;
      const before = waiting.get(key);
      const merged = before === undefined ? draft : merge(before.draft, draft);
      if (merged === undefined || waiting.size >= most) {
        doubt();
        return;
      }
      // What waits keeps its place, and never waits for longer than it would have alone.
      waiting.set(key, { draft: merged, dueMs: Math.min(dueMs, before?.dueMs ?? dueMs) });
      tell();
    },
    doubt,
    listen(onNews) {
      tell = onNews;
    },
    take(limit) {
      const nowMs = monotonicMs();
      const due = [...waiting].filter(([, { dueMs }]) => dueMs <= nowMs).slice(0, limit);
      for (const [key] of due) waiting.delete(key);
      return due.map(([, { draft }]) => toMessage(draft));
    },
    restMs() {
      if (waiting.size === 0) return undefined;
      const first = [...waiting.values()].reduce(
        (least, { dueMs }) => Math.min(least, dueMs),
        Number.POSITIVE_INFINITY,
      );
      return Math.max(0, first - monotonicMs());
    },
    drop() {
      const hadAny = waiting.size > 0;
      waiting.clear();
      isIncomplete = false;
      return hadAny;
    },
    isIncomplete: () => isIncomplete,
    hasten() {
      for (const one of waiting.values()) one.dueMs = Number.NEGATIVE_INFINITY;
    },
  };
}

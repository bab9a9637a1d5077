import { monotonicMs } from "../kernel/clock";
import type { FreshMessages, OutboxMessage } from "./outbox";

/** Receives the commits of stores. */
export interface FreshDrafts<D> {
  /** Adds a committed draft. It may wait `lingerMs` milliseconds to be merged with more of the same key. */
  add(key: string, draft: D, lingerMs: number): void;
  /** Notes that something was or may have been committed that only the store knows. */
  doubt(): void;
}

export interface FreshOptions<D, M> {
  /** Merges two consecutive drafts; undefined when something is missing between them. */
  merge(earlier: D, later: D): D | undefined;
  toMessage(draft: D): M;
}

/** Most drafts in memory. They are small and short-lived, but an unreachable bus must not fill the memory. */
const most = 2_000;

/** Keeps committed messages in memory until the relay takes them. */
export function makeFreshMessages<D, M extends OutboxMessage>({
  merge,
  toMessage,
}: FreshOptions<D, M>): FreshMessages<M> & FreshDrafts<D> {
  const waiting = new Map<string, { draft: D; dueMs: number; knownMs: number }>();
  let isIncomplete = false;
  let tell = (): void => {};
  const doubt = (): void => {
    isIncomplete = true;
    tell();
  };
  return {
    add(key, draft, lingerMs) {
      const nowMs = monotonicMs();
      const dueMs = nowMs + lingerMs;
      const before = waiting.get(key);
      const merged = before === undefined ? draft : merge(before.draft, draft);
      if (merged === undefined || waiting.size >= most) {
        doubt();
        return;
      }
      // A merged draft keeps its place, and never waits longer than its first part would have.
      waiting.set(key, {
        draft: merged,
        dueMs: Math.min(dueMs, before?.dueMs ?? dueMs),
        knownMs: before?.knownMs ?? nowMs,
      });
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
      return due.map(([, { draft, knownMs }]) => ({ ...toMessage(draft), knownMs }));
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

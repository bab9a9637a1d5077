import type { Clock } from "./clock";

/** A map whose entries expire, each at its own time, and which drops the oldest one when it is full. */
export interface BoundedCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V, until: Date): void;
  clear(): void;
}

/** Holds at most `capacity` entries. */
export function makeBoundedCache<V>(capacity: number, clock: Clock): BoundedCache<V> {
  const entries = new Map<string, { value: V; untilMs: number }>();
  return {
    clear: () => entries.clear(),
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (clock.now().getTime() < entry.untilMs) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, until) {
      entries.delete(key);
      const [oldest] = entries.keys();
      if (entries.size >= capacity && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, untilMs: until.getTime() });
    },
  };
}

import { monotonicMs } from "../services/shared/kernel/clock";

/** Limits how often something may happen, for each name separately, within this process only. */
export interface Pace {
  /** Takes one; false when there is none left. */
  take(name: string): boolean;
  /** Gives back one that should not have counted. */
  refill(name: string): void;
  /** Seconds until one is available; 0: one is available now. */
  waitSeconds(name: string): number;
}

export interface PaceOptions {
  burst: number;
  perSecond: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** The oldest names are dropped: an unknown name starts with a full share. */
const mostNames = 20_000;

export function makePace({ burst, perSecond }: PaceOptions): Pace {
  const buckets = new Map<string, Bucket>();
  const present = (name: string): Bucket => {
    const now = monotonicMs();
    const { tokens, atMs } = buckets.get(name) ?? { tokens: burst, atMs: now };
    return { tokens: Math.min(burst, tokens + ((now - atMs) * perSecond) / 1_000), atMs: now };
  };
  const keep = (name: string, bucket: Bucket): void => {
    const [oldest] = buckets.keys();
    if (!buckets.has(name) && buckets.size >= mostNames && oldest !== undefined) buckets.delete(oldest);
    buckets.delete(name);
    buckets.set(name, bucket);
  };
  return {
    take(name) {
      const bucket = present(name);
      if (bucket.tokens < 1) return false;
      keep(name, { ...bucket, tokens: bucket.tokens - 1 });
      return true;
    },
    refill(name) {
      const bucket = present(name);
      keep(name, { ...bucket, tokens: Math.min(burst, bucket.tokens + 1) });
    },
    waitSeconds: (name) => Math.max(0, Math.ceil((1 - present(name).tokens) / perSecond)),
  };
}

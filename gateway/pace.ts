import { monotonicMs } from "../services/shared/kernel/clock";

/** How often something may happen, for each name by itself, as this process alone sees it. */
export interface Pace {
  /** Takes one; false when there is none left. */
  take(name: string): boolean;
  /** Gives one back that should not have counted. */
  refill(name: string): void;
  /** Seconds until there is one again; 0: there is one. */
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

/** The oldest are forgotten: an unknown name begins with a full share. */
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

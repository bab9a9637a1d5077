/** A bucket as it is stored: how many tokens it held at a moment. */
export interface Bucket {
  tokens: number;
  at: Date;
}

/** What a caller wants of a bucket. */
export interface BucketDemand {
  /** Most tokens that it holds; it begins full. */
  capacity: number;
  perSecond: number;
  wanted: number;
}

/** Takes what is there, at most what is wanted. Time that goes backwards adds nothing. */
export function takeTokens(
  stored: Bucket | undefined,
  { capacity, perSecond, wanted }: BucketDemand,
  now: Date,
): { next: Bucket; granted: number } {
  const at = stored !== undefined && stored.at > now ? stored.at : now;
  const passedMs = stored === undefined ? 0 : at.getTime() - stored.at.getTime();
  const before = stored?.tokens ?? capacity;
  const tokens = Math.min(capacity, before + (passedMs * perSecond) / 1_000);
  const granted = Math.max(0, Math.min(Math.floor(tokens), wanted));
  return { next: { tokens: tokens - granted, at }, granted };
}

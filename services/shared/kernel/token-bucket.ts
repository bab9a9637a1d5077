/** A bucket as it is stored: how many tokens it held at a moment. */
export interface Bucket {
  tokens: number;
  at: Date;
}

/** A request for tokens. */
export interface BucketDemand {
  /** Most tokens that the bucket holds; it begins full. */
  capacity: number;
  perSecond: number;
  wanted: number;
}

/** Takes the available tokens, at most those wanted. Time that goes backwards adds none. */
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

import { createHash } from "node:crypto";
import { DomainError } from "../../shared/kernel/errors";
import type { TokenBuckets } from "../../shared/storage/token-buckets";

/** Counts a question to the card network about one card. Throws RATE_LIMITED when there were too many. */
export type CountCardCheck = (tenant: string, cardToken: string) => Promise<void>;

const checksPerHour = 5;
const hourSeconds = 3_600;

/** Limits checks to a few per card and hour, because stolen card lists are tried out by checks. */
export const makeCardCheckLimit =
  (buckets: Pick<TokenBuckets, "take">, factor: number): CountCardCheck =>
  async (tenant, cardToken) => {
    const card = createHash("sha256")
      .update(JSON.stringify([tenant, cardToken]))
      .digest("base64url");
    const capacity = checksPerHour * factor;
    const perSecond = capacity / hourSeconds;
    const { granted, left } = await buckets.take(`card-check:${card}`, { capacity, perSecond, wanted: 1 });
    if (granted === 1) return;
    const details = { limitPerHour: capacity, retryAfterSeconds: Math.ceil((1 - left) / perSecond) };
    throw new DomainError("RATE_LIMITED", "too many checks of this card", { details });
  };

/** When a failed delivery is retried. */
export interface RetryPlan {
  /** Wait before each attempt, milliseconds; the first is the wait before the first attempt. */
  readonly delaysMs: readonly number[];
}

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** Ten attempts within 76 hours. */
export const productionPlan: RetryPlan = {
  delaysMs: [
    0,
    5 * seconds,
    5 * minutes,
    30 * minutes,
    2 * hours,
    5 * hours,
    10 * hours,
    14 * hours,
    20 * hours,
    24 * hours,
  ],
};

/** Five attempts within seven minutes. */
export const quickPlan: RetryPlan = { delaysMs: [0, 2 * seconds, 10 * seconds, minutes, 5 * minutes] };

/** A single attempt. */
export const onePlan: RetryPlan = { delaysMs: [0] };

const jitter = 0.2;

/**
 * Milliseconds until the next attempt, or undefined at the end of the plan. `random` is from 0 to 1 and spreads the
 * wait by ±20 %. The receiver may ask for a longer wait, up to twice as long.
 */
export function nextDelayMs(
  plan: RetryPlan,
  failures: number,
  random: number,
  retryAfterMs: number | undefined,
): number | undefined {
  const planned = plan.delaysMs[failures];
  if (planned === undefined) return undefined;
  const waitMs = planned * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.min(Math.max(waitMs, retryAfterMs ?? 0), 2 * waitMs));
}

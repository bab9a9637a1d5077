import { plusMs } from "../../shared/kernel/clock";

const dayMs = 86_400_000;

/**
 * Returns the same time of day a number of business days later: Mondays to Fridays in UTC. Holidays are not known, so they count as
 * business days.
 */
export function plusBusinessDays(from: Date, days: number): Date {
  let at = from;
  for (let left = days; left > 0; ) {
    at = plusMs(at, dayMs);
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left -= 1;
  }
  return at;
}

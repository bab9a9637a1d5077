import { plusMs } from "../../shared/kernel/clock";

const dayMs = 86_400_000;

/** The same time of day so many business days later: Mondays to Fridays in UTC. Holidays are not known and count as well. */
export function plusBusinessDays(from: Date, days: number): Date {
  let at = from;
  for (let left = days; left > 0; ) {
    at = plusMs(at, dayMs);
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left -= 1;
  }
  return at;
}

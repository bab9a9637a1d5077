import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import type { RatePolicy } from "./rate-policy";

type Hours = Pick<RatePolicy, "week" | "holidays">;

const dayMs = 24 * 60 * 60 * 1_000;
/** Longer spans count in full, closed time included: they exceed every limit anyway. */
const longestSpanMs = 60 * dayMs;

const ofDay = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map((part) => Number.parseInt(part, 10));
  return (hours * 60 + minutes) * 60_000;
};

/** When the markets are closed within one UTC day: from and until, in milliseconds of the day. */
function closedOn(dayStartMs: number, { week, holidays }: Hours): readonly [number, number] | undefined {
  const day = plusMs(beginningOfTime, dayStartMs);
  if (holidays.includes(day.toISOString().slice(5, 10))) return [0, dayMs];
  switch (day.getUTCDay()) {
    case 5:
      return [ofDay(week.closesFriday), dayMs];
    case 6:
      return [0, dayMs];
    case 0:
      return [0, ofDay(week.opensSunday)];
    default:
      return undefined;
  }
}

/** True while all markets are closed: on weekends and holidays. */
export function isMarketClosed(at: Date, hours: Hours): boolean {
  const dayStartMs = Math.floor(at.getTime() / dayMs) * dayMs;
  const [from, until] = closedOn(dayStartMs, hours) ?? [0, 0];
  const ofThisDay = at.getTime() - dayStartMs;
  return from <= ofThisDay && ofThisDay < until;
}

/** Time between two instants during which markets were open: a rate does not age while no newer one can exist. */
export function openMsBetween(from: Date, to: Date, hours: Hours): number {
  const span = to.getTime() - from.getTime();
  if (span <= 0 || span > longestSpanMs) return span;
  let open = span;
  for (let day = Math.floor(from.getTime() / dayMs) * dayMs; day < to.getTime(); day += dayMs) {
    const [closes, opens] = closedOn(day, hours) ?? [0, 0];
    const overlap = Math.min(day + opens, to.getTime()) - Math.max(day + closes, from.getTime());
    open -= Math.max(overlap, 0);
  }
  return open;
}

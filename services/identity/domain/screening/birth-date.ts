/** The birth date of a person, as far as a list knows it: the first and the last day that it can have been. */
export interface BirthSpan {
  /** YYYY-MM-DD. */
  from: string;
  to: string;
}

/** Relation of a known birth date to those on a list. */
export type DateRelation = "equal" | "swapped" | "near" | "within" | "open" | "apart" | "unknown";

const rank: readonly DateRelation[] = ["equal", "swapped", "within", "near", "open", "apart", "unknown"];
const dayMs = 86_400_000;

/** Returns the best relation to any of the listed dates. `open` counts neither for nor against. */
export function relateDates(given: string | undefined, listed: readonly BirthSpan[]): DateRelation {
  if (given === undefined || listed.length === 0) return "unknown";
  let best = rank.length - 1;
  for (const span of listed) best = Math.min(best, rank.indexOf(relateDate(given, span)));
  return rank[best] ?? "unknown";
}

function relateDate(given: string, { from, to }: BirthSpan): DateRelation {
  if (from === to) return relateDay(given, from);
  if (given >= from && given <= to) return "within";
  const apart = Math.min(Math.abs(daysBetween(given, from)), Math.abs(daysBetween(given, to)));
  return apart <= 366 ? "open" : "apart";
}

function relateDay(given: string, listed: string): DateRelation {
  if (given === listed) return "equal";
  const years = yearOf(given) - yearOf(listed);
  if (years > 2 || years < -2) return "apart";
  const [year = "", month = "", day = ""] = listed.split("-");
  if (given === `${year}-${day}-${month}`) return "swapped";
  const isYearOff = given.slice(4) === listed.slice(4) && Math.abs(yearOf(given) - yearOf(listed)) === 1;
  if (isYearOff) return "near";
  const isOneSlip = [...given].filter((figure, index) => figure !== listed.charAt(index)).length === 1;
  if (isOneSlip && Math.abs(yearOf(given) - yearOf(listed)) <= 1) return "near";
  return Math.abs(daysBetween(given, listed)) <= 366 ? "open" : "apart";
}

export const yearOf = (date: string): number => Number.parseInt(date.slice(0, 4), 10);
const daysBetween = (one: string, other: string): number => (Date.parse(one) - Date.parse(other)) / dayMs;

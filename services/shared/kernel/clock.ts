/** The time as business rules see it. Injected, so that tests and the sandbox can move it. */
export interface Clock {
  now(): Date;
  /** Calls back whenever the time was moved, on a movable clock; returns a function that stops the calls. */
  onMove?(listener: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Earlier than every date on this platform. */
export const beginningOfTime = new Date(0);

/** Milliseconds for measuring durations; never goes backwards and is unrelated to the date. */
export const monotonicMs = (): number => performance.now();

/** `at` moved by a number of milliseconds. */
export const plusMs = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** The latest of some times. */
export const latest = (times: readonly [Date, ...Date[]]): Date =>
  times.reduce((one, other) => (other > one ? other : one));

/** Seconds from `at` to `now`, not below 0: clocks of two machines differ. */
export const secondsSince = (at: Date, now: Date): number => Math.max(0, now.getTime() - at.getTime()) / 1_000;

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of payment records. */
export const paymentTime = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");

const instantPattern = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** An ISO 8601 time with its offset, or a bare date as the beginning of that UTC day; undefined for anything else. */
export function parseInstant(text: string): Date | undefined {
  if (!instantPattern.test(text)) return undefined;
  const at = new Date(text);
  // Date reads 30 February and the like as a day of March.
  const isReal =
    !Number.isNaN(at.getTime()) &&
    new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number.parseInt(text.slice(8, 10), 10);
  return isReal ? at : undefined;
}

/** Midnight UTC of a day. Month counts from 0, and both month and day may run over into the next. */
export const utcDate = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day));

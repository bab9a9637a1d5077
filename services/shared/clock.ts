/** The time as business rules see it. Injected, so that tests and the sandbox can move it. */
export interface Clock {
  now(): Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** Before every date that anything here can have. */
export const beginningOfTime = new Date(0);

/** Milliseconds for measuring durations; never goes backwards and says nothing about the date. */
export const monotonicMs = (): number => performance.now();

/** `at` moved by a number of milliseconds. */
export const plusMs = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of payment records. */
export const paymentTime = (at: Date): string => at.toISOString().slice(0, 19).replace("T", " ");

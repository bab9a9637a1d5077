import { plusMs } from "../../shared/kernel/clock";
import { type AttemptFailure, type Delivery, endOf, type LoggedAttempt } from "./delivery";
import type { Waiting } from "./lane";
import { nextDelayMs, type RetryPlan } from "./retry-plan";

/** The answer to one attempt. Without a status there was no complete answer in time, and `failure` says why. */
export interface AttemptAnswer {
  status: number | undefined;
  retryAfterMs: number | undefined;
  failure: AttemptFailure | undefined;
  durationMs: number;
}

/** The consequence of an attempt. */
export type AttemptOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; failures: number; nextAttemptAt: Date }
  | { kind: "abandoned" }
  /** The receiver answered that the endpoint is permanently gone. */
  | { kind: "endpoint gone" };

const gone = 410;

/** Only a 2xx status counts as delivered. */
export function outcomeOf(
  { status, retryAfterMs }: Pick<AttemptAnswer, "status" | "retryAfterMs">,
  delivery: Waiting,
  plan: RetryPlan,
  random: () => number,
  at: Date,
): AttemptOutcome {
  if (status !== undefined && status >= 200 && status < 300) return { kind: "delivered" };
  if (status === gone) return { kind: "endpoint gone" };
  const failures = delivery.failures + 1;
  const delayMs = nextDelayMs(plan, failures, random(), retryAfterMs);
  return delayMs === undefined
    ? { kind: "abandoned" }
    : { kind: "retry", failures, nextAttemptAt: plusMs(at, delayMs) };
}

/**
 * How long an attempt may be under way, milliseconds, before it is repeated because its process died. Longer than any
 * attempt takes.
 */
const longestAttemptMs = 15_000;

/** A delivery that is stored while its first attempt is under way, so no other process makes that attempt. */
export const whileUnderWay = (delivery: Delivery, at: Date): Delivery => ({
  ...delivery,
  nextAttemptAt: plusMs(at, longestAttemptMs),
});

/** A delivery after its first attempt, to be stored with its event. */
export function afterFirstAttempt(delivery: Delivery, outcome: AttemptOutcome, attempt: LoggedAttempt): Delivery {
  const attempted = { ...delivery, attempts: attempt.number, lastStatus: attempt.status, log: [attempt] };
  if (outcome.kind === "retry") {
    return { ...attempted, failures: outcome.failures, nextAttemptAt: outcome.nextAttemptAt };
  }
  return { ...attempted, state: outcome.kind === "delivered" ? "delivered" : "failed", endedAt: endOf(attempt) };
}

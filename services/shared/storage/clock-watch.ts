import type { Running } from "../process/lifecycle";
import { errorFields, type Logger } from "../process/logger";
import { gauge, type Metrics } from "../process/metrics";
import { repeat } from "../process/repeat";
import type { ClockGuard } from "./clock-guard";

export interface ClockWatchDeps {
  guard: ClockGuard;
  /** Reports whether this replica can do its work. */
  setServing(isServing: boolean): void;
  logger: Logger;
  metrics: Metrics;
}

const lookEveryMs = 5_000;

/** Checks the clock periodically, and reports to operators and callers when it is wrong or right again. */
export function startClockWatch({ guard, setServing, logger, metrics }: ClockWatchDeps): Running {
  let wasRight = true;
  gauge(
    metrics,
    "corridor_clock_skew_seconds",
    "How far the clock is ahead of the store's.",
    () => guard.skewMs() / 1_000,
  );
  const watch = async (): Promise<void> => {
    const isRight = await guard.look();
    if (isRight === wasRight) return;
    wasRight = isRight;
    setServing(isRight);
    const facts = { skewMs: Math.round(guard.skewMs()) };
    if (isRight) logger.info(facts, "the clock agrees with the store's again");
    else logger.error(facts, "the clock differs from the store's: nothing is written");
  };
  return repeat(lookEveryMs, watch, (error) => logger.warn(errorFields(error), "the store does not return its time"));
}

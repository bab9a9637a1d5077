import { type Clock, secondsSince } from "../shared/kernel/clock";
import type { Logger } from "../shared/process/logger";
import { counter, gauge, type Metrics, secondsHistogram } from "../shared/process/metrics";
import type { AttemptOutcome } from "./domain/attempt-outcome";
import type { Disabled } from "./domain/subscription";

/** Measurements of deliveries. */
export interface DeliveryMetrics {
  /** Counts an attempt with its duration and, for a delivered one, the time since the event. */
  attempted(outcome: AttemptOutcome["kind"], lagMs: number, durationMs: number): void;
  /** Counts a disabled subscription. */
  disabled(subscriptionId: string, reason: Disabled["reason"]): void;
}

export interface DeliveryMetricsDeps {
  metrics: Metrics;
  logger: Logger;
  clock: Clock;
  oldestPending(): Promise<Date | undefined>;
}

export function makeDeliveryMetrics({ metrics, logger, clock, oldestPending }: DeliveryMetricsDeps): DeliveryMetrics {
  const attempts = counter(metrics, "corridor_webhook_attempts_total", "Attempts by outcome.", ["outcome"]);
  const durations = secondsHistogram(metrics, "corridor_webhook_attempt_duration_seconds", "Time of one attempt.");
  const lag = secondsHistogram(metrics, "corridor_webhook_lag_seconds", "Time from the event to its acknowledgement.");
  const disabled = counter(metrics, "corridor_webhook_disabled_total", "Subscriptions that were disabled.", ["reason"]);
  for (const reason of ["gone", "failing"]) disabled.inc({ reason }, 0);
  gauge(metrics, "corridor_webhook_oldest_undelivered_seconds", "Age of the oldest undelivered event.", async () => {
    const oldest = await oldestPending();
    return oldest === undefined ? 0 : secondsSince(oldest, clock.now());
  });
  return {
    attempted(outcome, lagMs, durationMs) {
      attempts.inc({ outcome });
      durations.observe(durationMs / 1_000);
      if (outcome === "delivered") lag.observe(Math.max(0, lagMs) / 1_000);
    },
    disabled(subscriptionId, reason) {
      disabled.inc({ reason });
      logger.warn({ subscriptionId, reason }, "a subscription is disabled");
    },
  };
}

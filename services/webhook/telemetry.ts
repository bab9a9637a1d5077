import type { Clock } from "../shared/clock";
import { counter, gauge, type Metrics, secondsHistogram } from "../shared/metrics";
import type { AttemptOutcome } from "./domain/attempt-outcome";

/** Measurements of deliveries. */
export interface DeliveryMetrics {
  /** One attempt, and for a delivered one the time since the event. */
  attempted(outcome: AttemptOutcome["kind"], lagMs: number): void;
}

export function makeDeliveryMetrics(
  metrics: Metrics,
  clock: Clock,
  oldestPending: () => Promise<Date | undefined>,
): DeliveryMetrics {
  const attempts = counter(metrics, "corridor_webhook_attempts_total", "Attempts by what came of them.", ["outcome"]);
  const lag = secondsHistogram(metrics, "corridor_webhook_lag_seconds", "Time from the event to its acknowledgement.");
  gauge(metrics, "corridor_webhook_oldest_undelivered_seconds", "Age of the oldest undelivered event.", async () => {
    const oldest = await oldestPending();
    return oldest === undefined ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1_000;
  });
  return {
    attempted(outcome, lagMs) {
      attempts.inc({ outcome });
      if (outcome === "delivered") lag.observe(Math.max(0, lagMs) / 1_000);
    },
  };
}

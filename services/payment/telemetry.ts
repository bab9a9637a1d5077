import { type Clock, plusMs, secondsSince } from "../shared/kernel/clock";
import { gauge, gauges, type Metrics, secondsHistogram } from "../shared/process/metrics";
import { overdueMs } from "./domain/payment-filter";
import type { CaseStore } from "./store/case-store";
import type { DuePayments } from "./store/payment-store";

const manyTries = 5;

type Counts = Pick<DuePayments, "countOverdue" | "countUnresolved" | "countEscalated" | "countOpen">;

/**
 * Reports to Prometheus the payments that are not final, and the cases that are open. Every replica reports the same numbers, because
 * they come from the store.
 */
export function countPayments(
  { metrics, clock }: { metrics: Metrics; clock: Clock },
  payments: Counts,
  cases: Pick<CaseStore, "countOpen">,
): void {
  gauges(metrics, "corridor_cases_open", "Cases that a person must put right, by kind.", {
    labelNames: ["kind"],
    read: async () => (await cases.countOpen()).map(({ kind, count }) => ({ labels: { kind }, value: count })),
  });
  gauges(metrics, "corridor_cases_oldest_seconds", "Age of the oldest open case, by kind.", {
    labelNames: ["kind"],
    async read() {
      const now = clock.now();
      const open = await cases.countOpen();
      return open.map(({ kind, oldest }) => ({ labels: { kind }, value: secondsSince(oldest, now) }));
    },
  });
  gauge(metrics, "corridor_payments_overdue", "Payments that were not processed a minute after they were due.", () =>
    payments.countOverdue(plusMs(clock.now(), -overdueMs)),
  );
  gauge(metrics, "corridor_payments_unresolved", "Payments whose rail was asked in vain five times or more.", () =>
    payments.countUnresolved(manyTries),
  );
  gauge(metrics, "corridor_payments_escalated", "Payments that wait for a person.", () => payments.countEscalated());
  gauges(metrics, "corridor_payments_open", "Payments that are not final, by state.", {
    labelNames: ["state"],
    read: async () => (await payments.countOpen()).map(({ state, count }) => ({ labels: { state }, value: count })),
  });
  gauges(metrics, "corridor_payments_oldest_open_seconds", "Age of the oldest payment that is not final, by state.", {
    labelNames: ["state"],
    async read() {
      const now = clock.now();
      const open = await payments.countOpen();
      return open.map(({ state, oldest }) => ({ labels: { state }, value: secondsSince(oldest, now) }));
    },
  });
}

/** Measures the duration of payments that have ended. */
export function timePayments({ metrics }: { metrics: Metrics }): (afterMs: number) => void {
  const help = "Time from the acceptance of a payment to its end.";
  const ends = secondsHistogram(metrics, "corridor_payment_final_seconds", help);
  return (afterMs) => ends.observe(Math.max(0, afterMs) / 1_000);
}

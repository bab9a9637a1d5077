import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "../../shared/clock";
import type { Ground } from "../../shared/ground";
import type { Ids } from "../../shared/ids";
import { makeLease, processHolder } from "../../shared/lease";
import type { Running } from "../../shared/lifecycle";
import { errorFields } from "../../shared/logger";
import { gauge, gauges, type Metrics } from "../../shared/metrics";
import type { Mongo } from "../../shared/mongo";
import { repeat } from "../../shared/repeat";
import { breakClasses } from "../domain/reconciliation";
import { makeKeepReconciliation } from "../operations/keep-reconciliation";
import type { ReconcileProviders } from "../operations/reconcile-providers";
import type { ReconciliationStore } from "../store/reconciliation-store";

/** How often a replica asks whether it is time to compare the books, milliseconds. */
const reconciliationPauseMs = 2_000;
/** Longer than a comparison takes: another replica takes it up when its holder dies, milliseconds. */
const reconciliationLeaseMs = 600_000;

/** Compares the books again and again, at one replica at a time, and shows what the last comparison found. */
export function startBookComparison(
  everySeconds: number,
  { logger, metrics }: Ground,
  { connection }: Mongo,
  { reconciliations }: { reconciliations: ReconciliationStore },
  { reconcileProviders, ids }: { reconcileProviders: ReconcileProviders; ids: Ids },
): Running {
  const everyMs = everySeconds * 1_000;
  const options = { connection, name: "wallet-reconciliation", holder: `${processHolder}-${ids.uuid()}` };
  const lease = makeLease({ ...options, ttlMs: reconciliationLeaseMs });
  const waiting = new AbortController();
  const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: waiting.signal });
  // What providers do follows the machine's time, whatever the sandbox's clock says.
  const clock = systemClock;
  const keep = makeKeepReconciliation({ reconcileProviders, reconciliations, everyMs, clock, ids, pause });
  const reconcile = async (): Promise<void> => {
    if (!(await lease.hold())) return;
    try {
      await keep();
    } finally {
      await lease.release();
    }
  };
  const loop = repeat(Math.min(reconciliationPauseMs, everyMs), reconcile, (error) => {
    if (!waiting.signal.aborted) logger.warn(errorFields(error), "the books of the providers were not compared");
  });
  showReconciliation(metrics, reconciliations, clock);
  return {
    async stop() {
      waiting.abort();
      await loop.stop();
    },
  };
}

function showReconciliation(metrics: Metrics, { latest }: ReconciliationStore, clock: Clock): void {
  const startedAt = clock.now();
  gauges(metrics, "corridor_reconciliation_breaks", "Breaks that the last comparison of the books found, by class.", {
    labelNames: ["class"],
    async read() {
      const [last] = await latest(1);
      if (last === undefined) return [];
      return breakClasses.map((name) => ({ labels: { class: name }, value: last.classes[name] ?? 0 }));
    },
  });
  gauge(
    metrics,
    "corridor_reconciliation_age_seconds",
    "Time since the books were compared, or since the start.",
    async () => {
      const [last] = await latest(1);
      return (clock.now().getTime() - (last?.startedAt ?? startedAt).getTime()) / 1_000;
    },
  );
}

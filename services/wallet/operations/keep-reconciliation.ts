import { type Clock, plusMs } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import { confirmed, countByClass } from "../domain/reconciliation";
import type { ReconciliationStore } from "../store/reconciliation-store";
import type { ReconcileProviders } from "./reconcile-providers";

export interface KeepReconciliationDeps {
  reconcileProviders: ReconcileProviders;
  reconciliations: Pick<ReconciliationStore, "add" | "latest">;
  /** Time between runs, milliseconds. */
  everyMs: number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  pause(ms: number): Promise<void>;
}

/** Compares the books when it is time, and keeps the result. True when it did. */
export type KeepReconciliation = () => Promise<boolean>;

/** Long enough for what was being booked to be booked, milliseconds. */
const secondLookMs = 10_000;

/**
 * A run that finds breaks looks a second time and keeps those that are still there: what was on its way between the books
 * is gone by then. One replica runs it at a time.
 */
export const makeKeepReconciliation =
  (deps: KeepReconciliationDeps): KeepReconciliation =>
  async () => {
    const startedAt = deps.clock.now();
    const [last] = await deps.reconciliations.latest(1);
    if (last !== undefined && plusMs(last.startedAt, deps.everyMs) > startedAt) return false;
    const result = await lookTwice(deps);
    const classes = countByClass(result.breaks);
    await deps.reconciliations.add({ id: deps.ids.uuid(), startedAt, classes, ...result });
    return true;
  };

async function lookTwice({ reconcileProviders, everyMs, pause }: KeepReconciliationDeps) {
  const first = await reconcileProviders();
  if (first.breaks.length === 0) return first;
  await pause(Math.min(secondLookMs, everyMs / 2));
  return confirmed(first, await reconcileProviders());
}

import { monotonicMs, plusMs, systemClock } from "../../shared/kernel/clock";
import { makeDueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { ReplicaRegistry } from "../../shared/storage/replica-registry";
import { leaseMs } from "../domain/lane";

/** The registry of processes that share the work. */
export interface Replicas extends Running {
  /** Number of live replicas at the last count, including this one. */
  count(): number;
}

export interface ReplicasOptions {
  registry: ReplicaRegistry;
  /** Name of this process among them. */
  holder: string;
  logger: Logger;
}

const beatMs = 1_000;
/** A process counts as live if it asked for the count within this time. */
const activeMs = 5_000;

/**
 * While the count is used, registers this process each second and counts the live replicas. One that has not registered
 * for five seconds is gone.
 */
export async function startReplicas({ registry, holder, logger }: ReplicasOptions): Promise<Replicas> {
  let live = 1;
  let askedMs = monotonicMs();
  let isBeating = true;
  const notes = makeDueNotes();
  const beat = async (): Promise<void> => {
    const now = systemClock.now();
    await registry.note(holder, now);
    live = Math.max(1, await registry.countSince(plusMs(now, -leaseMs)));
  };
  const beatWhileActive = async (): Promise<Date | undefined> => {
    isBeating = monotonicMs() - askedMs < activeMs;
    if (!isBeating) return undefined;
    await beat();
    return plusMs(systemClock.now(), beatMs);
  };
  await beat();
  const beating = startDueWork({
    work: beatWhileActive,
    notes,
    clock: systemClock,
    onError: (error) => logger.warn(errorFields(error), "replicas cannot be counted"),
    restMs: beatMs,
  });
  return {
    count() {
      askedMs = monotonicMs();
      if (!isBeating) {
        isBeating = true;
        notes.note();
      }
      return live;
    },
    async stop() {
      await beating.stop();
      await registry.forget(holder);
    },
  };
}

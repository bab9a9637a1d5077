import { monotonicMs, plusMs, systemClock } from "../../shared/kernel/clock";
import { makeDueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { Presence } from "../../shared/storage/presence";
import { leaseMs } from "../domain/lane";

/** The processes that share the work. */
export interface Replicas extends Running {
  /** How many live, this one among them, as last counted. */
  count(): number;
}

export interface ReplicasOptions {
  presence: Presence;
  /** Name of this process among them. */
  holder: string;
  logger: Logger;
}

const beatMs = 1_000;
/** A process that asked within this time makes attempts, and is counted. */
const activeMs = 5_000;

/**
 * Says each second that this process makes attempts, and counts the others that do, for as long as somebody wants to know. One that
 * was not heard of for five seconds is gone.
 */
export async function startReplicas({ presence, holder, logger }: ReplicasOptions): Promise<Replicas> {
  let live = 1;
  let askedMs = monotonicMs();
  let isBeating = true;
  const notes = makeDueNotes();
  const beat = async (): Promise<void> => {
    const now = systemClock.now();
    await presence.note(holder, now);
    live = Math.max(1, await presence.countSince(plusMs(now, -leaseMs)));
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
      await presence.forget(holder);
    },
  };
}

import { type Clock, monotonicMs, plusMs, systemClock } from "../../shared/kernel/clock";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import { leaseMs } from "../domain/lane";
import { earlier } from "../operations/lanes-in-work";
import type { WorkQueue } from "../operations/work-queue";
import type { QueueStore } from "../store/queue-store";

export interface DispatcherOptions {
  queues: Pick<QueueStore, "claim" | "upcoming" | "hold" | "renew" | "release">;
  workQueue: WorkQueue;
  /** Signals when queues may be due. */
  due: DueNotes;
  /** Name of this process among all that share the work. */
  holder: string;
  /** Longest time between reads of the store, milliseconds. */
  lookMs?: number | undefined;
  clock: Clock;
  logger: Logger;
}

export interface Dispatcher extends Running {
  /** Starts on queues that may have been opened for this process. */
  handOver(subscriptionIds: readonly string[]): void;
}

/** Most queues that one process works on at a time. Queues of hanging endpoints count for up to a minute. */
const queuesInHand = 512;
const renewMs = 1_000;
/** Pause between claims, milliseconds. Queues opened here start at once; those that others left can wait. */
const claimRestMs = 100;

/**
 * Claims due queues and works on many of them at a time, so that a slow endpoint does not delay others. Any number of
 * processes share the queues. `stop` lets attempts in flight end and releases the queues.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { queues, workQueue, due, holder, clock, logger, lookMs } = options;
  const running = new Map<string, Promise<void>>();
  /** Until when each queue is certainly held. Another process may have taken it while this one was stalled. */
  const heldUntilMs = new Map<string, number>();
  /** Queues that were handed over again while in work. */
  const again = new Set<string>();
  let isStopping = false;
  const failed = (error: unknown): false => {
    logger.warn(errorFields(error), "deliveries wait for the store");
    return false;
  };
  const isHeld = (id: string): boolean => !isStopping && monotonicMs() < (heldUntilMs.get(id) ?? 0);

  const renew = async (): Promise<void> => {
    const askedMs = monotonicMs();
    if (running.size === 0) return;
    const kept = await queues.renew(holder, [...running.keys()], plusMs(systemClock.now(), leaseMs));
    for (const id of kept) if (heldUntilMs.has(id)) heldUntilMs.set(id, askedMs + leaseMs);
  };

  const work = async (id: string): Promise<void> => {
    const askedMs = monotonicMs();
    const queue = await queues.hold({ id, holder }, plusMs(systemClock.now(), leaseMs));
    heldUntilMs.set(id, askedMs + leaseMs);
    if (queue !== undefined) await workQueue(queue, () => isHeld(id));
  };

  const start = (id: string): void => {
    // Its worker may have just released it without knowing so yet.
    if (running.has(id)) again.add(id);
    else
      running.set(
        id,
        work(id)
          .catch(failed)
          .then(() => ended(id)),
      );
  };
  const ended = (id: string): void => {
    heldUntilMs.delete(id);
    running.delete(id);
    if (again.delete(id) && !isStopping) start(id);
  };

  /** Claims queues. Returns when to claim again: when the next queue is due or an unrenewed lease ends. */
  const claim = async (): Promise<Date | undefined> => {
    const at = clock.now();
    const limit = queuesInHand - running.size;
    if (limit <= 0) return at;
    const realAt = systemClock.now();
    const leaseUntil = plusMs(realAt, leaseMs);
    const claimed = await queues.claim({ holder, at, realAt, leaseUntil, limit });
    for (const { id } of claimed) start(id);
    if (claimed.length === limit) return at;
    const { dueAt, freeAt } = await queues.upcoming(at);
    const heldUntil = freeAt && plusMs(at, freeAt.getTime() - realAt.getTime());
    return earlier(dueAt, heldUntil);
  };

  const renewal = repeat(renewMs, renew, failed);
  const claiming = startDueWork({ work: claim, notes: due, clock, onError: failed, leastMs: claimRestMs, lookMs });
  return {
    handOver(ids) {
      for (const id of ids) start(id);
      due.note();
    },
    async stop() {
      isStopping = true;
      await claiming.stop();
      await Promise.all(running.values());
      await renewal.stop();
      await queues.release(holder);
    },
  };
}

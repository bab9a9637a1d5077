import { type Clock, monotonicMs, plusMs, systemClock } from "../shared/clock";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import type { Waker } from "../shared/waker";
import type { DeliverLane } from "./operations/deliver-lane";
import type { Lane, LaneClaim, LaneStore } from "./store/lane-store";

export interface DispatcherOptions {
  lanes: Pick<LaneStore, "claim" | "renew" | "release">;
  deliverLane: DeliverLane;
  /** Woken when lanes may be due. */
  waker: Waker;
  /** Name of this process among all that share the work. */
  holder: string;
  clock: Clock;
  logger: Logger;
}

const lanesInFlight = 64;
const lanesPerSubscription = 8;
const pollMs = 250;
/** How long a lane stays with a process that died, milliseconds. */
const leaseMs = 5_000;
const renewMs = 1_000;

/**
 * Claims due lanes and works on many of them at a time, on few of one subscription, so that a slow endpoint keeps others
 * waiting no longer. Any number of processes share the lanes. `stop` lets attempts in flight end and gives the lanes back.
 */
export function startDispatcher({ lanes, deliverLane, waker, holder, clock, logger }: DispatcherOptions): Running {
  const running = new Map<string, Promise<void>>();
  const inFlight = makeTally();
  /** Until when each lane is certainly ours. Another process may have taken a lane while this one was stalled. */
  const heldUntilMs = new Map<string, number>();
  let isStopping = false;
  const failed = (error: unknown): false => {
    logger.warn(errorFields(error), "deliveries wait for the store");
    return false;
  };
  const isHeld = (id: string): boolean => !isStopping && monotonicMs() < (heldUntilMs.get(id) ?? 0);

  const renew = async (): Promise<void> => {
    const askedMs = monotonicMs();
    if (running.size === 0) return;
    const kept = await lanes.renew(holder, [...running.keys()], plusMs(systemClock.now(), leaseMs));
    for (const id of kept) if (heldUntilMs.has(id)) heldUntilMs.set(id, askedMs + leaseMs);
  };

  const work = async (lane: Lane, askedMs: number): Promise<void> => {
    const { id, subscriptionId } = lane;
    heldUntilMs.set(id, askedMs + leaseMs);
    inFlight.add(subscriptionId, 1);
    await deliverLane(lane, () => isHeld(id)).catch(failed);
    heldUntilMs.delete(id);
    inFlight.add(subscriptionId, -1);
    waker.wake();
  };

  /** A lane may be claimed again while its last worker has given it back and not yet heard so: the next one queues. */
  const start = (lane: Lane, askedMs: number): void => {
    const before = running.get(lane.id) ?? Promise.resolve();
    const task = before.then(() => work(lane, askedMs));
    running.set(lane.id, task);
    void task.then(() => {
      if (running.get(lane.id) === task) running.delete(lane.id);
    });
  };

  const nextClaim = (): LaneClaim => {
    const realAt = systemClock.now();
    const except = inFlight.atLeast(lanesPerSubscription);
    const choose: LaneClaim["choose"] = (due) => fitting(due, inFlight, lanesInFlight - running.size);
    return { holder, at: clock.now(), realAt, leaseUntil: plusMs(realAt, leaseMs), except, choose };
  };
  const claim = async (): Promise<boolean> => {
    if (running.size >= lanesInFlight) return false;
    const askedMs = monotonicMs();
    const claimed = await lanes.claim(nextClaim());
    for (const lane of claimed) start(lane, askedMs);
    return claimed.length > 0;
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const isClaimed = await claim().catch(failed);
      if (!isClaimed && !isStopping) await waker.wait(pollMs);
    }
  };

  const renewal = repeat(renewMs, renew, failed);
  const loop = run();
  return {
    async stop() {
      isStopping = true;
      waker.wake();
      await loop;
      await Promise.all(running.values());
      await renewal.stop();
      await lanes.release(holder);
    },
  };
}

/** As many lanes as there is room for, and of one subscription no more than it may have. */
function fitting(due: Parameters<LaneClaim["choose"]>[0], inFlight: Tally, room: number): string[] {
  const chosen = makeTally();
  const allowed = due.filter(({ subscriptionId }) => {
    chosen.add(subscriptionId, 1);
    return inFlight.of(subscriptionId) + chosen.of(subscriptionId) <= lanesPerSubscription;
  });
  return allowed.slice(0, room).map(({ id }) => id);
}

type Tally = ReturnType<typeof makeTally>;

/** Counts by name; a count of zero is forgotten. */
function makeTally() {
  const counts = new Map<string, number>();
  return {
    add(name: string, change: number): void {
      const count = (counts.get(name) ?? 0) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
    of: (name: string): number => counts.get(name) ?? 0,
    atLeast: (limit: number): string[] => [...counts].filter(([, count]) => count >= limit).map(([name]) => name),
  };
}

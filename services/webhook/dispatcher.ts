import { type Clock, monotonicMs, plusMs, systemClock } from "../shared/clock";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import type { Waker } from "../shared/waker";
import type { DeliverLane } from "./operations/deliver-lane";
import type { Lane, LaneStore } from "./store/lane-store";

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
  const perSubscription = new Map<string, number>();
  let heldUntilMs = 0;
  let isStopping = false;
  const warn = (error: unknown): void => logger.warn(errorFields(error), "deliveries wait for the store");
  const isHeld = (): boolean => !isStopping && monotonicMs() < heldUntilMs;

  const renew = async (): Promise<void> => {
    const askedMs = monotonicMs();
    if (running.size > 0) await lanes.renew(holder, [...running.keys()], plusMs(systemClock.now(), leaseMs));
    heldUntilMs = askedMs + leaseMs;
  };

  const work = async (lane: Lane): Promise<void> => {
    const { id, subscriptionId } = lane;
    perSubscription.set(subscriptionId, (perSubscription.get(subscriptionId) ?? 0) + 1);
    await deliverLane(lane, isHeld).catch(warn);
    running.delete(id);
    const left = (perSubscription.get(subscriptionId) ?? 1) - 1;
    if (left === 0) perSubscription.delete(subscriptionId);
    else perSubscription.set(subscriptionId, left);
    waker.wake();
  };

  const claim = async (): Promise<boolean> => {
    if (running.size >= lanesInFlight) return false;
    const realAt = systemClock.now();
    const busy = [...perSubscription].filter(([, count]) => count >= lanesPerSubscription).map(([id]) => id);
    const leaseUntil = plusMs(realAt, leaseMs);
    const lane = await lanes.claim({ holder, at: clock.now(), realAt, leaseUntil, except: busy });
    if (lane === undefined) return false;
    if (!running.has(lane.id)) running.set(lane.id, work(lane));
    return true;
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      const isClaimed = await claim().catch((error: unknown) => {
        warn(error);
        return false;
      });
      if (!isClaimed && !isStopping) await waker.wait(pollMs);
    }
  };

  const renewal = repeat(renewMs, renew, warn);
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

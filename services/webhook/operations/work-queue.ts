import { makeLanePass } from "../domain/lane-pass";
import type { DeliveryStore } from "../store/delivery-store";
import type { Queue, QueueStore } from "../store/queue-store";
import { earlier, type LanesInWork, type LanesInWorkDeps, makeLanesInWork, pageSize, type Seen } from "./lanes-in-work";

export interface WorkQueueDeps extends LanesInWorkDeps {
  deliveries: Pick<DeliveryStore, "undelivered" | "movable" | "nextPassed" | "abandon">;
  queues: Pick<QueueStore, "reread" | "close" | "postpone">;
}

/** Works on a queue until it is empty or has to wait. `isHeld` is called before each attempt. */
export type WorkQueue = (queue: Queue, isHeld: () => boolean) => Promise<void>;

/**
 * Sends what a queue holds: lanes in parallel, and the deliveries of each lane in sequence. A slow lane does not delay
 * the others. A result is stored after its attempt, so a crash in between repeats that attempt.
 */
export function makeWorkQueue(deps: WorkQueueDeps): WorkQueue {
  const { deliveries, queues, clock } = deps;
  /** Releases the queue. Returns false when deliveries were added meanwhile. */
  const release = (queue: Queue, until: Date | undefined): Promise<boolean> =>
    until === undefined ? queues.close(queue) : queues.postpone(queue, until);

  /** Works until the subscription is given up, or the queue is left or lost. */
  const work = async (queue: Queue, lanes: LanesInWork): Promise<void> => {
    for (let held: Queue | undefined = queue; held !== undefined; held = await queues.reread(held)) {
      const movesBefore = lanes.moves();
      const { until, hasBegun, leftOutAt } = await goOver(deps, held.id, lanes);
      if (lanes.isLost() || lanes.isGivenUp()) return;
      const isQuiet = lanes.moves() === movesBefore && lanes.busy() === 0;
      if (isQuiet) {
        const next = leftOutAt && (await deliveries.nextPassed(held.id, leftOutAt));
        if (await release(held, earlier(until, next))) return;
      }
      if (!isQuiet && !hasBegun) await lanes.someEnd();
    }
  };

  return async (queue, isHeld) => {
    let held: Queue | undefined = queue;
    while (held !== undefined) {
      const lanes = makeLanesInWork(deps, isHeld);
      try {
        await work(held, lanes);
      } finally {
        await lanes.allEnd();
      }
      if (!lanes.isGivenUp()) return;
      await deliveries.abandon(held.id, clock.now(), lanes.isGone() ? "all" : "all but tests");
      held = await queues.reread(held);
    }
  };
}

/** The result of scanning a queue. */
interface Survey extends Seen {
  /** The time of the scan, when it left out deliveries that were not due. */
  leftOutAt: Date | undefined;
}

/** Scans a queue: all of it, or page by page only what can move when it is longer than a page. */
async function goOver({ deliveries, clock }: WorkQueueDeps, id: string, lanes: LanesInWork): Promise<Survey> {
  const pass = makeLanePass();
  const first = await lanes.read(() => deliveries.undelivered(id, pageSize));
  if (first.deliveries.length < pageSize) return { ...(await lanes.workOn(first, pass)), leftOutAt: undefined };
  const at = clock.now();
  let seen: Seen = { until: undefined, hasBegun: false };
  for (let behind = -1; ; ) {
    const page = await lanes.read(() => deliveries.movable(id, behind, at, pageSize));
    const { until, hasBegun } = await lanes.workOn(page, pass);
    seen = { until: earlier(seen.until, until), hasBegun: seen.hasBegun || hasBegun };
    if (page.deliveries.length < pageSize || lanes.isFull()) return { ...seen, leftOutAt: at };
    behind = page.deliveries.at(-1)?.position ?? behind;
  }
}

import { makeLanePass } from "../domain/lane-pass";
import type { DeliveryStore } from "../store/delivery-store";
import type { Queue, QueueStore } from "../store/queue-store";
import { earlier, type LanesInWork, type LanesInWorkDeps, makeLanesInWork, pageSize, type Seen } from "./lanes-in-work";

export interface WorkQueueDeps extends LanesInWorkDeps {
  deliveries: Pick<DeliveryStore, "undelivered" | "movable" | "nextPassed" | "abandon">;
  queues: Pick<QueueStore, "reread" | "close" | "postpone">;
}

/** Works on a queue until it is empty or has to wait. `isHeld` is asked before each attempt. */
export type WorkQueue = (queue: Queue, isHeld: () => boolean) => Promise<void>;

/**
 * Sends what a queue holds: lanes side by side, and in each lane one delivery after the other. A lane whose attempt takes
 * long keeps no other waiting. An attempt is remembered after it was made, so a crash in between repeats that one.
 */
export function makeWorkQueue(deps: WorkQueueDeps): WorkQueue {
  const { deliveries, queues, clock } = deps;
  /** True when it is given back: nothing is left to do now, and nothing was added meanwhile. */
  const giveBack = (queue: Queue, until: Date | undefined): Promise<boolean> =>
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
        if (await giveBack(held, earlier(until, next))) return;
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

/** What going over a queue has shown. */
interface Survey extends Seen {
  /** What could be passed and was not due at this time was left out. */
  leftOutAt: Date | undefined;
}

/** All of a queue, or of one that is longer than a page, page by page what can move. */
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

import type { Clock } from "../../shared/clock";
import { consignmentsOf } from "../domain/consignment";
import { type Delivery, isBatchLane } from "../domain/delivery";
import { nextInLane } from "../domain/lane";
import type { DeliveryStore } from "../store/delivery-store";
import type { Lane, LaneStore } from "../store/lane-store";
import type { MakeAttempt } from "./make-attempt";

export interface DeliverLaneDeps {
  deliveries: Pick<DeliveryStore, "undelivered" | "movable" | "nextPassed" | "abandonLane">;
  lanes: Pick<LaneStore, "reread" | "close" | "postpone">;
  makeAttempt: MakeAttempt;
  clock: Clock;
}

/** Works on a lane until it is empty or has to wait. `isHeld` is asked before each attempt. */
export type DeliverLane = (lane: Lane, isHeld: () => boolean) => Promise<void>;

/** Most deliveries that are looked at together. */
const pageSize = 200;

/** How work on one page of a lane ended: until when it has to wait, if at all; or otherwise. */
type PageEnd = { kind: "done"; until: Date | undefined } | { kind: "lost" } | { kind: "next page" };

/**
 * Sends what a lane holds, one after the other. An attempt is remembered after it was made, so a crash in between repeats
 * that one and no other.
 */
export function makeDeliverLane({ deliveries, lanes, makeAttempt, clock }: DeliverLaneDeps): DeliverLane {
  /** All of a lane, or of a long one the first that can move, and when those that it leaves out are due. */
  const read = async (
    laneId: string,
  ): Promise<{ page: Delivery[]; isWhole: boolean; nextPassed?: Date | undefined }> => {
    const page = await deliveries.undelivered(laneId, pageSize);
    if (page.length < pageSize) return { page, isWhole: true };
    const at = clock.now();
    const [movable, nextPassed] = [
      await deliveries.movable(laneId, at, pageSize),
      await deliveries.nextPassed(laneId, at),
    ];
    return { page: movable, isWhole: movable.length < pageSize, nextPassed };
  };

  const workOnPage = async (laneId: string, isHeld: () => boolean): Promise<PageEnd> => {
    const { page, isWhole, nextPassed } = await read(laneId);
    let waiting = consignmentsOf(page, isBatchLane(laneId));
    for (;;) {
      const move = nextInLane(waiting, clock.now());
      if (move.kind === "empty" && !isWhole) return { kind: "next page" };
      if (move.kind !== "send")
        return { kind: "done", until: earlier(move.kind === "wait" ? move.until : undefined, nextPassed) };
      if (!isHeld()) return { kind: "lost" };
      const left = await makeAttempt(move.delivery);
      if (left.kind === "paused") return { kind: "done", until: left.until };
      if (left.kind === "all given up") {
        await deliveries.abandonLane(laneId, clock.now());
        return { kind: "next page" };
      }
      waiting = waiting.flatMap((other) => (other === move.delivery ? left.waiting : other));
    }
  };

  return async (lane, isHeld) => {
    // A lane that got more deliveries meanwhile can neither be closed nor postponed, and is read again.
    let held: Lane | undefined = lane;
    while (held !== undefined) {
      const end = await workOnPage(held.id, isHeld);
      if (end.kind === "lost") return;
      if (end.kind === "next page") continue;
      const isLeft = await (end.until === undefined ? lanes.close(held) : lanes.postpone(held, end.until));
      if (isLeft) return;
      held = await lanes.reread(held);
    }
  };
}

const earlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

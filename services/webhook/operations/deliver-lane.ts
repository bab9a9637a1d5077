import type { Clock } from "../../shared/clock";
import { consignmentsOf } from "../domain/consignment";
import { isBatchLane } from "../domain/delivery";
import { nextInLane } from "../domain/lane";
import type { DeliveryStore } from "../store/delivery-store";
import type { Lane, LaneStore } from "../store/lane-store";
import type { MakeAttempt } from "./make-attempt";

export interface DeliverLaneDeps {
  deliveries: Pick<DeliveryStore, "undelivered" | "nextPassed" | "abandonLane">;
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
  const workOnPage = async (laneId: string, isHeld: () => boolean): Promise<PageEnd> => {
    const page = await deliveries.undelivered(laneId, clock.now(), pageSize);
    let waiting = consignmentsOf(page, isBatchLane(laneId));
    for (;;) {
      const move = nextInLane(waiting, clock.now());
      if (move.kind === "wait") return { kind: "done", until: move.until };
      if (move.kind === "empty")
        return page.length < pageSize ? { kind: "done", until: undefined } : { kind: "next page" };
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

  /** False when there is more to do in the lane. */
  const leave = async (held: Lane, until: Date | undefined): Promise<boolean> => {
    const passed = await deliveries.nextPassed(held.id, clock.now());
    const times = [until, passed].filter((time) => time !== undefined);
    const [earliest] = times.toSorted((a, b) => a.getTime() - b.getTime());
    return earliest === undefined ? lanes.close(held) : lanes.postpone(held, earliest);
  };

  return async (lane, isHeld) => {
    // A lane that got more deliveries meanwhile can neither be closed nor postponed, and is read again.
    let held: Lane | undefined = lane;
    while (held !== undefined) {
      const end = await workOnPage(held.id, isHeld);
      if (end.kind === "lost") return;
      if (end.kind === "next page") continue;
      if (await leave(held, end.until)) return;
      held = await lanes.reread(held);
    }
  };
}

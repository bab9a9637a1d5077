/**
 * One pass through a queue from its head, page by page. It admits only the head of a lane: a lane that was skipped once
 * has earlier deliveries, so it is closed until the next pass.
 */
export interface LanePass {
  /** True when deliveries of the lane may be started. `isBusy`: others of the lane are under way, or were just now. */
  admits(laneId: string, isBusy: boolean): boolean;
  /** Closes a lane because a delivery of it waits that later ones must not overtake. */
  close(laneId: string): void;
}

export function makeLanePass(): LanePass {
  const closed = new Set<string>();
  return {
    admits(laneId, isBusy) {
      if (isBusy) closed.add(laneId);
      return !closed.has(laneId);
    },
    close: (laneId) => void closed.add(laneId),
  };
}

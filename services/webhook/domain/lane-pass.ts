/**
 * One walk through a queue from its head, page by page. What it admits is the head of its lane: a lane that had to be left
 * out once has something before the rest, so it is closed until the next walk.
 */
export interface LanePass {
  /** True when deliveries of the lane may be begun with. `isBusy`: others of the lane may be under way, or were just now. */
  admits(laneId: string, isBusy: boolean): boolean;
  /** Something of the lane waits that later deliveries must not pass. */
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

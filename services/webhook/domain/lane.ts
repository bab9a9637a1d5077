/** A waiting delivery of a lane. Deliveries leave the lane in the order of their positions. */
export interface Waiting {
  /** Failed attempts since it was last put into the lane. */
  failures: number;
  /** Not before this time. */
  nextAttemptAt: Date;
}

/** Failed attempts of one delivery after which later ones no longer wait for it. */
export const attemptsBeforePassing = 4;

export type LaneMove<D> = { kind: "send"; delivery: D } | { kind: "wait"; until: Date } | { kind: "empty" };

/** Decides the next step of a lane. `waiting` is everything undelivered, by ascending position. */
export function nextInLane<D extends Waiting>(waiting: readonly D[], at: Date): LaneMove<D> {
  let until: Date | undefined;
  for (const delivery of waiting) {
    if (delivery.nextAttemptAt <= at) return { kind: "send", delivery };
    if (until === undefined || delivery.nextAttemptAt < until) until = delivery.nextAttemptAt;
    if (delivery.failures < attemptsBeforePassing) break;
  }
  return until === undefined ? { kind: "empty" } : { kind: "wait", until };
}

/** How long a queue stays with a process that died, milliseconds. */
export const leaseMs = 5_000;

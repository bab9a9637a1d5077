/** What deliveries of one lane wait in; they leave it in the order of their positions. */
export interface Waiting {
  /** Failed attempts since it was last put into the lane. */
  failures: number;
  /** Not before this time. */
  nextAttemptAt: Date;
}

/** After this many failed attempts of one delivery the later ones no longer wait for it. */
export const attemptsBeforePassing = 4;

export type LaneMove<D> = { kind: "send"; delivery: D } | { kind: "wait"; until: Date } | { kind: "empty" };

/** What to do next in a lane. `waiting` is everything undelivered, by ascending position. */
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

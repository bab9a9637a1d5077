/** What deliveries of one subscription about one transaction wait in; they leave it in the order of their sequence. */
export interface Waiting {
  sequence: number;
  /** Failed attempts so far. */
  attempts: number;
  /** Not before this time. */
  nextAttemptAt: Date;
}

/** After this many failed attempts of one delivery the later ones no longer wait for it. */
const attemptsBeforePassing = 4;

export type LaneMove<D> = { kind: "send"; delivery: D } | { kind: "wait"; until: Date } | { kind: "empty" };

/** What to do next in a lane. `waiting` is everything undelivered, by ascending sequence. */
export function nextInLane<D extends Waiting>(waiting: readonly D[], at: Date): LaneMove<D> {
  let until: Date | undefined;
  for (const delivery of waiting) {
    if (delivery.nextAttemptAt <= at) return { kind: "send", delivery };
    if (until === undefined || delivery.nextAttemptAt < until) until = delivery.nextAttemptAt;
    if (delivery.attempts < attemptsBeforePassing) break;
  }
  return until === undefined ? { kind: "empty" } : { kind: "wait", until };
}

import { maxBatchSize } from "./batch";
import type { Delivery } from "./delivery";
import type { Waiting } from "./lane";

/** One HTTP request: a delivery, or several in a batch. */
export interface Dispatch extends Waiting {
  /** The first of the deliveries. */
  first: Delivery;
  /** By ascending position. These may be a part of an existing batch. */
  deliveries: readonly Delivery[];
}

/**
 * Groups the deliveries of one lane, by ascending position, into requests: the deliveries of each existing batch, and, for
 * a subscription that wants batches, up to 50 unbatched deliveries without a batched one between them.
 */
export function dispatchesOf(deliveries: readonly Delivery[], isBatch: boolean): Dispatch[] {
  if (!isBatch) return deliveries.map((delivery) => dispatchOf([delivery]));
  const groups: Delivery[][] = [];
  const open = new Map<string | undefined, Delivery[]>();
  for (const delivery of deliveries) {
    // An unbatched delivery must not overtake an earlier batch.
    if (delivery.batchId !== undefined) open.delete(undefined);
    const group = open.get(delivery.batchId);
    if (group !== undefined && group.length < maxBatchSize) group.push(delivery);
    else {
      const begun = [delivery];
      open.set(delivery.batchId, begun);
      groups.push(begun);
    }
  }
  return groups.map(dispatchOf);
}

/** Builds a request from at least one delivery, by ascending position. */
export function dispatchOf(deliveries: readonly Delivery[]): Dispatch {
  const [first] = deliveries;
  if (first === undefined) throw new Error("a dispatch has at least one delivery");
  return { first, deliveries, failures: first.failures, nextAttemptAt: first.nextAttemptAt };
}

import { maxBatchSize } from "./batch";
import type { Delivery } from "./delivery";
import type { Waiting } from "./lane";

/** What one attempt sends: a delivery, or several in a batch. */
export interface Consignment extends Waiting {
  /** The first of the deliveries. */
  first: Delivery;
  /** By ascending position. Of a batch that was made already, these may be a part. */
  deliveries: readonly Delivery[];
}

/**
 * Groups the deliveries of one lane, by ascending position, into what is sent together: those of a batch, and for a
 * subscription that wants batches also those that are in none yet and have none that is in one between them, up to 50.
 */
export function consignmentsOf(deliveries: readonly Delivery[], isBatch: boolean): Consignment[] {
  if (!isBatch) return deliveries.map((delivery) => consignmentOf([delivery]));
  const groups: Delivery[][] = [];
  const open = new Map<string | undefined, Delivery[]>();
  for (const delivery of deliveries) {
    // What is in no batch must not pass a batch that is before it.
    if (delivery.batchId !== undefined) open.delete(undefined);
    const group = open.get(delivery.batchId);
    if (group !== undefined && group.length < maxBatchSize) group.push(delivery);
    else {
      const begun = [delivery];
      open.set(delivery.batchId, begun);
      groups.push(begun);
    }
  }
  return groups.map(consignmentOf);
}

/** What one attempt sends. At least one delivery, by ascending position. */
export function consignmentOf(deliveries: readonly Delivery[]): Consignment {
  const [first] = deliveries;
  if (first === undefined) throw new Error("a consignment has at least one delivery");
  return { first, deliveries, failures: first.failures, nextAttemptAt: first.nextAttemptAt };
}

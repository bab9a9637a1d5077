import type { Left } from "./make-attempt";

/**
 * First attempts that had not ended when their deliveries were stored, by delivery: the worker of the queue waits for
 * them instead of making another.
 */
export interface FirstAttempts {
  add(deliveryId: string, left: Promise<Left>): void;
  of(deliveryId: string): Promise<Left> | undefined;
}

/** A worker may have read a delivery just before what came of it was remembered. */
const lingerMs = 1_000;

export function makeFirstAttempts(): FirstAttempts {
  const underWay = new Map<string, Promise<Left>>();
  return {
    add(id, left) {
      underWay.set(id, left);
      const forget = (): void => void setTimeout(() => underWay.delete(id), lingerMs).unref();
      left.then(forget, forget);
    },
    of: (id) => underWay.get(id),
  };
}

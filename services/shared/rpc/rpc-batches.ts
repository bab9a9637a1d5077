/** Collects items for the next messages of a stream. */
export interface Batches<T> {
  /** Adds an item to the message that is sent at the end of this turn of the event loop. */
  add(item: T): void;
  /** Resumes once the stream has room again. */
  resume(): void;
}

/** Size at which a message is closed, bytes, to stay within the limits of gRPC. */
const closedAtBytes = 256 * 1024;

/**
 * Packs all items of one turn of the event loop into one message, or several when they are large. `write` sends a message
 * and returns false when the stream has no room for another; then items wait for `resume`.
 */
export function makeBatches<T>(sizeOf: (item: T) => number, write: (batch: T[]) => boolean): Batches<T> {
  let waiting: T[] = [];
  let isScheduled = false;
  let isBlocked = false;

  const flush = (): void => {
    isScheduled = false;
    while (waiting.length > 0 && !isBlocked) isBlocked = !write(takeMessage());
  };
  const takeMessage = (): T[] => {
    let bytes = 0;
    const tooMuch = waiting.findIndex((item) => {
      bytes += sizeOf(item);
      return bytes > closedAtBytes;
    });
    const batch = tooMuch === -1 ? waiting : waiting.slice(0, Math.max(tooMuch, 1));
    waiting = tooMuch === -1 ? [] : waiting.slice(batch.length);
    return batch;
  };
  const schedule = (): void => {
    if (isScheduled || isBlocked) return;
    isScheduled = true;
    setImmediate(flush);
  };

  return {
    add(item) {
      waiting.push(item);
      schedule();
    },
    resume() {
      isBlocked = false;
      schedule();
    },
  };
}

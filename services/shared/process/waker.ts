/** Wakes a polling loop at once when there is something to do. */
export interface Waker {
  wake(): void;
  /** Resolves after `ms` milliseconds, or at once when woken since the last wait. */
  wait(ms: number): Promise<void>;
}

/** Makes a waker for one waiting loop. A wake while the loop works is kept for its next wait. */
export function makeWaker(): Waker {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      end?.();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        end = undefined;
      }
      isWoken = false;
    },
  };
}

/** Handles several items in one go. The answer has a place for each: undefined, or why that item failed. */
export type HandleAll<T> = (items: readonly T[]) => Promise<readonly (Error | undefined)[]>;

/**
 * Handles items one group at a time: whatever comes while a group is being handled makes the next. A lone item is
 * handled at once. When a whole group fails, its items are handled one by one, so that one that can never be handled
 * fails alone.
 */
export function groupCommit<T>(handleAll: HandleAll<T>, maxSize: number): (item: T) => Promise<void> {
  interface Waiting {
    item: T;
    settle(error: Error | undefined): void;
  }
  let queue: Waiting[] = [];
  let isRunning = false;

  const handle = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const errors = await handleAll(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries()) settle(errors[index]);
    } catch (error) {
      if (group.length > 1) for (const one of group) await handle([one]);
      else group[0]?.settle(error instanceof Error ? error : new Error(String(error)));
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      const group = queue.slice(0, maxSize);
      queue = queue.slice(maxSize);
      await handle(group);
    }
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, settle: (error) => (error === undefined ? resolve() : reject(error)) });
      if (!isRunning) void run();
    });
}

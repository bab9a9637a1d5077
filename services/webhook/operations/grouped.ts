/** What came of one item, or why it alone failed. */
export type ItemResult<R> = { value: R } | { error: Error };

/** Handles several items in one go. The answer has a place for each. */
export type HandleAll<T, R> = (items: readonly T[]) => Promise<readonly ItemResult<R>[]>;

/**
 * Handles items one group at a time: whatever comes while a group is being handled makes the next. A lone item is
 * handled at once. When a whole group fails, its items are handled one by one, so that one that can never be handled
 * fails alone.
 */
export function grouped<T, R>(handleAll: HandleAll<T, R>, maxSize: number): (item: T) => Promise<R> {
  interface Waiting {
    item: T;
    settle(result: ItemResult<R>): void;
  }
  let queue: Waiting[] = [];
  let isRunning = false;
  const missing = { error: new Error("the group has no answer for its item") };

  const handle = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const results = await handleAll(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries()) settle(results[index] ?? missing);
    } catch (error) {
      if (group.length > 1) for (const one of group) await handle([one]);
      else group[0]?.settle({ error: error instanceof Error ? error : new Error(String(error)) });
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
      queue.push({ item, settle: (result) => ("error" in result ? reject(result.error) : resolve(result.value)) });
      if (!isRunning) void run();
    });
}

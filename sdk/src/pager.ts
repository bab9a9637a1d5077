/** A list that is read page by page during iteration: `for await (const payment of corridor.payments.list())`. */
export interface Pager<Item> extends AsyncIterable<Item> {
  /** The same, a page at a time. */
  pages(): AsyncIterable<readonly Item[]>;
  /** Returns the first items, at most the given number. */
  first(most: number): Promise<Item[]>;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null | undefined;
}

/** Iterates over a list, continuing after the end of the last page. */
export function makePager<Item>(read: (after: string | undefined) => Promise<Page<Item>>): Pager<Item> {
  async function* pages(): AsyncGenerator<readonly Item[]> {
    for (let after: string | undefined; ; ) {
      const { items, next } = await read(after);
      yield items;
      if (next === null || next === undefined) return;
      after = next;
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page;
  }
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async first(most) {
      const found: Item[] = [];
      if (most <= 0) return found;
      for await (const item of items()) {
        found.push(item);
        if (found.length >= most) break;
      }
      return found;
    },
  };
}

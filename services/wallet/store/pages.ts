import type { mongo } from "mongoose";

const pageSize = 1_000;

/** Yields every document of a collection by id, a page at a time, so that no cursor of the store spans a whole collection. */
export async function* inPages<R extends { _id: string }>(
  page: (after: string, limit: number) => mongo.FindCursor<mongo.WithId<R>>,
): AsyncIterable<mongo.WithId<R>> {
  let after = "";
  for (;;) {
    const records = await page(after, pageSize).toArray();
    yield* records;
    const last = records.at(-1);
    if (last === undefined || records.length < pageSize) return;
    after = last._id;
  }
}

import type { Collection } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";

/** A record that is to be looked at at a time. */
interface Timed {
  _id: string;
  dueAt?: Date;
}

/** Is told when a record that was written will be due. */
export type NoteDue = (at: Date) => void;

/** The records of a collection that have a time. It has an index on it. */
export function dueRecords<R extends Timed>(collection: Pick<Collection<R>, "find" | "updateOne">) {
  const records = collection as unknown as Collection<Timed>;
  return {
    async upcoming(limit: number): Promise<{ id: string; dueAt: Date }[]> {
      const timed = records.find({ dueAt: { $gt: beginningOfTime } }, { projection: { dueAt: 1 } });
      const found = await timed.sort({ dueAt: 1 }).limit(limit).toArray();
      return found.flatMap(({ _id: id, dueAt }) => (dueAt === undefined ? [] : { id, dueAt }));
    },
    async take({ id, dueAt }: { id: string; dueAt: Date }, until: Date): Promise<boolean> {
      const { matchedCount } = await records.updateOne({ _id: id, dueAt }, { $set: { dueAt: until } });
      return matchedCount === 1;
    },
  };
}

import type { Model } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";

/** A record that is due for processing at a time. */
interface Timed {
  _id: string;
  dueAt?: Date;
}

/** Called with the time at which a written record is due. */
export type NoteDue = (at: Date) => void;

/** The records of a model that have a due time. Its collection has an index on it. */
export function dueRecords(model: object) {
  const records = model as Model<Timed>;
  return {
    async upcoming(limit: number): Promise<{ id: string; dueAt: Date }[]> {
      const timed = records.find({ dueAt: { $gt: beginningOfTime } }, { dueAt: 1 });
      const found = await timed.sort({ dueAt: 1 }).limit(limit).lean<Timed[]>();
      return found.flatMap(({ _id: id, dueAt }) => (dueAt === undefined ? [] : { id, dueAt }));
    },
    async take({ id, dueAt }: { id: string; dueAt: Date }, until: Date): Promise<boolean> {
      const { matchedCount } = await records.updateOne({ _id: id, dueAt }, { $set: { dueAt: until } });
      return matchedCount === 1;
    },
  };
}

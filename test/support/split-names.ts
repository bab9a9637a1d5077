import type { Migration } from "../../services/shared/storage/storage-format";

/** A person as one release stores it, and as the next one does. `changes` counts how often a migration has touched it. */
export interface PersonRecord {
  _id: string;
  name?: string;
  first?: string;
  last?: string;
  changes?: number;
}

const batch = 10;

/** The migration of the tests: a name becomes two. `between` is called in the middle of each step with the position at which it began. */
export const splitNames = (between: (after: string) => Promise<void> = async () => {}): Migration => ({
  name: "names become two",
  async changeSome(connection, after) {
    const people = connection.collection<PersonRecord>("people");
    const found = await people
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(batch)
      .toArray();
    for (const [at, { _id, name }] of found.entries()) {
      if (at === batch / 2) await between(after);
      if (name === undefined) continue;
      const [first = "", last = ""] = name.split(" ");
      await people.updateOne({ _id, name }, { $set: { first, last }, $unset: { name: "" }, $inc: { changes: 1 } });
    }
    return found.at(-1)?._id;
  },
});

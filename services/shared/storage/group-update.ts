import type { mongo } from "mongoose";
import { DomainError } from "../kernel/errors";
import { type Ids, systemIds } from "../kernel/ids";
import { batchCalls, type ItemResult } from "../process/batch-calls";
import { asError, refusedBy, slowMs, uncertain, wasNotSent } from "./group-errors";

/** A document whose `version` counts its changes. `savedBy` names the last change that was written together with others. */
export interface Versioned {
  _id: string;
  version: number;
  savedBy?: string;
}

/** A change of the document that has this version. Its `$set` contains the next version, which is one higher. */
export interface VersionedChange {
  id: string;
  version: number;
  update: { $set: object };
}

const most = 64;

/**
 * Changes a document if it still has its version; returns false when it has another one. Changes that arrive while others are being
 * written share one command. A change that the store refuses fails alone, with the store's own error. When it is uncertain what was
 * written, the whole group fails, and nothing is sent again.
 */
export function makeGroupUpdate<T extends Versioned>(
  collection: mongo.Collection<T>,
  ids: Pick<Ids, "uuid"> = systemIds,
): (change: VersionedChange) => Promise<boolean> {
  const alone = async (change: VersionedChange): Promise<ItemResult<boolean>> => {
    try {
      const { matchedCount } = await collection.updateOne(filterOf<T>(change), change.update as mongo.UpdateFilter<T>);
      return { value: matchedCount === 1 };
    } catch (error) {
      return { error: asError(error) };
    }
  };

  /** Returns the positions of the changes that the store refused; undefined when all were carried out or found no document. */
  const write = async (changes: readonly NamedChange[]): Promise<{ matched: number; refused: ReadonlySet<number> }> => {
    const operations = changes.map((change) => ({
      updateOne: { filter: filterOf<T>(change), update: namedUpdate<T>(change) },
    }));
    try {
      const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
      return { matched: matchedCount, refused: new Set() };
    } catch (error) {
      const refused = refusedBy(error);
      if (refused === undefined) throw error;
      return { matched: refused.matched, refused: refused.places };
    }
  };

  /** Finds out which change each document contains. */
  const readBack = async (changes: readonly NamedChange[]): Promise<ItemResult<boolean>[]> => {
    const filter = { _id: { $in: changes.map(({ id }) => id) } } as mongo.Filter<T>;
    const found: readonly Versioned[] = await collection
      .find<Versioned>(filter, { projection: { version: 1, savedBy: 1 } })
      .toArray();
    const byId = new Map(found.map((one) => [one._id, one]));
    return changes.map((change) => verdictOn(change, byId.get(change.id)));
  };

  const updateAll = async (changes: readonly VersionedChange[]): Promise<ItemResult<boolean>[]> => {
    const [only] = changes;
    if (only !== undefined && changes.length === 1) return [await alone(only)];
    const named = changes.map((change) => ({ ...change, name: ids.uuid() }));
    try {
      const { matched, refused } = await write(named);
      const isWhole = matched === named.length - refused.size;
      const results = isWhole ? named.map(() => ({ value: true })) : await readBack(named);
      return await Promise.all(
        named.map(async (change, index) =>
          refused.has(index) ? alone(change) : (results[index] ?? uncertain(undefined)),
        ),
      );
    } catch (error) {
      if (wasNotSent(error)) throw error;
      return named.map(() => uncertain(error));
    }
  };
  return batchCalls(updateAll, { most, slowMs });
}

type NamedChange = VersionedChange & { name: string };

const filterOf = <T extends Versioned>({ id, version }: VersionedChange) =>
  ({ _id: id, version }) as unknown as mongo.Filter<T>;

const namedUpdate = <T extends Versioned>({ update, name }: NamedChange) =>
  ({ ...update, $set: { ...update.$set, savedBy: name } }) as unknown as mongo.UpdateFilter<T>;

/**
 * Returns the verdict on a change. A document that others have changed since does not show whether this change was among the earlier
 * ones.
 */
function verdictOn({ version, name }: NamedChange, found: Versioned | undefined): ItemResult<boolean> {
  if (found === undefined || found.version <= version) return { value: false };
  if (found.version === version + 1) return { value: found.savedBy === name };
  return { error: new DomainError("UNAVAILABLE", "it is uncertain whether a change was stored") };
}

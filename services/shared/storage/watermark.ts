import type { Connection } from "mongoose";

/** How often a running service records the time in its database, milliseconds. */
export const watermarkEveryMs = 30_000;

/** When a replica that knows a storage format was last seen, by the store's own clock. */
interface ReaderRecord {
  /** The number of the format. */
  _id: string;
  at: Date;
}

export const formatReaders = (connection: Connection) => connection.collection<ReaderRecord>("format_readers");

/**
 * Returns when the database's service was last seen running, by the store's own clock; undefined when it never was. Databases that were
 * restored together show the same time, give or take a short span; a database that was restored from elsewhere is detected.
 */
export async function readWatermark(connection: Connection): Promise<Date | undefined> {
  const seen = await formatReaders(connection)
    .find({ _id: { $gt: "" } })
    .toArray();
  return seen.map(({ at }) => at).reduce<Date | undefined>(laterOf, undefined);
}

const laterOf = (one: Date | undefined, other: Date): Date => (one !== undefined && one > other ? one : other);

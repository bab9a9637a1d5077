import type { Connection } from "mongoose";
import type { Restore } from "../domain/restore";

interface RestoreRecord extends RestoreNote {
  /** The minute. */
  _id: number;
  at: Date;
}

/** What a person took over with a restore, and when. */
export interface RestoreNote {
  acceptedAt: Date;
  codes: string[];
}

const restoresOf = (connection: Connection) => connection.collection<RestoreRecord>("restores");

const recordsOf = (connection: Connection): Promise<RestoreRecord[]> =>
  restoresOf(connection)
    .find({ _id: { $gt: 0 } })
    .sort({ _id: 1 })
    .toArray();

/** The oldest first. They are written by who accepts a restored platform, while no service runs. */
export const readRestores = async (connection: Connection): Promise<Restore[]> =>
  (await recordsOf(connection)).map(({ _id, at }) => ({ minute: _id, at }));

/** The same, as they were accepted. */
export const readRestoreNotes = (connection: Connection): Promise<RestoreNote[]> => recordsOf(connection);

/** Remembers a restore, and where each feed stood that was brought back. Repeating it changes nothing. */
export async function addRestore(connection: Connection, { minute, at }: Restore, note: RestoreNote): Promise<void> {
  const feeds = connection.collection<{ _id: string; last: number; restoredLast?: number }>("feeds");
  for await (const { tenant, last } of endsOfPages(connection))
    await feeds.updateOne({ _id: tenant }, { $max: { last } }, { upsert: true });
  for await (const { _id, last } of feeds.find({ _id: { $gt: "" } }).sort({ _id: 1 })) {
    await feeds.updateOne({ _id }, { $set: { restoredLast: last } });
  }
  await restoresOf(connection).updateOne({ _id: minute }, { $set: { at, ...note } }, { upsert: true });
}

/** The newest page of each tenant that has any. */
async function* endsOfPages(connection: Connection): AsyncGenerator<{ tenant: string; last: number }> {
  const pages = connection.collection<{ tenant: string; last: number }>("feed_pages");
  const next = (behind: string) =>
    pages.findOne({ tenant: { $gt: behind }, last: { $gt: 0 } }, { sort: { tenant: 1, last: 1 } });
  for (let page = await next(""); page !== null; page = await next(page.tenant)) {
    const { tenant } = page;
    const newest = await pages.findOne({ tenant, last: { $gt: 0 } }, { sort: { tenant: -1, last: -1 } });
    yield { tenant, last: newest?.last ?? page.last };
  }
}

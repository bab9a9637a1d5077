import { type Connection, Schema } from "mongoose";
import { date, listOf, number, strictDocument } from "../../shared/storage/stored-fields";
import type { Restore } from "../domain/restore";
import { type FeedRecord, feedModel } from "./feed-record";

interface RestoreRecord extends RestoreNote {
  /** The minute. */
  _id: number;
  at: Date;
}

/** A restore that a person accepted, and when. */
export interface RestoreNote {
  acceptedAt: Date;
  codes: string[];
}

const restoreSchema = new Schema<RestoreRecord>(
  { _id: number, at: date, acceptedAt: date, codes: listOf(String) },
  strictDocument,
);

export const restoreModel = (connection: Connection) => connection.model("Restore", restoreSchema, "restores");

const recordsOf = (connection: Connection): Promise<RestoreRecord[]> =>
  restoreModel(connection)
    .find({ _id: { $gt: 0 } })
    .sort({ _id: 1 })
    .lean<RestoreRecord[]>();

/** Oldest first. The person who accepts a restored platform writes them, while no service runs. */
export const readRestores = async (connection: Connection): Promise<Restore[]> =>
  (await recordsOf(connection)).map(({ _id, at }) => ({ minute: _id, at }));

/** The same, as they were accepted. */
export const readRestoreNotes = (connection: Connection): Promise<RestoreNote[]> => recordsOf(connection);

/** Stores a restore, and the last position of each restored feed. Repeating it changes nothing. */
export async function addRestore(connection: Connection, { minute, at }: Restore, note: RestoreNote): Promise<void> {
  const feeds = feedModel(connection);
  for await (const { tenant, last } of endsOfPages(connection))
    await feeds.updateOne({ _id: tenant }, { $max: { last } }, { upsert: true });
  const known = feeds
    .find({ _id: { $gt: "" } })
    .sort({ _id: 1 })
    .lean<FeedRecord[]>();
  for await (const { _id, last } of known.cursor()) {
    await feeds.updateOne({ _id }, { $set: { restoredLast: last } });
  }
  await restoreModel(connection).updateOne({ _id: minute }, { $set: { at, ...note } }, { upsert: true });
}

/** Returns the newest page of each tenant that has any. */
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

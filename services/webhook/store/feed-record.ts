import { type Connection, Schema } from "mongoose";
import { number, strictDocument, text } from "../../shared/storage/stored-fields";

/** Last position of a feed with retired pages. */
export interface FeedRecord {
  /** The tenant. */
  _id: string;
  last: number;
  /** Position of the last event after a restore to an earlier time; absent if there was no restore. */
  restoredLast?: number;
}

const feedSchema = new Schema<FeedRecord>({ _id: text, last: number, restoredLast: Number }, strictDocument);

export const feedModel = (connection: Connection) => connection.model("Feed", feedSchema, "feeds");

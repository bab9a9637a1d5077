import { type Connection, Schema } from "mongoose";
import { number, strictDocument, text } from "../../shared/storage/stored-fields";

/** How far a feed went whose pages are retired. */
export interface FeedRecord {
  /** The tenant. */
  _id: string;
  last: number;
  /** The last event that a restore to an earlier time brought back; absent where there was none. */
  restoredLast?: number;
}

const feedSchema = new Schema<FeedRecord>({ _id: text, last: number, restoredLast: Number }, strictDocument);

export const feedModel = (connection: Connection) => connection.model("Feed", feedSchema, "feeds");

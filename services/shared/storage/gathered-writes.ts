import type { ClientSession, mongo } from "mongoose";

/** Writes of a transaction that wait for each other, to be sent with one command. */
export interface GatheredWrites {
  database: string;
  models: mongo.AnyClientBulkWriteModel<mongo.Document>[];
  /** What to throw unless each change has found or made its document. */
  missed: (() => Error)[];
}

/** A session in a transaction. */
export interface TransactionSession {
  readonly session: ClientSession;
  /** Set while writes are gathered for one command. */
  readonly gathered?: GatheredWrites;
}

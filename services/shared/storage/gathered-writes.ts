import type { ClientSession, mongo } from "mongoose";

/** Writes of a transaction that are collected and sent with one command. */
export interface GatheredWrites {
  database: string;
  models: mongo.AnyClientBulkWriteModel<mongo.Document>[];
  /** What to throw unless every change has found its document or made it. */
  missed: (() => Error)[];
}

/** A session in a transaction. */
export interface TransactionSession {
  readonly session: ClientSession;
  /** Set while writes are gathered for one command. */
  readonly gathered?: GatheredWrites;
}

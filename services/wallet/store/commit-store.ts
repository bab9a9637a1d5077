import { type Connection, mongo, Schema } from "mongoose";
import { type FreshDrafts, makeFreshMessages } from "../../shared/bus/fresh-messages";
import { retentionMs } from "../../shared/bus/jetstream";
import type { FreshMessages, OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import { plusMs, systemClock } from "../../shared/kernel/clock";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import { anyText, date, listOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { WalletEvent } from "../domain/wallet-event";

/** What one commit of the ledger passes on: its events, and the accounts that the next checkpoint seals. */
export interface Commit {
  id: string;
  at: Date;
  events: readonly WalletEvent[];
  accounts: readonly string[];
}

interface CommitRecord {
  _id: string;
  at: Date;
  /** The message as it is published; empty when there are no events. */
  payload: mongo.Binary;
  traceparent: string;
  accounts: string[];
  /** Set while the events wait for the bus. */
  relayDue?: Date;
  /** Set until a checkpoint has sealed the accounts. */
  sealDue?: Date;
  /** When the store may delete it. */
  purgeAt?: Date;
}

export interface CommitStore {
  init(): Promise<void>;
  add(tx: Tx, commit: Commit): Promise<void>;
  /** Returns the oldest commits that no checkpoint has sealed. */
  unsealed(tx: Tx, limit: number): Promise<{ id: string; accounts: string[] }[]>;
  markSealed(tx: Tx, ids: readonly string[]): Promise<void>;
}

export interface CommitMessage extends OutboxMessage {
  waitingSince: Date;
}

/** Encodes the events of one commit as the bytes that are published. */
export type EncodeEvents = (events: readonly WalletEvent[]) => Uint8Array;

const dueOnly = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });
const commitSchema = new Schema<CommitRecord>(
  {
    _id: text,
    at: date,
    // Empty when there are no events, which mongoose would take for missing.
    payload: Buffer,
    // Also empty when tracing is off.
    traceparent: anyText,
    accounts: listOf(String),
    relayDue: Date,
    sealDue: Date,
    purgeAt: Date,
  },
  strictDocument,
)
  .index({ relayDue: 1, _id: 1 }, dueOnly("relayDue"))
  .index({ sealDue: 1, _id: 1 }, dueOnly("sealDue"))
  .index({ at: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

/** Stores commits, one document each, until their events are published and 7 days have passed. */
export function makeCommitStore(connection: Connection, encode: EncodeEvents): CommitStore {
  const model = connection.model("Commit", commitSchema, "commits");
  const commits = commitCollection(connection);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add(tx, { id, at, events, accounts }) {
      const record = {
        _id: id,
        at,
        payload: new mongo.Binary(events.length === 0 ? Buffer.alloc(0) : encode(events)),
        traceparent: events[0]?.traceparent ?? "",
        accounts: [...accounts],
        sealDue: at,
        ...(events.length === 0 ? { purgeAt: forgetAt() } : { relayDue: at }),
      };
      await insertAll(tx, commits, [record]);
    },
    async unsealed({ session }, limit) {
      const found = commits.find({ sealDue: { $exists: true } }, { session, projection: { accounts: 1 } });
      const records = await found.sort({ sealDue: 1, _id: 1 }).limit(limit).toArray();
      return records.map(({ _id, accounts }) => ({ id: _id, accounts }));
    },
    async markSealed({ session }, ids) {
      await commits.updateMany({ _id: { $in: [...ids] } }, { $unset: { sealDue: "" } }, { session });
    },
  };
}

/** Returns when the store may delete a commit; it deletes by the machine's clock, whatever the business time is. */
const forgetAt = (): Date => plusMs(systemClock.now(), retentionMs);

const commitCollection = (connection: Connection) => driverDb(connection).collection<CommitRecord>("commits");

/** Commits of this process, until they are published. */
export type FreshCommits = FreshMessages<CommitMessage> & FreshDrafts<Commit>;

export const makeFreshCommits = (subject: string, encode: EncodeEvents): FreshCommits =>
  makeFreshMessages<Commit, CommitMessage>({
    merge: (_earlier, later) => later,
    toMessage: ({ id, at, events }) => ({
      id,
      subject,
      payload: encode(events),
      traceparent: events[0]?.traceparent || undefined,
      committedAt: at,
      waitingSince: at,
    }),
  });

/** The events of all commits as an outbox; one message per commit. */
export function makeWalletOutbox(
  connection: Connection,
  subject: string,
  fresh?: FreshCommits,
): OutboxSource<CommitMessage> {
  const commits = commitCollection(connection);
  const toMessage = ({ _id, at, payload, traceparent, relayDue = at }: CommitRecord): CommitMessage => ({
    id: _id,
    subject,
    payload: Buffer.from(payload.buffer),
    traceparent: traceparent || undefined,
    committedAt: at,
    waitingSince: relayDue,
  });
  return {
    ...(fresh === undefined ? {} : { fresh }),
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $exists: true } } : behind(after);
      const found = await commits.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit).toArray();
      return found.map(toMessage);
    },
    async markPublished(messages) {
      const ids = messages.map(({ id }) => id);
      const done = { $unset: { relayDue: "" as const }, $set: { purgeAt: forgetAt() } };
      await commits.updateMany({ _id: { $in: ids } }, done);
    },
    async *since(from) {
      const published = { at: { $gte: from } };
      for await (const record of commits.find(published, { projection }).sort({ at: 1, _id: 1 })) {
        if (record.payload.length() > 0) yield toMessage(record);
      }
    },
  };
}

const projection = { at: 1, payload: 1, traceparent: 1, relayDue: 1 } as const;

const behind = ({ waitingSince, id }: CommitMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: id } }],
});

import type { Connection } from "mongoose";
import { plusMs, systemClock } from "../kernel/clock";
import { isDuplicateKey } from "./mongo";

/** A request to publish again everything that was published from a time on. */
export interface ReplayWish {
  id: string;
  /** Real time of publication. */
  since: Date;
  /** Subject on which the end is announced; undefined when the requester does not wait for it. */
  subject: string | undefined;
}

export interface Replay extends ReplayWish {
  published: number;
  isDone: boolean;
}

/** What a service was asked to publish again, and from where on its record must be searched for it. */
export interface Replays {
  init(): Promise<void>;
  /** Stores a request, and returns its progress. Repeating it changes nothing, and the first `since` of an id stays. */
  ask(wish: ReplayWish): Promise<Replay>;
  /** Restarts a replay that was done long ago, for a requester that still waits for its end. */
  askAgain(id: string): Promise<void>;
  /** Returns the oldest replay that is not done. */
  next(): Promise<Replay | undefined>;
  advance(id: string, published: number): Promise<void>;
  done(id: string): Promise<void>;
  /** Records, once a day, that everything committed before `committedFrom` is published by this time. */
  note(stream: string, committedFrom: Date): Promise<void>;
  /**
   * Returns a time such that everything published after `publishedFrom` was committed at that time or later; undefined when no such time
   * is known.
   */
  committedFrom(stream: string, publishedFrom: Date): Promise<Date | undefined>;
}

interface ReplayRecord {
  _id: string;
  since: Date;
  subject: string | null;
  askedAt: Date;
  published: number | bigint;
  doneAt: Date | null;
}

interface NoteRecord {
  /** <stream>/<date> */
  _id: string;
  at: Date;
  committedFrom: Date;
}

/** A requester that asks this long after the end has missed its announcement, milliseconds. */
const heardMs = 10 * 60_000;

const toReplay = ({ _id, since, subject, published, doneAt }: ReplayRecord): Replay => ({
  id: _id,
  since,
  subject: subject ?? undefined,
  published: Number.parseInt(String(published), 10),
  isDone: doneAt !== null,
});

const noteIdOf = (stream: string, at: Date): string => `${stream}/${at.toISOString().slice(0, 10)}`;

/** Stores replays in collection `replays`, and where they begin in `relay_notes`, one note a day. */
export function makeReplays(connection: Connection): Replays {
  const replays = connection.collection<ReplayRecord>("replays");
  const notes = connection.collection<NoteRecord>("relay_notes");
  return {
    async init() {
      await replays.createIndex({ doneAt: 1, askedAt: 1 });
    },
    async ask({ id, since, subject }) {
      const askedAt = systemClock.now();
      try {
        await replays.insertOne({ _id: id, since, subject: subject ?? null, askedAt, published: 0, doneAt: null });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const record = await replays.findOne({ _id: id });
      if (record === null) throw new Error("a replay vanished");
      return toReplay(record);
    },
    async askAgain(id) {
      const doneAt = { $lt: plusMs(systemClock.now(), -heardMs) };
      await replays.updateOne({ _id: id, doneAt }, { $set: { doneAt: null, published: 0 } });
    },
    async next() {
      const record = await replays.findOne({ doneAt: null }, { sort: { askedAt: 1 } });
      return record === null ? undefined : toReplay(record);
    },
    async advance(id, published) {
      await replays.updateOne({ _id: id }, { $set: { published } });
    },
    async done(id) {
      await replays.updateOne({ _id: id }, { $set: { doneAt: systemClock.now() } });
    },
    async note(stream, committedFrom) {
      const at = systemClock.now();
      const filter = { _id: noteIdOf(stream, at) };
      await notes.updateOne(filter, { $setOnInsert: { at, committedFrom } }, { upsert: true });
    },
    async committedFrom(stream, publishedFrom) {
      const days = { $gte: `${stream}/`, $lte: noteIdOf(stream, publishedFrom) };
      const note = await notes.findOne({ _id: days, at: { $lte: publishedFrom } }, { sort: { _id: -1 } });
      return note?.committedFrom;
    },
  };
}

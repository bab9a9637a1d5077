import type { Connection } from "mongoose";
import type { Novelty } from "../../shared/bus/novelty";
import { type Clock, monotonicMs, plusMs } from "../../shared/kernel/clock";
import { handledKey, type SubjectEvents } from "../domain/handled";
import type { FeedPageRecord } from "./feed-page-record";

/** A message of the bus, which another process may have handled before. */
export type Taken = SubjectEvents & { novelty: Novelty };

/** True when the relay reports that nothing of the message's subject was ever handled: its first event is sent for the first time. */
const saysFirst = ({ novelty, events: [first] }: Taken): boolean => novelty === "first" && first?.sequence === 1;

/** The last handled event, by stream and subject. */
export interface HandledStore {
  /**
   * Reads the store, except for subjects that this process has just handled and for new subjects, unless a message may be a repeat.
   */
  latest(messages: readonly Taken[]): Promise<ReadonlyMap<string, number>>;
  /** Returns this process's own knowledge: a lower bound, since the count never decreases. Reads subjects that it does not know. */
  known(messages: readonly SubjectEvents[]): Promise<ReadonlyMap<string, number>>;
  /** Notes that these were handled, and the subjects with undelivered events. */
  keep(handled: ReadonlyMap<string, number>, unclear: ReadonlySet<string>): void;
  /** True when certainly no delivery of the subject waits: the subject is new, or this process has just delivered all of its events. */
  isClear(message: Taken): boolean;
  /** Marks what is known of these as possibly out of date. */
  forget(keys: Iterable<string>): void;
}

/** Most subjects held in memory. */
const capacity = 50_000;
/**
 * For this long after this process has handled an event of a subject, no other process handles the next one without a message from the bus,
 * milliseconds.
 */
const momentMs = 30_000;
/** Pages are kept for 30 days; a subject that began within this time, milliseconds, still has all of its pages. */
const youngMs = 29 * 24 * 60 * 60 * 1_000;

/** Reads the pages of the feed and, for retired pages, the inbox. */
export function makeHandledStore(connection: Connection, clock: Clock): HandledStore {
  const pages = connection.collection<FeedPageRecord>("feed_pages");
  const inbox = connection.collection<{ _id: string; lastSequence: number }>("inbox");
  const kept = new Map<string, { last: number; atMs: number; isClear: boolean }>();
  const keep = (key: string, last: number, isClear: boolean): void => {
    const before = kept.get(key)?.last ?? 0;
    kept.delete(key);
    const [oldest] = kept.keys();
    if (kept.size >= capacity && oldest !== undefined) kept.delete(oldest);
    kept.set(key, { last: Math.max(before, last), atMs: monotonicMs(), isClear });
  };
  const mayBeRetired = ({ events: [first] }: SubjectEvents): boolean =>
    first === undefined || first.sequence > 1 || first.occurredAt < plusMs(clock.now(), -youngMs);
  const read = async (messages: readonly SubjectEvents[]): Promise<Map<string, number>> => {
    const lasts = new Map<string, number>();
    const keys = [...new Set(messages.map(handledKey))];
    if (keys.length === 0) return lasts;
    const asked = new Set(keys);
    const found = pages.find({ "handled.key": { $in: keys } }, { projection: { handled: 1 } });
    for await (const { handled } of found) {
      for (const { key, last } of handled) if (asked.has(key)) lasts.set(key, Math.max(lasts.get(key) ?? 0, last));
    }
    const old = new Set(
      messages
        .filter(mayBeRetired)
        .map(handledKey)
        .filter((key) => !lasts.has(key)),
    );
    if (old.size > 0) {
      const retired = await inbox.find({ _id: { $in: [...old] } }).toArray();
      for (const { _id, lastSequence } of retired) lasts.set(_id, lastSequence);
    }
    for (const key of keys) keep(key, lasts.get(key) ?? 0, false);
    return lasts;
  };
  /** True if memory suffices to decide about the message: it is new without a gap before it, or it was handled. */
  const isEnough = (message: SubjectEvents): boolean => {
    const known = kept.get(handledKey(message));
    const [first] = message.events;
    return known !== undefined && first !== undefined && first.sequence <= known.last + 1;
  };
  const isNew = (message: Taken): boolean => {
    const { last, atMs } = kept.get(handledKey(message)) ?? { last: 0, atMs: 0 };
    return message.novelty !== "repeat" && last > 0 && monotonicMs() - atMs < momentMs;
  };
  /** Trusts the relay unless this process knows more: a recreated consumer gets a first message again. */
  const beginsSubject = (message: Taken): boolean =>
    saysFirst(message) && (kept.get(handledKey(message))?.last ?? 0) === 0;
  const lastsOf = async <M extends SubjectEvents>(messages: readonly M[], isKnown: (message: M) => boolean) => {
    const found = await read(messages.filter((message) => !isKnown(message)));
    return new Map(messages.map(handledKey).map((key) => [key, found.get(key) ?? kept.get(key)?.last ?? 0]));
  };
  return {
    latest(messages) {
      for (const message of messages.filter(beginsSubject)) keep(handledKey(message), 0, true);
      return lastsOf(messages, (message) => beginsSubject(message) || (isNew(message) && isEnough(message)));
    },
    known: (messages) => lastsOf(messages, isEnough),
    keep(handled, unclear) {
      for (const [key, last] of handled) keep(key, last, kept.get(key)?.isClear === true && !unclear.has(key));
    },
    isClear: (message) => beginsSubject(message) || (isNew(message) && kept.get(handledKey(message))?.isClear === true),
    forget(keys) {
      for (const key of keys) kept.delete(key);
    },
  };
}

import type { Connection } from "mongoose";
import { DomainError } from "./errors";
import type { Tx } from "./mongo";

/** Anything that has a place in the history of its aggregate: 1, 2, 3 and so on. */
interface Sequenced {
  sequence: number;
}

/** What a consumer has handled, per aggregate. */
export interface Inbox {
  init(): Promise<void>;
  /**
   * Takes the events that were not handled before, inside the transaction of the operation that handles them. `events`
   * have ascending sequences. Throws VERSION_CONFLICT when events before them are missing: the message comes again, and
   * what is missing comes by the relay.
   */
  take<E extends Sequenced>(tx: Tx, stream: string, aggregateId: string, events: readonly E[]): Promise<E[]>;
  /** The same for several messages in one transaction, in their order. Undefined for a message with a gap before it. */
  takeAll<E extends Sequenced>(tx: Tx, messages: readonly InboxMessage<E>[]): Promise<(E[] | undefined)[]>;
}

/** Events of one aggregate, with ascending sequences. */
export interface InboxMessage<E extends Sequenced> {
  stream: string;
  aggregateId: string;
  events: readonly E[];
}

interface InboxRecord {
  _id: string;
  lastSequence: number;
}

/** An inbox in collection `inbox`, one small document per aggregate. */
export function makeInbox(connection: Connection): Inbox {
  const inbox = connection.collection<InboxRecord>("inbox");
  const takeAll: Inbox["takeAll"] = async ({ session }, messages) => {
    const keys = messages.map(({ stream, aggregateId }) => `${stream}/${aggregateId}`);
    const found = await inbox.find({ _id: { $in: [...new Set(keys)] } }, { session }).toArray();
    const lasts = new Map(found.map(({ _id, lastSequence }) => [_id, lastSequence]));
    const moved = new Map<string, number>();
    const taken = messages.map(({ events }, index) => {
      const key = keys[index] ?? "";
      const last = lasts.get(key) ?? 0;
      const fresh = events.filter(({ sequence }) => sequence > last);
      if (fresh.some(({ sequence }, at) => sequence !== last + 1 + at)) return undefined;
      if (fresh.length > 0) {
        lasts.set(key, last + fresh.length);
        moved.set(key, last + fresh.length);
      }
      return fresh;
    });
    const marks = [...moved].map(([_id, lastSequence]) => ({
      updateOne: { filter: { _id }, update: { $set: { lastSequence } }, upsert: true },
    }));
    if (marks.length > 0) await inbox.bulkWrite(marks, { session, ordered: true });
    return taken;
  };
  return {
    async init() {
      await connection.createCollection("inbox");
    },
    takeAll,
    async take(tx, stream, aggregateId, events) {
      const [fresh] = await takeAll(tx, [{ stream, aggregateId, events }]);
      if (fresh === undefined) throw eventsMissing(aggregateId);
      return fresh;
    },
  };
}

/** The refusal of a message with a gap before it. */
export const eventsMissing = (aggregateId: string): DomainError =>
  new DomainError("VERSION_CONFLICT", `earlier events of ${aggregateId} are missing`);

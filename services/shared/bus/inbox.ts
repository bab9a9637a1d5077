import type { Connection } from "mongoose";
import { DomainError } from "../kernel/errors";
import type { Tx } from "../storage/mongo";

/** An event numbered in the history of its aggregate: 1, 2, 3 and so on. */
interface Sequenced {
  sequence: number;
}

/** The events that a consumer has handled, per aggregate. */
export interface Inbox {
  init(): Promise<void>;
  /**
   * Returns the events that were not handled before, and records them, inside the transaction of the operation that handles
   * them. `events` have ascending sequences. Throws VERSION_CONFLICT when events before them are missing: the message is
   * redelivered, and the relay publishes the missing ones.
   */
  take<E extends Sequenced>(tx: Tx, stream: string, aggregateId: string, events: readonly E[]): Promise<E[]>;
}

interface InboxRecord {
  _id: string;
  lastSequence: number;
}

/** An inbox in collection `inbox`, one small document per aggregate. */
export function makeInbox(connection: Connection): Inbox {
  const inbox = connection.collection<InboxRecord>("inbox");
  return {
    async init() {
      await connection.createCollection("inbox");
    },
    async take({ session }, stream, aggregateId, events) {
      const _id = `${stream}/${aggregateId}`;
      const known = await inbox.findOne({ _id }, { session });
      const last = known?.lastSequence ?? 0;
      const fresh = events.filter(({ sequence }) => sequence > last);
      if (fresh.some(({ sequence }, at) => sequence !== last + 1 + at)) throw eventsMissing(aggregateId);
      if (fresh.length === 0) return [];
      const lastSequence = last + fresh.length;
      // Of two concurrent writers one starts again.
      if (known === null) await inbox.insertOne({ _id, lastSequence }, { session });
      else await inbox.updateOne({ _id }, { $set: { lastSequence } }, { session });
      return fresh;
    },
  };
}

/** The refusal of a message with a gap before it. */
export const eventsMissing = (aggregateId: string): DomainError =>
  new DomainError("VERSION_CONFLICT", `earlier events of ${aggregateId} are missing`);

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
      const key = { _id: `${stream}/${aggregateId}` };
      const top = events.at(-1)?.sequence ?? 0;
      const options = { session, upsert: true, returnDocument: "before" } as const;
      const before = await inbox.findOneAndUpdate(key, { $max: { lastSequence: top } }, options);
      const last = before?.lastSequence ?? 0;
      const fresh = events.filter(({ sequence }) => sequence > last);
      const missing = fresh.find(({ sequence }, index) => sequence !== last + 1 + index);
      if (missing !== undefined) {
        // Thrown inside the transaction, so the mark above is undone with it.
        throw new DomainError("VERSION_CONFLICT", `events before ${missing.sequence} of ${aggregateId} are missing`);
      }
      return fresh;
    },
  };
}

import type { Connection } from "mongoose";
import { DomainError } from "../kernel/errors";
import type { Tx } from "../storage/mongo";

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
  /** What `takeAll` would take now. Nothing is remembered. */
  fresh<E extends Sequenced>(messages: readonly InboxMessage<E>[]): Promise<(E[] | undefined)[]>;
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
  const lastsOf = async (keys: readonly string[], tx?: Tx): Promise<Map<string, number>> => {
    const found = await inbox.find({ _id: { $in: [...new Set(keys)] } }, { ...tx }).toArray();
    return new Map(found.map(({ _id, lastSequence }) => [_id, lastSequence]));
  };
  const takeAll: Inbox["takeAll"] = async (tx, messages) => {
    const known = await lastsOf(messages.map(keyOf), tx);
    const { session } = tx;
    const { taken, moved } = sortOut(messages, known);
    const marks = [...moved].map(([_id, lastSequence]) => ({ _id, lastSequence }));
    const begun = marks.filter(({ _id }) => !known.has(_id));
    const continued = marks.filter(({ _id }) => known.has(_id));
    // Most are about new aggregates, and inserting costs a third of an upsert. Of two writers one begins again.
    if (begun.length > 0) await inbox.insertMany(begun, { session });
    const updates = continued.map(({ _id, lastSequence }) => ({
      updateOne: { filter: { _id }, update: { $set: { lastSequence } } },
    }));
    if (updates.length > 0) await inbox.bulkWrite(updates, { session, ordered: true });
    return taken;
  };
  return {
    async init() {
      await connection.createCollection("inbox");
    },
    takeAll,
    async fresh(messages) {
      return sortOut(messages, await lastsOf(messages.map(keyOf))).taken;
    },
    async take(tx, stream, aggregateId, events) {
      const [fresh] = await takeAll(tx, [{ stream, aggregateId, events }]);
      if (fresh === undefined) throw eventsMissing(aggregateId);
      return fresh;
    },
  };
}

const keyOf = ({ stream, aggregateId }: InboxMessage<Sequenced>): string => `${stream}/${aggregateId}`;

/** The events behind the last one known of each aggregate, and how far these bring it. */
function sortOut<E extends Sequenced>(messages: readonly InboxMessage<E>[], known: ReadonlyMap<string, number>) {
  const moved = new Map<string, number>();
  const taken = messages.map((message) => {
    const key = keyOf(message);
    const last = moved.get(key) ?? known.get(key) ?? 0;
    const fresh = message.events.filter(({ sequence }) => sequence > last);
    if (fresh.some(({ sequence }, at) => sequence !== last + 1 + at)) return undefined;
    if (fresh.length > 0) moved.set(key, last + fresh.length);
    return fresh;
  });
  return { taken, moved };
}

/** The refusal of a message with a gap before it. */
export const eventsMissing = (aggregateId: string): DomainError =>
  new DomainError("VERSION_CONFLICT", `earlier events of ${aggregateId} are missing`);

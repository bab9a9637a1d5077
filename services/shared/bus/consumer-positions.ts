import type { Connection } from "mongoose";

/** How far a consumer has come in a stream. */
export interface Position {
  /** Which life of the stream it speaks of. */
  created: string;
  /** All up to here was handled. */
  sequence: number;
  /** All that was published before this time was handled, in whichever life of the stream. */
  handledAt: Date;
}

/** Messages that a stream had forgotten before they were handled. */
export interface Gap {
  id: string;
  /** They were published after this time. */
  since: Date;
}

/** Position and open gaps of one consumer. */
export interface ConsumerPositions {
  get(): Promise<{ position: Position; gaps: Gap[] } | undefined>;
  /**
   * Moves on from the position that was read, and adds what was found missing. False when another replica moved on before.
   * Gaps are added and taken out one by one, since one may be filled meanwhile.
   */
  move(from: Position | undefined, to: Position, found: readonly Gap[]): Promise<boolean>;
  /** False when there is no such gap any more. */
  close(gapId: string): Promise<boolean>;
}

interface PositionRecord extends Omit<Position, "sequence"> {
  _id: string;
  sequence: number | bigint;
  gaps: Gap[];
}

/** Open gaps of all consumers of a service, the oldest first. They are few: each consumer has one record. */
export async function openGaps(
  connection: Connection,
  consumers: readonly string[],
): Promise<{ consumer: string; since: Date }[]> {
  const positions = connection.collection<PositionRecord>("consumer_positions");
  const found = await positions.find({ _id: { $in: [...consumers] } }).toArray();
  return found
    .flatMap(({ _id: consumer, gaps }) => gaps.map(({ since }) => ({ consumer, since })))
    .toSorted((one, other) => one.since.getTime() - other.since.getTime());
}

/** Positions in collection `consumer_positions`, one document for each consumer. */
export function makeConsumerPositions(connection: Connection, consumer: string): ConsumerPositions {
  const positions = connection.collection<PositionRecord>("consumer_positions");
  return {
    async get() {
      const record = await positions.findOne({ _id: consumer });
      if (record === null) return undefined;
      const { created, sequence, handledAt, gaps } = record;
      return { position: { created, handledAt, sequence: Number.parseInt(String(sequence), 10) }, gaps };
    },
    async move(from, to, found) {
      const unmoved = from === undefined ? {} : { created: from.created, sequence: from.sequence };
      const { matchedCount, upsertedCount } = await positions.updateOne(
        { _id: consumer, ...unmoved },
        { $set: { ...to }, $push: { gaps: { $each: [...found] } } },
        { upsert: from === undefined },
      );
      return matchedCount + upsertedCount > 0;
    },
    async close(id) {
      const { modifiedCount } = await positions.updateOne({ _id: consumer }, { $pull: { gaps: { id } } });
      return modifiedCount > 0;
    },
  };
}

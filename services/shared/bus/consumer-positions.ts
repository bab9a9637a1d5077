import type { Connection } from "mongoose";

/** The position of a consumer in a stream. */
export interface Position {
  /** Creation time of the stream, which identifies its incarnation. */
  created: string;
  /** All messages up to this one were handled. */
  sequence: number;
  /** All messages published before this time were handled, in whichever incarnation of the stream. */
  handledAt: Date;
}

/** Messages that a stream dropped before they were handled. */
export interface Gap {
  id: string;
  /** They were published after this time. */
  since: Date;
}

/** Position and open gaps of one consumer. */
export interface ConsumerPositions {
  get(): Promise<{ position: Position; gaps: Gap[] } | undefined>;
  /**
   * Moves on from the position that was read, and adds the gaps found. Returns false when another replica moved first.
   * Gaps are added and removed one by one, since one may be filled meanwhile.
   */
  move(from: Position | undefined, to: Position, found: readonly Gap[]): Promise<boolean>;
  /** Returns false when the gap no longer exists. */
  close(gapId: string): Promise<boolean>;
}

interface PositionRecord extends Omit<Position, "sequence"> {
  _id: string;
  sequence: number | bigint;
  gaps: Gap[];
}

/** Open gaps of all consumers of a service, oldest first. They are few: each consumer has one record. */
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

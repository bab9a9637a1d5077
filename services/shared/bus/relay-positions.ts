import type { Connection } from "mongoose";
import type { StreamState } from "./jetstream";

/** The relay's position in a stream, and the incarnation of the stream. */
export interface RelayPositions {
  get(stream: string): Promise<StreamState | undefined>;
  save(stream: string, position: StreamState): Promise<void>;
  /** Moves forward in the same incarnation of the stream, never back: another process may be further. */
  advance(stream: string, position: StreamState): Promise<void>;
}

interface PositionRecord {
  _id: string;
  created: string;
  lastSequence: number | bigint;
}

/** Positions in collection `relay_positions`. */
export function makeRelayPositions(connection: Connection): RelayPositions {
  const positions = connection.collection<PositionRecord>("relay_positions");
  return {
    async get(stream) {
      const record = await positions.findOne({ _id: stream });
      return record === null
        ? undefined
        : { created: record.created, lastSequence: Number.parseInt(String(record.lastSequence), 10) };
    },
    async save(stream, { created, lastSequence }) {
      await positions.updateOne({ _id: stream }, { $set: { created, lastSequence } }, { upsert: true });
    },
    async advance(stream, { created, lastSequence }) {
      await positions.updateOne({ _id: stream, created }, { $max: { lastSequence } });
    },
  };
}

import type { Connection } from "mongoose";
import { systemClock } from "./clock";

/** Messages that nobody could read, kept for a human. */
export interface ParkedMessages {
  init(): Promise<void>;
  /** Keeps one message with the cause. Repeating it changes nothing. */
  park(message: ParkedMessage): Promise<void>;
}

export interface ParkedMessage {
  stream: string;
  sequence: number;
  subject: string;
  payload: Uint8Array;
  cause: string;
}

/** Parked messages in collection `parked_messages`. */
export function makeParkedMessages(connection: Connection): ParkedMessages {
  const parked = connection.collection<{ _id: string }>("parked_messages");
  return {
    async init() {
      await connection.createCollection("parked_messages");
    },
    async park({ stream, sequence, subject, payload, cause }) {
      const facts = { stream, sequence, subject, payload: Buffer.from(payload), cause, parkedAt: systemClock.now() };
      await parked.updateOne({ _id: `${stream}/${sequence}` }, { $setOnInsert: facts }, { upsert: true });
    },
  };
}

import { type Connection, Schema } from "mongoose";
import type { OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import type { Clock } from "../../shared/kernel/clock";
import type { Tx } from "../../shared/storage/mongo";
import { date, number, strictDocument, text } from "../../shared/storage/stored-fields";
import { disableReasons } from "../domain/subscription";
import type { SubscriptionChange } from "../domain/subscription-change";

interface ChangeRecord {
  /** <subscription>:<sequence> */
  _id: string;
  subscriptionId: string;
  tenant: string;
  sequence: number;
  at: Date;
  reason: SubscriptionChange["reason"] | null;
  requestId: string | null;
  traceparent: string | null;
  /** Null until it is in the stream. */
  publishedAt: Date | null;
}

/** One change as a message. */
interface ChangeMessage extends OutboxMessage {
  change: SubscriptionChange;
}

/** Turns a change into the bytes that are published. */
export type EncodeChange = (change: SubscriptionChange) => Uint8Array;

export interface ChangeStore {
  init(): Promise<void>;
  /** Stores a change with the state that it led to. */
  add(tx: Tx, change: SubscriptionChange): Promise<void>;
  /** The changes as messages of a subject. */
  outbox(subject: string, encode: EncodeChange): OutboxSource<ChangeMessage>;
}

const changeSchema = new Schema<ChangeRecord>(
  {
    _id: text,
    subscriptionId: text,
    tenant: text,
    sequence: number,
    at: date,
    // An enumeration must list `null` as a value.
    reason: { type: String, enum: [...disableReasons, null], default: null },
    requestId: { type: String, default: null },
    traceparent: { type: String, default: null },
    publishedAt: { type: Date, default: null },
  },
  strictDocument,
);
changeSchema.index({ publishedAt: 1, at: 1, _id: 1 });
changeSchema.index({ at: 1 });

const idOf = ({ subscriptionId, sequence }: SubscriptionChange): string => `${subscriptionId}:${sequence}`;

const toRecord = (change: SubscriptionChange): ChangeRecord => ({
  ...change,
  _id: idOf(change),
  reason: change.reason ?? null,
  requestId: change.requestId ?? null,
  traceparent: change.traceparent ?? null,
  publishedAt: null,
});

const toChange = ({ _id, publishedAt: _at, reason, requestId, traceparent, ...facts }: ChangeRecord) => ({
  ...facts,
  reason: reason ?? undefined,
  requestId: requestId ?? undefined,
  traceparent: traceparent ?? undefined,
});

/**
 * Changes of subscriptions that no caller asked for. They are kept permanently: a consumer that missed one can request it at any time
 * later.
 */
export function makeChangeStore(connection: Connection, clock: Clock): ChangeStore {
  const model = connection.model("SubscriptionChange", changeSchema, "subscription_changes");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ session }, change) {
      await model.create([toRecord(change)], { session });
    },
    outbox(subject, encode) {
      const toMessage = (record: ChangeRecord): ChangeMessage => {
        const change = toChange(record);
        const { traceparent, at } = change;
        return { id: record._id, subject, payload: encode(change), traceparent, committedAt: at, change };
      };
      return {
        async pending(limit, after) {
          const waiting = { publishedAt: null, ...(after === undefined ? {} : behind(after.change)) };
          const found = await model.find(waiting).sort({ at: 1, _id: 1 }).limit(limit).lean<ChangeRecord[]>();
          return found.map(toMessage);
        },
        async markPublished(messages) {
          const ids = messages.map(({ id }) => id);
          await model.updateMany({ _id: { $in: ids } }, { $set: { publishedAt: clock.now() } });
        },
        async *since(from) {
          const found = model
            .find({ at: { $gte: from } })
            .sort({ at: 1 })
            .lean<ChangeRecord[]>();
          for await (const record of found.cursor()) yield toMessage(record);
        },
      };
    },
  };
}

const behind = (change: SubscriptionChange): object => ({
  $or: [{ at: { $gt: change.at } }, { at: change.at, _id: { $gt: idOf(change) } }],
});

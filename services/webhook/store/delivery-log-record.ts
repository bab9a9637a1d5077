import { Schema } from "mongoose";
import { derivedUuidAt } from "../../shared/kernel/ids";
import { date, listOf, number, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { type Delivery, endOf, isBatchLane, laneIdOf } from "../domain/delivery";
import { type AttemptRecord, attemptSchema, retentionSeconds, toAttempt, toAttemptRecord } from "./delivery-record";

/** One delivery that was delivered by its first attempt, before it was stored. */
interface LoggedRecord {
  id: string;
  position: number;
  eventId: string;
  event: string;
  subjectId: string;
  sequence: number;
  body: string;
  traceparent: string | null;
  occurredAt: Date;
  attempt: AttemptRecord;
}

/** Deliveries to one subscription that were delivered at once and stored together. */
export interface DeliveryLogRecord {
  _id: string;
  tenant: string;
  subscriptionId: string;
  createdAt: Date;
  items: LoggedRecord[];
}

export const deliveryLogSchema = new Schema<DeliveryLogRecord>(
  {
    _id: text,
    tenant: text,
    subscriptionId: text,
    createdAt: date,
    items: listOf(
      part({
        id: text,
        position: number,
        eventId: text,
        event: text,
        subjectId: text,
        sequence: number,
        body: text,
        traceparent: { type: String, default: null },
        occurredAt: date,
        attempt: { type: attemptSchema, required: true },
      }),
    ),
  },
  strictDocument,
);
deliveryLogSchema.index({ subscriptionId: 1, createdAt: -1, _id: -1 });
deliveryLogSchema.index({ "items.id": 1 });
deliveryLogSchema.index({ "items.subjectId": 1 });
deliveryLogSchema.index({ createdAt: 1 }, { expireAfterSeconds: retentionSeconds });

/** True for a delivery that is complete and has only one attempt. */
export const isLogged = ({ state, failures, attempts, log, batchId, isTest, laneId }: Delivery): boolean =>
  state === "delivered" &&
  failures === 0 &&
  attempts === 1 &&
  log.length === 1 &&
  batchId === undefined &&
  !isTest &&
  !isBatchLane(laneId);

/** Makes the logs of deliveries that are stored together: one for each subscription, dated by its oldest delivery. */
export const toLogRecords = (deliveries: readonly Delivery[]): DeliveryLogRecord[] =>
  [...Map.groupBy(deliveries, ({ subscriptionId }) => subscriptionId)].flatMap(([subscriptionId, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    const createdAt = own.reduce((oldest, one) => (one.createdAt < oldest ? one.createdAt : oldest), first.createdAt);
    const _id = derivedUuidAt(createdAt, first.id);
    return [{ _id, tenant: first.tenant, subscriptionId, createdAt, items: own.flatMap(toItem) }];
  });

function toItem({ log: [attempt], ...delivery }: Delivery): LoggedRecord[] {
  if (attempt === undefined) return [];
  const { id, position, eventId, event, subjectId, sequence, body, traceparent = null, occurredAt } = delivery;
  const facts = { id, position, eventId, event, subjectId, sequence, body, traceparent, occurredAt };
  return [{ ...facts, attempt: toAttemptRecord(attempt) }];
}

/** Returns the deliveries of a log. A log that was read without bodies and attempts yields deliveries without them. */
export const toLogged = ({ tenant, subscriptionId, createdAt, items }: DeliveryLogRecord): Delivery[] =>
  items.map(({ traceparent, attempt: record, ...facts }) => {
    const attempt = toAttempt(record);
    return {
      ...facts,
      tenant,
      subscriptionId,
      laneId: laneIdOf({ id: subscriptionId, isBatch: false }, facts.subjectId),
      traceparent: traceparent ?? undefined,
      createdAt,
      state: "delivered",
      failures: 0,
      nextAttemptAt: createdAt,
      attempts: 1,
      lastStatus: attempt.status,
      endedAt: endOf(attempt),
      batchId: undefined,
      isTest: false,
      log: [attempt],
    };
  });

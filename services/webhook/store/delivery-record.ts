import { Schema } from "mongoose";
import { date, flag, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import {
  type AttemptFailure,
  attemptFailures,
  type Delivery,
  type DeliveryState,
  deliveryStates,
  type LoggedAttempt,
} from "../domain/delivery";
import { attemptsBeforePassing } from "../domain/lane";

export interface AttemptRecord {
  number: number;
  at: Date;
  status: number | null;
  durationMs: number;
  failure: AttemptFailure | null;
}

export interface DeliveryRecord {
  _id: string;
  tenant: string;
  subscriptionId: string;
  laneId: string;
  position: number;
  eventId: string;
  event: string;
  subjectId: string;
  sequence: number;
  body: string;
  traceparent: string | null;
  occurredAt: Date;
  createdAt: Date;
  state: DeliveryState;
  failures: number;
  attempts: number;
  nextAttemptAt: Date;
  /** Status of the last answer; null when there was none. */
  lastStatus: number | null;
  endedAt: Date | null;
  batchId: string | null;
  isTest: boolean;
  log: AttemptRecord[];
}

export const retentionSeconds = 30 * 24 * 60 * 60;

export const attemptSchema = part({
  number,
  at: date,
  status: { type: Number, default: null },
  durationMs: number,
  // An enumeration must list `null` as a value.
  failure: { type: String, enum: [...attemptFailures, null], default: null },
});

export const deliverySchema = new Schema<DeliveryRecord>(
  {
    _id: text,
    tenant: text,
    subscriptionId: text,
    laneId: text,
    position: number,
    eventId: text,
    event: text,
    subjectId: text,
    sequence: number,
    body: text,
    traceparent: { type: String, default: null },
    occurredAt: date,
    createdAt: date,
    state: oneOf(deliveryStates),
    failures: number,
    attempts: number,
    nextAttemptAt: date,
    lastStatus: { type: Number, default: null },
    endedAt: { type: Date, default: null },
    batchId: { type: String, default: null },
    isTest: flag,
    log: listOf(attemptSchema),
  },
  strictDocument,
);
// Delivered documents, nearly all of them, are left out of indexes that serve only the others.
deliverySchema.index(
  { subscriptionId: 1, state: 1, position: 1 },
  { name: "not_delivered", partialFilterExpression: { state: { $gt: "delivered" } } },
);
deliverySchema.index({ state: 1, createdAt: 1 }, { name: "pending", partialFilterExpression: { state: "pending" } });
// For lanes that move past deliveries that have failed often: there are few of these.
deliverySchema.index(
  { subscriptionId: 1, nextAttemptAt: 1 },
  { name: "passed", partialFilterExpression: { state: "pending", failures: { $gte: attemptsBeforePassing } } },
);
// By state, so that a list of few among many reads no more than it shows; a list of all states queries each state.
deliverySchema.index({ subscriptionId: 1, state: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ subjectId: 1, createdAt: -1, _id: -1 });
// An equality filter implies a comparison, so the store may use this partial index for a batch; it implies no type.
deliverySchema.index({ batchId: 1 }, { partialFilterExpression: { batchId: { $gt: "" } } });
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: retentionSeconds });

export const toAttemptRecord = ({ status, failure, ...facts }: LoggedAttempt): AttemptRecord => ({
  ...facts,
  status: status ?? null,
  failure: failure ?? null,
});

export const toAttempt = ({ status, failure, ...attempt }: AttemptRecord): LoggedAttempt => ({
  ...attempt,
  status: status ?? undefined,
  failure: failure ?? undefined,
});

export const toRecord = ({
  id,
  traceparent,
  lastStatus,
  endedAt,
  batchId,
  log,
  ...facts
}: Delivery): DeliveryRecord => ({
  ...facts,
  _id: id,
  traceparent: traceparent ?? null,
  lastStatus: lastStatus ?? null,
  endedAt: endedAt ?? null,
  batchId: batchId ?? null,
  log: log.map(toAttemptRecord),
});

export const toDelivery = ({
  _id,
  traceparent,
  lastStatus,
  endedAt,
  batchId,
  log,
  ...facts
}: DeliveryRecord): Delivery => ({
  ...facts,
  id: _id,
  traceparent: traceparent ?? undefined,
  lastStatus: lastStatus ?? undefined,
  endedAt: endedAt ?? undefined,
  batchId: batchId ?? undefined,
  log: log.map(toAttempt),
});

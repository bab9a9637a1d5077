import { Schema } from "mongoose";
import type { AttemptFailure, Delivery, DeliveryState, LoggedAttempt } from "../domain/delivery";
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

export const attemptSchema = new Schema<AttemptRecord>(
  { number: Number, at: Date, status: Number, durationMs: Number, failure: String },
  { _id: false },
);

export const deliverySchema = new Schema<DeliveryRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    subscriptionId: { type: String, required: true },
    laneId: { type: String, required: true },
    position: { type: Number, required: true },
    eventId: { type: String, required: true },
    event: { type: String, required: true },
    subjectId: { type: String, required: true },
    sequence: { type: Number, required: true },
    body: { type: String, required: true },
    traceparent: { type: String, default: null },
    occurredAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    state: { type: String, enum: ["pending", "delivered", "failed"], required: true },
    failures: { type: Number, required: true },
    attempts: { type: Number, required: true },
    nextAttemptAt: { type: Date, required: true },
    lastStatus: { type: Number, default: null },
    endedAt: { type: Date, default: null },
    batchId: { type: String, default: null },
    isTest: { type: Boolean, required: true },
    log: { type: [attemptSchema], required: true },
  },
  { versionKey: false, strict: "throw" },
);
// What is delivered, nearly all, is in no index that serves the rest alone.
deliverySchema.index(
  { subscriptionId: 1, state: 1, position: 1 },
  { name: "not_delivered", partialFilterExpression: { state: { $gt: "delivered" } } },
);
deliverySchema.index({ state: 1, createdAt: 1 }, { name: "pending", partialFilterExpression: { state: "pending" } });
// When a lane passes on, by deliveries that have failed often: they are few.
deliverySchema.index(
  { subscriptionId: 1, nextAttemptAt: 1 },
  { name: "passed", partialFilterExpression: { state: "pending", failures: { $gte: attemptsBeforePassing } } },
);
// By state, so that a list of few among many reads no more than it shows; one of all states asks for each.
deliverySchema.index({ subscriptionId: 1, state: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ subjectId: 1, createdAt: -1, _id: -1 });
// Equality implies a comparison, so the store may use the index for a batch; it implies no type.
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

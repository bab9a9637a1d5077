import { type Connection, Schema } from "mongoose";
import {
  addVariants,
  anyText,
  date,
  flag,
  integer,
  listOf,
  mayListOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import {
  attemptFields,
  caseKinds,
  causeFields,
  complianceStatuses,
  eventFields,
  eventVariants,
  factFields,
  paymentStatuses,
  payoutStatuses,
  promiseFields,
  states,
  steps,
} from "./payment-parts";

const toldReason = part({ code: text, whoseMove: text, sentence: text });

const answer = part({
  form: number,
  status: oneOf(paymentStatuses),
  responseCode: anyText,
  automaticReversed: flag,
  message: String,
  authCode: String,
  challengeUrl: String,
  reason: toldReason,
});

const action = part({
  form: number,
  minor: integer,
  effectiveAt: date,
  status: oneOf(paymentStatuses),
  responseCode: anyText,
  automaticReversed: flag,
  issuer: part({ authCode: anyText, issuerName: anyText, issuerCountry: anyText, cvc: anyText, avs: anyText }),
  reason: toldReason,
});

const refund = part({
  id: text,
  externalId: String,
  minor: integer,
  askedMinor: BigInt,
  reason: String,
  status: oneOf(["PENDING", "REFUNDED", "DECLINED"]),
  requestedAt: date,
  settledAt: Date,
  cause: causeFields,
});

const operation = part({
  paymentId: text,
  code: oneOf(["PAYMENT", "CAPTURE", "REFUND"]),
  status: oneOf(paymentStatuses),
  // Empty where the refund's own reason describes the operation.
  description: anyText,
  cause: causeFields,
  at: date,
  amountMinor: integer,
  currency: text,
});

const feeEvents = ["PRE_AUTH", "CAPTURE", "REFUND"] as const;
const feeRate = { type: part({ bps: number, fixedMinor: integer }), required: true };

/** The fields of every payment, whatever its type. */
const common = {
  agentId: String,
  externalTransactionId: String,
  hashes: text,
  amountMinor: integer,
  currency: text,
  quoteId: String,
  marginMinor: BigInt,
  feePlan: { type: part({ PRE_AUTH: feeRate, CAPTURE: feeRate, REFUND: feeRate }), required: true },
  reversalLimitMinor: BigInt,
  promises: mayListOf(promiseFields),
  refunds: mayListOf(refund),
  refundIds: mayListOf(String),
  childIds: mayListOf(String),
  fees: mayListOf(part({ sourceId: text, eventId: oneOf(feeEvents), at: date, minor: integer })),
  personal: text,
  answer,
  // Keyed by refund id, `capture` and `void`.
  actions: { type: Map, of: action },
  createdAt: date,
  // Empty when tracing is off.
  traceparent: anyText,
  traceId: String,

  state: states,
  status: oneOf(paymentStatuses),
  compliance: oneOf(complianceStatuses),
  automaticReversed: flag,
  cause: causeFields,
  cameFrom: { ...states, required: false },
  openCase: part({ id: text, kinds: listOf({ type: String, enum: caseKinds }) }),
  accepted: part({ collectedMinor: integer, paidOutMinor: integer }),
  blocked: part({ caseId: text, heldMinor: integer, takenMinor: integer, isReleased: flag, paidTo: String }),
  caseCount: Number,
  capturedAt: Date,
  cancelledAt: Date,
  step: { type: String, enum: steps },
  sentAt: Date,
  tries: number,
  denials: Number,
  dueAt: Date,
  deadlineAt: Date,
  escalatedAt: Date,
  heldOf: Date,
  updatedAt: date,
  version: number,
  savedBy: String,

  events: listOf(eventFields),
  eventCount: number,
  published: number,
  relayDue: Date,
  lastEventAt: date,
  history: listOf(operation),
  attempts: mayListOf(attemptFields),
  facts: mayListOf(factFields),
  evidenceAt: Date,
};

const card = part({
  bin: anyText,
  binNumber: anyText,
  lastFour: anyText,
  scheme: anyText,
  issuer: anyText,
  country: anyText,
  countryName: anyText,
  type: anyText,
  category: anyText,
  currency: anyText,
});

/** The fields of a payment that collects. The source of the money is sealed. */
const collection = part({
  provider: text,
  captureAtOnce: flag,
  captureMinor: integer,
  capturedMinor: integer,
  refundedMinor: integer,
  settledMinor: BigInt,
  authorizedAt: Date,
  capturedAt: Date,
  settledAt: Date,
  voidedAt: Date,
  lapseToldAt: Date,
  returnedAt: Date,
  releaseAnyway: flag,
  providerId: String,
  authCode: String,
  responseCode: String,
  message: String,
  acsUrl: String,
  avs: String,
  cvc: String,
  card,
});
const collects = { pull: { type: collection, required: true } };

/** The fields of a payment that pays out. The recipient and the method are sealed. */
const paysOut = {
  payoutMinor: integer,
  payoutCurrency: text,
  payoutCountry: text,
  method: text,
  rail: text,
  payout: { type: String, enum: payoutStatuses },
  railId: String,
  receipt: String,
  paidMinor: BigInt,
  returnedMinor: BigInt,
  conversionAt: Date,
};

function paymentOf(parts: object): Schema {
  const schema = new Schema({ ...common, ...parts }, strictDocument);
  addVariants(schema, "events", eventVariants);
  return schema;
}

/**
 * The fields listed here directly are all that a closed block has, which takes places of payments. Payments also have a type, and the
 * fields of that type.
 */
const paymentSchema = new Schema(
  {
    _id: text,
    // Empty for a closed block.
    tenant: anyText,
    externalId: text,
    places: mayListOf(String),
  },
  { ...strictDocument, discriminatorKey: "type" },
)
  .discriminator("PushPayment", paymentOf(paysOut), { value: "PUSH" })
  .discriminator("PullPayment", paymentOf(collects), { value: "PULL" })
  .discriminator("PullPushPayment", paymentOf({ ...collects, ...paysOut }), { value: "PULLPUSH" })
  .index({ tenant: 1, externalId: 1 }, { unique: true })
  .index({ tenant: 1, quoteId: 1 }, { unique: true, partialFilterExpression: { quoteId: { $exists: true } } })
  .index({ tenant: 1, childIds: 1 }, { partialFilterExpression: { childIds: { $exists: true } } })
  .index({ tenant: 1, refundIds: 1 }, { unique: true, partialFilterExpression: { refundIds: { $exists: true } } })
  .index({ tenant: 1, agentId: 1, createdAt: -1, _id: -1 })
  .index({ tenant: 1, createdAt: -1, _id: -1 })
  .index({ createdAt: -1, _id: -1 })
  .index({ tenant: 1, railId: 1 }, { partialFilterExpression: { railId: { $exists: true } } })
  .index({ tenant: 1, receipt: 1 }, { partialFilterExpression: { receipt: { $exists: true } } })
  .index({ tenant: 1, "pull.providerId": 1 }, { partialFilterExpression: { "pull.providerId": { $exists: true } } })
  .index({ tenant: 1, traceId: 1 }, { partialFilterExpression: { traceId: { $exists: true } } })
  .index({ dueAt: 1 }, { sparse: true })
  .index({ escalatedAt: 1 }, { sparse: true })
  .index({ heldOf: 1, _id: 1 }, { partialFilterExpression: { heldOf: { $exists: true } } })
  .index({ places: 1 }, { unique: true, partialFilterExpression: { places: { $exists: true } } })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ evidenceAt: 1, _id: 1 }, { partialFilterExpression: { evidenceAt: { $exists: true } } })
  .index({ conversionAt: 1 }, { sparse: true })
  .index({ lastEventAt: 1 });

/**
 * Defines what payments are, and owns their indexes. All paths of payments are hot: they use the driver's collection of the same name. A
 * connection has the model once, since variants of a model cannot be compiled again.
 */
export const paymentModel = (connection: Connection) =>
  connection.models["Payment"] ?? connection.model("Payment", paymentSchema, "payments");

import { transactionMoves } from "../../shared/kernel/transaction-states";
import {
  date,
  flag,
  integer,
  listOf,
  literalsOf,
  mayListOf,
  number,
  oneOf,
  part,
  text,
} from "../../shared/storage/stored-fields";
import type { CaseKind, DifferenceClass } from "../domain/case-note";
import type { Fact } from "../domain/fact";
import type { ComplianceStatus, PayoutStatus } from "../domain/payment";
import type { PaymentStatus } from "../domain/payment-status";
import { roleOf, type Step } from "../domain/steps";

/** The parts that the schemas of payments and cases have in common. */

export const states = oneOf(Object.keys(transactionMoves));
export const steps = Object.keys(roleOf) as Step[];
export const paymentStatuses = literalsOf<PaymentStatus>({
  PENDING: true,
  AUTHORIZED: true,
  CAPTURED: true,
  REFUNDED: true,
  VOIDED: true,
  DECLINED: true,
  ERROR: true,
});
export const complianceStatuses = literalsOf<ComplianceStatus>({
  Pending: true,
  Approved: true,
  Rejected: true,
  Cancelled: true,
  Refunded: true,
  Failed: true,
});
export const payoutStatuses = literalsOf<PayoutStatus>({
  AUTHORIZED: true,
  PENDING: true,
  CAPTURED: true,
  DECLINED: true,
  VOIDED: true,
  REFUNDED: true,
  ERROR: true,
});
export const caseKinds = literalsOf<CaseKind>({
  UNEXPECTED_FACT: true,
  AMOUNT_DIFFERS: true,
  CONTRADICTION: true,
  UNKNOWN_REFERENCE: true,
  STEP_UNKNOWN: true,
  REVERSAL_REFUSED: true,
  AUTHORIZATION_EXPIRED: true,
  RECONCILIATION_BREAK: true,
  PARKED_MESSAGE: true,
});
export const differenceClasses = literalsOf<DifferenceClass>({
  MISSING_HERE: true,
  MISSING_THERE: true,
  AMOUNT: true,
  CURRENCY: true,
  DOUBLED: true,
  GAP: true,
  SUSPENSE: true,
});
const factKinds = literalsOf<Fact["kind"]>({
  AUTHORIZED: true,
  CHALLENGED: true,
  DECLINED: true,
  CAPTURED: true,
  SETTLED: true,
  VOIDED: true,
  REFUNDED: true,
  RETURNED: true,
  CHARGED_BACK: true,
  PREPARED: true,
  REFERENCE_TAKEN: true,
  HELD: true,
  RELEASED: true,
  PAID: true,
  REJECTED: true,
  CANCELLED: true,
});

export const causeFields = part({ code: text, leg: oneOf(["pull", "payout"]) });
export const promiseFields = part({ blockId: text, place: number, account: text, currency: text, minor: integer });

/** The fields of all events. `kind` says which of `eventVariants` an event is. */
export const eventFields = part({
  kind: text,
  sequence: number,
  occurredAt: date,
  messages: listOf(String),
  cause: causeFields,
  releases: mayListOf(promiseFields),
}).set("discriminatorKey", "kind");
export const eventVariants = {
  status: part({ oldStatus: { ...states, required: false }, newStatus: states }),
  compliance: part({ oldStatus: { type: String, enum: complianceStatuses }, newStatus: oneOf(complianceStatuses) }),
  payout: part({
    oldStatus: { type: String, enum: payoutStatuses },
    newStatus: oneOf(payoutStatuses),
    railId: String,
    receipt: String,
    amount: text,
    currency: text,
  }),
  money: part({
    moved: text,
    entryId: String,
    postings: listOf(part({ account: text, currency: text, minor: integer })),
  }),
};

/**
 * The provider's text, sealed, and its hash. Both are absent for what is known from another source, and the text is kept for a limited
 * time.
 */
const evidence = { hash: String, raw: String };
export const factFields = part({
  id: text,
  provider: text,
  role: oneOf(["pull", "payout"] satisfies Fact["role"][]),
  kind: oneOf(factKinds),
  reference: text,
  movementId: text,
  stepReference: String,
  minor: BigInt,
  currency: String,
  providerAt: Date,
  at: date,
  reason: part({ code: String, text: String }),
  isImplied: flag,
  isAnonymous: flag,
  confirms: String,
  ...evidence,
});
export const attemptFields = part({
  step: oneOf(steps),
  provider: text,
  approach: oneOf(["send", "ask"]),
  outcome: text,
  code: String,
  at: date,
  tookMs: number,
  ...evidence,
});

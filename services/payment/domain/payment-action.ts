import { type Money, money } from "../../shared/kernel/money";
import { type DescribedReason, describeReason } from "../../shared/kernel/reason-codes";
import { legId } from "./legs";
import type { Payment, Pull, Refund } from "./payment";
import type { PaymentStatus } from "./payment-status";
import { approvedCode, declinedCode } from "./response-codes";

/** What a card's issuer reported about it. Absent texts are empty. */
export interface IssuerResult {
  authCode: string;
  issuerName: string;
  issuerCountry: string;
  cvc: string;
  avs: string;
}

/** The parts of the first answer to a capture, void or refund that are stored; the rest never changes in the payment and the refund. */
export interface ActionFacts {
  /** The form that was asked for first. */
  form: number;
  minor: bigint;
  effectiveAt: Date;
  status: PaymentStatus;
  /** Empty for a void. */
  responseCode: string;
  automaticReversed: boolean;
  /** Undefined for a refund. */
  issuer: IssuerResult | undefined;
  /** Why a refund was refused, worded as it was at that time. */
  reason: DescribedReason | undefined;
}

/** The first answer that the caller of a capture, void or refund received. */
export interface PaymentAction extends Omit<ActionFacts, "minor"> {
  paymentId: string;
  parentPaymentId: string;
  externalId: string;
  amount: Money;
  /** Undefined for a capture or a void. */
  refund: Pick<Refund, "externalId" | "reason"> | undefined;
}

const issuerOf = ({ authCode, card, cvc, avs }: Pull): IssuerResult => ({
  authCode: authCode ?? "",
  issuerName: card?.issuer ?? "",
  issuerCountry: card?.country ?? "",
  cvc: cvc ?? "N/A",
  avs: avs ?? "N/A",
});

/** Returns the facts of the first answer to a void that took effect. */
export const voidFacts = (payment: Payment, pull: Pull, form: number): ActionFacts => ({
  form,
  minor: payment.amount.minor,
  effectiveAt: pull.voidedAt ?? payment.updatedAt,
  status: "VOIDED",
  responseCode: "",
  automaticReversed: payment.automaticReversed,
  issuer: issuerOf(pull),
  reason: undefined,
});

/** Returns the facts of the first answer to a capture that took effect. */
export const captureFacts = (payment: Payment, pull: Pull, form: number): ActionFacts => ({
  form,
  minor: pull.capturedMinor,
  effectiveAt: pull.capturedAt ?? payment.updatedAt,
  status: "CAPTURED",
  responseCode: approvedCode,
  automaticReversed: false,
  issuer: issuerOf(pull),
  reason: undefined,
});

/** Returns the facts of the first answer to a refund that was done or refused. */
export const refundFacts = (refund: Refund, form: number): ActionFacts => ({
  form,
  minor: refund.minor,
  effectiveAt: refund.requestedAt,
  status: refund.status,
  responseCode: refund.status === "REFUNDED" ? approvedCode : declinedCode,
  automaticReversed: false,
  issuer: undefined,
  reason: refund.cause === undefined ? undefined : describeReason(refund.cause),
});

/** Builds the answer from its facts. A refund is a child payment of the leg that collected. */
export function actionOf(payment: Payment, refund: Refund | undefined, facts: ActionFacts): PaymentAction {
  const { minor, ...told } = facts;
  return {
    ...told,
    paymentId: refund?.id ?? payment.id,
    parentPaymentId: refund === undefined ? payment.id : legId(payment, "pull"),
    externalId: payment.externalId,
    amount: money(minor, payment.amount.currency),
    refund,
  };
}

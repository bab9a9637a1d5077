import { alpha2ToAlpha3 } from "i18n-iso-countries";
import type { Card, PaymentRecord } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { legId } from "../domain/legs";
import type { Payment, Pull } from "../domain/payment";
import { openChallenge } from "../domain/receipt";
import { senderDetailsOf } from "../domain/sender-details";
import type { PaymentView } from "../store/payment-store";
import { encodeReason } from "./reason-codec";

/** Returns the record of a payment, or of the leg or refund that has the id. */
export function encodePayment({ payment, history }: PaymentView): PaymentRecord {
  const { pull, amount, status } = payment;
  const payer = senderDetailsOf(payment);
  const capturedMinor = pull?.capturedMinor ?? (payment.capturedAt === undefined ? 0n : amount.minor);
  return {
    paymentId: payment.id,
    parentPaymentId: payment.id,
    externalPaymentId: payment.externalId,
    requestedAt: history.at(-1)?.at ?? payment.createdAt,
    capturedAt: payment.capturedAt,
    amount: { amountMinor: amount.minor, currency: amount.currency },
    capturedMinor,
    refundedMinor: refundedMinor(payment),
    status,
    approved: status === "AUTHORIZED" || status === "CAPTURED" || status === "REFUNDED",
    ipAddress: payment.ipAddress,
    billing: {
      stateCode: payer.stateCode,
      city: payer.city,
      line1: payer.line1,
      line2: payer.line2,
      state: payer.state,
      zipCode: payer.zipCode,
      countryCode: payer.countryCode,
    },
    customer: {
      firstName: payer.firstName,
      lastName: payer.lastName,
      phoneNumber: payer.phoneNumber,
      email: payer.email,
    },
    fees: payment.fees.map(({ sourceId, eventId, at, minor }) => ({
      sourceId,
      eventId,
      createdAt: at,
      amountMinor: minor,
    })),
    history: history.map((entry) => ({
      paymentId: entry.paymentId,
      requestedAt: entry.at,
      code: entry.code,
      status: entry.status,
      description: entry.description,
      requestedMinor: entry.amount.minor,
      reason: encodeReason(entry.cause),
    })),
    transactionState: payment.state,
    card: pull === undefined ? undefined : encodeCard(pull),
    redirectAcsUrl: openChallenge(payment),
    reason: encodeReason(payment.cause),
  };
}

/** Returns the refunded amount: all of a returned payout, or what a pull has given back. */
function refundedMinor({ pull, status, amount }: Payment): bigint {
  if (pull !== undefined) return pull.refundedMinor;
  return status === "REFUNDED" ? amount.minor : 0n;
}

function encodeCard({ card, avs, cvc }: Pull): Card | undefined {
  if (card === undefined) return undefined;
  return {
    bin: card.bin,
    binNumber: card.binNumber,
    lastFour: card.lastFour,
    scheme: card.scheme,
    issuer: card.issuer,
    countryName: card.countryName,
    countryCode: card.country,
    countryCode3: alpha2ToAlpha3(card.country) ?? "",
    cardType: card.type,
    category: card.category,
    currency: card.currency,
    avsStatus: checkStatus(avs),
    cvcStatus: checkStatus(cvc),
  };
}

/** Returns one of the specification's four words for an issuer's check result. */
function checkStatus(word: string | undefined): string {
  if (word === undefined || word === "NOT_SENT") return "NOT_SENT";
  if (word === "APPROVED") return "APPROVED";
  return ["N/A", "NA", "NOT_CHECKED", "NOT_SUPPORTED"].includes(word) ? "N/A" : "FAILED";
}

/** Returns the record of one leg or refund of a payment, found by its own id. */
export function encodeChild(view: PaymentView, id: string): PaymentRecord {
  const { payment, history } = view;
  const whole = encodePayment(view);
  const refund = payment.refunds.find((candidate) => candidate.id === id);
  const own = history.filter((entry) => entry.paymentId === id);
  const facts = {
    paymentId: id,
    parentPaymentId: payment.id,
    externalPaymentId: id,
    fees: whole.fees.filter(({ sourceId }) => sourceId === id),
    history: whole.history.filter(({ paymentId }) => paymentId === id),
    requestedAt: own.at(-1)?.at ?? refund?.requestedAt ?? payment.createdAt,
    reason: encodeReason(own.at(-1)?.cause),
  };
  if (refund !== undefined) {
    const isDone = refund.status === "REFUNDED";
    const refundedMinor = isDone ? refund.minor : 0n;
    const amount = { amountMinor: refund.minor, currency: payment.amount.currency };
    return {
      ...whole,
      ...facts,
      amount,
      refundedMinor,
      capturedMinor: 0n,
      capturedAt: undefined,
      status: refund.status,
      approved: isDone,
    };
  }
  const isPull = id === legId(payment, "pull");
  return isPull ? { ...whole, ...facts } : { ...whole, ...facts, card: undefined, fees: [], refundedMinor: 0n };
}

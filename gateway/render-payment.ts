import type { Card, PaymentRecord } from "../proto/gen/corridor/payment/v1/payment_service";
import { paymentTime } from "../services/shared/kernel/clock";
import { exactNumber } from "../services/shared/kernel/exact-number";
import { formatMoney, money } from "../services/shared/kernel/money";
import { renderReason } from "./render-reason";

const timeOrNull = (at: Date | undefined): string | null => (at === undefined ? null : paymentTime(at));

/** The payment record of `GET /payments/{externalPaymentId}`. */
export function renderPaymentV1(payment: PaymentRecord) {
  const { stateCode, city, line1, state, zipCode } = payment.billing ?? noBilling;
  return renderRecord(payment, { stateCode, city, line1, state, zipCode }, payment.card && renderCard(payment.card));
}

/** The payment record of `GET /v2/payment/{externalId}`: that of version 1 with additional members. */
export function renderPaymentV2(payment: PaymentRecord) {
  const { stateCode, city, line1, line2, state, zipCode, countryCode } = payment.billing ?? noBilling;
  const { redirectAcsUrl } = payment;
  const record = renderRecord(
    payment,
    { stateCode, city, line1, line2, state, zipCode, countryCode },
    payment.card && renderCardV2(payment.card),
  );
  return redirectAcsUrl === undefined ? record : { ...record, redirectAcsUrl };
}

const renderCard = (card: Card) => ({
  lastFourDigits: card.lastFour,
  bin: card.bin,
  schemeId: card.scheme,
  issuer: card.issuer,
  country: card.countryName,
  countryCode: card.countryCode,
  cardType: card.cardType,
  cardCategory: card.category,
  currencyCode: card.currency,
});

const renderCardV2 = (card: Card) => ({
  ...renderCard(card),
  binNumber: card.binNumber,
  countryCode3: card.countryCode3,
  avsStatus: card.avsStatus,
  cvcStatus: card.cvcStatus,
});

const noBilling = { stateCode: "", city: "", line1: "", line2: "", state: "", zipCode: "", countryCode: "" };
const noCustomer = { firstName: "", lastName: "", phoneNumber: "", email: "" };

function renderRecord<Billing, Card>(payment: PaymentRecord, billing: Billing, card: Card | undefined) {
  const { amount, requestedAt } = payment;
  if (amount === undefined || requestedAt === undefined) throw new Error("the payment record lacks its amount or time");
  const number = (minor: bigint): object => exactNumber(formatMoney(money(minor, amount.currency)));
  const { firstName, lastName, phoneNumber, email } = payment.customer ?? noCustomer;
  const refunds = payment.history.filter(({ code }) => code === "REFUND");
  return {
    parentPaymentId: payment.parentPaymentId,
    externalId: payment.externalPaymentId,
    requestedOn: paymentTime(requestedAt),
    capturedOn: timeOrNull(payment.capturedAt),
    refundedOn: timeOrNull(refunds.at(-1)?.requestedAt),
    amount: number(amount.amountMinor),
    capturedAmount: number(payment.capturedMinor),
    refundedAmount: number(payment.refundedMinor),
    amountRequested: number(amount.amountMinor),
    currency: amount.currency,
    status: payment.status,
    ...renderReason(payment.reason),
    approved: payment.approved,
    ipAddress: payment.ipAddress,
    billing,
    customer: { firstName, lastName, phoneNumber, email },
    transactionFees: payment.fees.map((fee) => ({
      sourceId: fee.sourceId,
      source: "PAYMENT",
      eventId: fee.eventId,
      dtCreated: timeOrNull(fee.createdAt),
      amount: number(fee.amountMinor),
    })),
    history: payment.history.map((entry) => ({
      paymentId: entry.paymentId,
      requestedOn: timeOrNull(entry.requestedAt),
      code: entry.code,
      status: entry.status,
      description: entry.description,
      requestedAmount: number(entry.requestedMinor),
      ...renderReason(entry.reason),
    })),
    ...(card === undefined ? {} : { card }),
  };
}

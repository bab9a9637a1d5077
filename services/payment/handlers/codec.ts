import type { PaymentRecord } from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { HistoryEntry, Payment } from "../domain/payment";

export function encodePayment(payment: Payment, history: readonly HistoryEntry[]): PaymentRecord {
  const { payer } = payment;
  const isCaptured = payment.status === "CAPTURED";
  return {
    paymentId: payment.id,
    parentPaymentId: payment.id,
    externalPaymentId: payment.externalId,
    requestedAt: history.at(-1)?.at ?? payment.createdAt,
    capturedAt: payment.capturedAt,
    amount: { amountMinor: payment.amount.minor, currency: payment.amount.currency },
    capturedMinor: isCaptured ? payment.amount.minor : 0n,
    refundedMinor: 0n,
    status: payment.status,
    approved: isCaptured,
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
    fees: [],
    history: history.map((entry) => ({
      paymentId: payment.id,
      requestedAt: entry.at,
      code: entry.code,
      status: entry.status,
      description: entry.description,
      requestedMinor: entry.amount.minor,
    })),
    transactionState: payment.state,
  };
}

import {
  type PaymentEvent,
  PaymentEvents,
  type PayoutChange,
} from "../../../proto/gen/corridor/payment/v1/payment_events";
import type { SubjectEvents } from "../domain/handled";
import { type Change, changeNotification, type Transaction } from "../domain/transaction-event";
import { sequencedEvent } from "./sequenced-event";

/** Reads a message of subject corridor.payment.events. Throws when a required part is missing. */
export function decodePaymentEvents(payload: Uint8Array): Omit<SubjectEvents, "stream"> {
  const { tenant, paymentId, externalPaymentId, events } = PaymentEvents.decode(payload);
  if (tenant === "" || paymentId === "" || events.length === 0)
    throw new Error("the message names no payment or event");
  const transaction = { tenant, transactionId: paymentId, externalTransactionId: externalPaymentId ?? null };
  return {
    subject: { tenant, id: paymentId },
    externalId: externalPaymentId,
    events: events.map((event) => sequencedEvent(event, () => tell(transaction, event))),
  };
}

function tell(transaction: Transaction, { change, messages, reason }: PaymentEvent) {
  if (change === undefined) throw new Error("an event lacks its change");
  return change.$case === "money" ? undefined : changeNotification(transaction, decodeChange(change), messages, reason);
}

function decodeChange(change: Exclude<NonNullable<PaymentEvent["change"]>, { $case: "money" }>): Change {
  if (change.$case === "payout") return decodePayout(change.value);
  const { oldStatus, newStatus } = change.value;
  return { kind: change.$case, oldStatus: oldStatus ?? null, newStatus };
}

const decodePayout = (payout: PayoutChange): Change => ({
  kind: "payout",
  oldStatus: payout.oldStatus ?? null,
  newStatus: payout.newStatus,
  gatewayPaymentId: payout.gatewayPaymentId ?? null,
  gmtReceipt: payout.gmtReceipt ?? null,
  amount: payout.amount === "" ? null : { total: payout.amount, currency: payout.currency },
});

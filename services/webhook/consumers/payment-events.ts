import {
  type PaymentEvent,
  PaymentEvents,
  type PayoutChange,
} from "../../../proto/gen/corridor/payment/v1/payment_events";
import type { Change, SilentEvent, TransactionEvent } from "../domain/transaction-event";
import type { FanOutEventsCommand } from "../operations/fan-out-events";

/** Reads a message of subject corridor.payment.events. Throws when a part is missing that no event can do without. */
export function decodePaymentEvents(payload: Uint8Array, stream: string): FanOutEventsCommand {
  const { tenant, paymentId, externalPaymentId, events } = PaymentEvents.decode(payload);
  if (tenant === "" || paymentId === "" || events.length === 0)
    throw new Error("the message names no payment or event");
  return {
    stream,
    transaction: { tenant, transactionId: paymentId, externalTransactionId: externalPaymentId ?? null },
    events: events.map(decodeEvent),
  };
}

function decodeEvent(event: PaymentEvent): TransactionEvent | SilentEvent {
  const { eventId, sequence, occurredAt, traceparent, messages, change } = event;
  if (eventId === "" || sequence < 1 || occurredAt === undefined || change === undefined) {
    throw new Error("an event lacks its id, place, time or change");
  }
  const facts = {
    id: eventId,
    sequence,
    occurredAt,
    traceparent: traceparent === "" ? undefined : traceparent,
    messages,
  };
  return change.$case === "money" ? { ...facts, change: undefined } : { ...facts, change: decodeChange(change) };
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

import {
  type PaymentEvent,
  PaymentEvents,
  type PayoutChange,
} from "../../../proto/gen/corridor/payment/v1/payment_events";
import type { Change, TransactionEvent } from "../domain/transaction-event";
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

function decodeEvent({ eventId, sequence, occurredAt, traceparent, messages, change }: PaymentEvent): TransactionEvent {
  if (eventId === "" || sequence < 1 || occurredAt === undefined || change === undefined) {
    throw new Error("an event lacks its id, place, time or change");
  }
  return {
    id: eventId,
    sequence,
    occurredAt,
    traceparent: traceparent === "" ? undefined : traceparent,
    messages,
    change: decodeChange(change),
  };
}

function decodeChange(change: NonNullable<PaymentEvent["change"]>): Change {
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

import { PaymentEvents, type PaymentEvent as WireEvent } from "../../../proto/gen/corridor/payment/v1/payment_events";
import { eventIdOf, type PaymentEvent } from "../domain/payment";
import type { EncodeEvents } from "../store/payment-outbox";
import { encodeReason } from "./reason-codec";

export const encodeEvents: EncodeEvents = ({ _id: id, ...subject }, events) =>
  PaymentEvents.encode({
    tenant: subject.tenant,
    paymentId: id,
    externalPaymentId: subject.agentId === undefined ? subject.externalId : subject.externalTransactionId,
    events: events.map((event) => encodeEvent({ ...subject, id }, event)),
  }).finish();

/** Encodes one event of a payment, with an id that is the same on every repeat. */
export const encodeEvent = (
  { id, traceparent }: { id: string; traceparent: string },
  event: PaymentEvent,
): WireEvent => ({
  eventId: eventIdOf(id, event),
  sequence: event.sequence,
  occurredAt: event.occurredAt,
  traceparent,
  messages: event.messages,
  reason: encodeReason(event.cause),
  releases: [...(event.releases ?? [])],
  change: encodeChange(event),
});

function encodeChange(event: PaymentEvent): WireEvent["change"] {
  switch (event.kind) {
    case "status":
      return { $case: "status", value: { oldStatus: event.oldStatus, newStatus: event.newStatus } };
    case "compliance":
      return { $case: "compliance", value: { oldStatus: event.oldStatus, newStatus: event.newStatus } };
    case "payout":
      return {
        $case: "payout",
        value: {
          oldStatus: event.oldStatus,
          newStatus: event.newStatus,
          gatewayPaymentId: event.railId,
          gmtReceipt: event.receipt,
          amount: event.amount,
          currency: event.currency,
        },
      };
    case "money":
      return {
        $case: "money",
        value: { kind: event.moved, postings: [...event.postings], entryId: event.entryId ?? "" },
      };
  }
}

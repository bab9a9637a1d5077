import type { PaymentEvent } from "../../proto/gen/corridor/payment/v1/payment_events";
import type { ProviderAttempt } from "../../proto/gen/corridor/payment/v1/payment_service";
import { type Delivery, DeliveryState } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { renderReason } from "../render-reason";
import { jsonAnswer, type Route, requireParam } from "../route";
import {
  arrayOf,
  instantSchema,
  integerSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { reasonFields, reasonNames } from "../schemas/reason-schema";

const moved = {
  sequence: integerSchema("Position among the payment's changes, from 1."),
  at: instantSchema("When it was decided."),
  messages: arrayOf(textSchema("Plain words.")),
};
const change = objectSchema(
  {
    ...moved,
    from: nullable(textSchema("Value before; null on the first.")),
    to: textSchema("Value after."),
    ...reasonFields,
  },
  reasonNames,
);

const timelineSchema = objectSchema({
  paymentId: textSchema("Id of the payment."),
  externalPaymentId: textSchema("The caller's id."),
  traceIds: arrayOf(textSchema("W3C trace id of the work that caused the changes.")),
  states: arrayOf(change),
  compliance: arrayOf(change),
  payout: arrayOf(change),
  attempts: arrayOf(
    objectSchema(
      {
        step: textSchema("For example authorize, prepare or release."),
        provider: textSchema("Name of the provider."),
        approach: textSchema("send, or ask after an unknown outcome."),
        outcome: textSchema("Status in the provider's report, absent or unknown."),
        at: instantSchema("When the outcome was there."),
        tookMs: integerSchema("How long the call took."),
        ...reasonFields,
      },
      reasonNames,
    ),
  ),
  postings: arrayOf(
    objectSchema({
      ...moved,
      kind: textSchema("What moved the money."),
      postings: arrayOf(
        objectSchema({
          account: textSchema("Account of the ledger."),
          currency: textSchema("ISO 4217."),
          amount: numberSchema("What entered the account; negative for what left it."),
        }),
      ),
    }),
  ),
  webhookDeliveries: arrayOf(
    objectSchema({
      deliveryId: textSchema("Id of the delivery."),
      webhookId: textSchema("Id of the subscription."),
      event: textSchema("Name of the event."),
      sequence: integerSchema("Position of the change that it tells."),
      status: textSchema("PENDING, DELIVERED or FAILED."),
      attempts: integerSchema("Attempts made so far."),
      lastStatus: nullable(integerSchema("HTTP status of the last answer.")),
    }),
  ),
});

const mostDeliveries = 200;

export function paymentTimelineRoutes({ payment, webhook }: Pick<Upstreams, "payment" | "webhook">): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v2/payment/{externalId}/timeline",
      scheme: "bearer",
      scope: "payments",
      summary:
        "Everything that happened to a payment: states, provider calls, postings, compliance, webhook deliveries.",
      tag: "Payments",
      body: "none",
      params: { externalId: "The externalPaymentId of the payment." },
      success: { status: 200, description: "The timeline.", schema: timelineSchema },
      refusals: ["PAYMENT_NOT_FOUND"],
      async handle(call) {
        const { tenant } = call;
        const found = await payment.getTimeline({ tenant, externalPaymentId: requireParam(call, "externalId") });
        const { deliveries } = await webhook.listDeliveries({
          tenant,
          subscriptionId: undefined,
          subjectId: found.paymentId,
          state: DeliveryState.UNSPECIFIED,
          after: "",
          limit: mostDeliveries,
        });
        return jsonAnswer({
          paymentId: found.paymentId,
          externalPaymentId: found.externalPaymentId,
          traceIds: traceIdsOf(found.events),
          states: changesOf(found.events, "status"),
          compliance: changesOf(found.events, "compliance"),
          payout: changesOf(found.events, "payout"),
          attempts: found.attempts.map(renderAttempt),
          postings: found.events.flatMap(renderPostings),
          webhookDeliveries: deliveries.toReversed().map(renderDelivery),
        });
      },
    },
  ];
}

const traceIdsOf = (events: readonly PaymentEvent[]): string[] => [
  ...new Set(events.flatMap(({ traceparent }) => traceparent.split("-")[1] ?? [])),
];

const movedOf = ({ sequence, occurredAt, messages }: PaymentEvent) => ({
  sequence,
  at: occurredAt?.toISOString() ?? null,
  messages,
});

const changesOf = (events: readonly PaymentEvent[], kind: "status" | "compliance" | "payout"): object[] =>
  events.flatMap((event) => {
    if (event.change?.$case !== kind) return [];
    const { oldStatus, newStatus } = event.change.value;
    return [{ ...movedOf(event), from: oldStatus ?? null, to: newStatus, ...renderReason(event.reason) }];
  });

function renderPostings(event: PaymentEvent): object[] {
  if (event.change?.$case !== "money") return [];
  const { kind, postings } = event.change.value;
  const sides = postings.map(({ account, currency, minor }) => ({
    account,
    currency,
    amount: exactNumber(signed(minor, currency)),
  }));
  return [{ ...movedOf(event), kind, postings: sides }];
}

const signed = (minor: bigint, currency: string): string =>
  minor < 0n ? `-${formatMoney(money(-minor, currency))}` : formatMoney(money(minor, currency));

const renderAttempt = ({ step, provider, approach, outcome, at, tookMs, reason }: ProviderAttempt): object => ({
  step,
  provider,
  approach,
  outcome,
  at: at?.toISOString() ?? null,
  tookMs,
  ...renderReason(reason),
});

const deliveryStates: Readonly<Record<DeliveryState, string>> = {
  [DeliveryState.UNSPECIFIED]: "PENDING",
  [DeliveryState.PENDING]: "PENDING",
  [DeliveryState.DELIVERED]: "DELIVERED",
  [DeliveryState.FAILED]: "FAILED",
  [DeliveryState.UNRECOGNIZED]: "PENDING",
};

const renderDelivery = (delivery: Delivery): object => ({
  deliveryId: delivery.id,
  webhookId: delivery.subscriptionId,
  event: delivery.event,
  sequence: delivery.sequence,
  status: deliveryStates[delivery.state],
  attempts: delivery.attempts,
  lastStatus: delivery.lastStatus ?? null,
});

import type { PaymentEvent } from "../../proto/gen/corridor/payment/v1/payment_events";
import type { GetTimelineResponse, ProviderAttempt } from "../../proto/gen/corridor/payment/v1/payment_service";
import { type Delivery, DeliveryState } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, answerWith, exact, instant, integer, listOf, oneOf, orNull, text } from "../contract/parts";
import { reasonMembers } from "../contract/reasons";
import { renderReason } from "../render-reason";
import type { Route } from "../route";

const deliveryWords = ["PENDING", "DELIVERED", "FAILED"] as const;

const moved = {
  sequence: integer("Position among the payment's changes, from 1."),
  at: orNull(instant("When it was decided.")),
  messages: listOf("What happened.", text("Plain words.")),
} as const;
const change = answerWith(
  "PaymentChange",
  "A change of a payment.",
  { ...moved, from: orNull(text("Value before; null on the first.")), to: text("Value after.") },
  reasonMembers,
);
const attempt = answerWith(
  "ProviderAttempt",
  "A call to a provider.",
  {
    step: text("For example authorize, prepare or release."),
    provider: text("Name of the provider."),
    approach: text("send, or ask after an unknown outcome."),
    outcome: text("Status in the provider's report, absent or unknown."),
    at: orNull(instant("When the outcome was there.")),
    tookMs: integer("How long the call took."),
  },
  reasonMembers,
);
const entry = answer("PaymentPosting", "What moved money.", {
  ...moved,
  kind: text("What moved the money."),
  postings: listOf(
    "What it posted.",
    answer("PaymentPostingSide", "What entered or left an account.", {
      account: text("Account of the ledger."),
      currency: text("ISO 4217."),
      amount: exact("What entered the account; negative for what left it."),
    }),
  ),
});
const delivery = answer("PaymentDelivery", "One event that was sent to a webhook.", {
  deliveryId: text("Id of the delivery."),
  webhookId: text("Id of the subscription."),
  event: text("Name of the event."),
  sequence: integer("Position of the change that it reports."),
  status: oneOf("Where it stands.", deliveryWords),
  attempts: integer("Attempts made so far."),
  lastStatus: orNull(integer("HTTP status of the last answer.")),
});

/** The history of a payment. */
export const timelineMembers = {
  paymentId: text("Id of the payment."),
  externalPaymentId: text("The caller's id."),
  traceIds: listOf("What caused the changes.", text("W3C trace id of the work that caused the changes.")),
  states: listOf("Changes of its state.", change),
  compliance: listOf("Changes of its compliance.", change),
  payout: listOf("Changes of its payout.", change),
  attempts: listOf("Calls to providers.", attempt),
  postings: listOf("What moved money.", entry),
  webhookDeliveries: listOf("What was sent to webhooks.", delivery),
} as const;
const timeline = answer("PaymentTimeline", "Everything that happened to a payment.", timelineMembers);

const mostDeliveries = 200;

export const paymentTimelineRoutes = ({
  payment,
  webhook,
}: Pick<Upstreams, "payment" | "webhook">): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/v2/payment/{externalId}/timeline",
    scheme: "bearer",
    scope: "payments",
    summary: "Everything that happened to a payment: states, provider calls, postings, compliance, webhook deliveries.",
    tag: "Payments",
    params: { externalId: "The externalPaymentId of the payment." },
    response: { status: 200, description: "The timeline.", schema: timeline },
    refusals: ["PAYMENT_NOT_FOUND"],
    handle: ({ tenant, params: { externalId } }) => readTimeline({ payment, webhook }, tenant, externalId),
  }),
];

/** Throws PAYMENT_NOT_FOUND. */
async function readTimeline(
  upstreams: Pick<Upstreams, "payment" | "webhook">,
  tenant: string,
  externalPaymentId: string,
): Promise<Answered<typeof timeline>> {
  const request = { tenant, externalPaymentId, withEvidence: false };
  return renderTimeline(upstreams, tenant, await upstreams.payment.getTimeline(request));
}

/** Returns the payment's own history together with that of its webhooks. */
export async function renderTimeline(
  { webhook }: Pick<Upstreams, "webhook">,
  tenant: string,
  found: GetTimelineResponse,
): Promise<Answered<typeof timeline>> {
  const { deliveries } = await webhook.listDeliveries({
    tenant,
    subscriptionId: undefined,
    subjectId: found.paymentId,
    state: DeliveryState.UNSPECIFIED,
    after: "",
    limit: mostDeliveries,
  });
  return {
    paymentId: found.paymentId,
    externalPaymentId: found.externalPaymentId,
    traceIds: traceIdsOf(found.events),
    states: changesOf(found.events, "status"),
    compliance: changesOf(found.events, "compliance"),
    payout: changesOf(found.events, "payout"),
    attempts: found.attempts.map(renderAttempt),
    postings: found.events.flatMap(renderPostings),
    webhookDeliveries: deliveries.toReversed().map(renderDelivery),
  };
}

const traceIdsOf = (events: readonly PaymentEvent[]): string[] => [
  ...new Set(events.flatMap(({ traceparent }) => traceparent.split("-")[1] ?? [])),
];

const movedOf = ({ sequence, occurredAt, messages }: PaymentEvent) => ({
  sequence,
  at: occurredAt ?? null,
  messages,
});

const changesOf = (
  events: readonly PaymentEvent[],
  kind: "status" | "compliance" | "payout",
): Answered<typeof change>[] =>
  events.flatMap((event) => {
    if (event.change?.$case !== kind) return [];
    const { oldStatus, newStatus } = event.change.value;
    return [{ ...movedOf(event), from: oldStatus ?? null, to: newStatus, ...renderReason(event.reason) }];
  });

function renderPostings(event: PaymentEvent): Answered<typeof entry>[] {
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

const renderAttempt = ({ step, provider, approach, outcome, at, tookMs, reason }: ProviderAttempt) => ({
  step,
  provider,
  approach,
  outcome,
  at: at ?? null,
  tookMs,
  ...renderReason(reason),
});

const deliveryStates: Readonly<Record<DeliveryState, (typeof deliveryWords)[number]>> = {
  [DeliveryState.UNSPECIFIED]: "PENDING",
  [DeliveryState.PENDING]: "PENDING",
  [DeliveryState.DELIVERED]: "DELIVERED",
  [DeliveryState.FAILED]: "FAILED",
  [DeliveryState.UNRECOGNIZED]: "PENDING",
};

const renderDelivery = ({ id, subscriptionId, event, sequence, state, attempts, lastStatus }: Delivery) => ({
  deliveryId: id,
  webhookId: subscriptionId,
  event,
  sequence,
  status: deliveryStates[state],
  attempts,
  lastStatus: lastStatus ?? null,
});

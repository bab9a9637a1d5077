import type { Hold } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  amount as amountShape,
  answer,
  answerWith,
  closedQuery,
  flag,
  instant,
  listOf,
  oneOf,
  orNull,
  request,
  text,
  uuid,
} from "../contract/parts";
import { amountJson } from "../render-amount";
import type { Route } from "../route";
import { pageMembers } from "./page";
import { requireListed } from "./payment-list-routes";

export interface PaymentRouteDeps {
  upstreams: Pick<Upstreams, "payment">;
}

/** Decisions about payments, for operators. */
export const operatorPaymentRoutes = (deps: PaymentRouteDeps): readonly Route[] => [
  reversalRoute(deps),
  ...holdRoutes(deps),
];

const paymentTypes = ["PUSH", "PULL", "PULLPUSH"] as const;
const movers = ["payer", "recipient", "platform", "provider"] as const;

const holdShape = answerWith(
  "HeldPayment",
  "A payment that waits for a person.",
  {
    paymentId: uuid("Id."),
    tenant: text("Slug of its tenant."),
    externalPaymentId: text("The caller's id."),
    type: oneOf("What it does.", paymentTypes),
    transactionState: text("Where its transaction stands."),
    amount: amountShape,
    kind: text(
      "REVIEW: see its review. REVERSAL: approve or refuse it. RAIL: its rail holds it. PROVIDER: a provider is silent.",
    ),
    createdAt: orNull(instant("When it was made.")),
    escalatedAt: orNull(instant("Since when a person must look; null while the wait is not long yet.")),
  },
  {
    reasonCode: text(
      "Why it is not as it was asked for: an external code of ISO 20022, or the card scheme's response code; absent while it is.",
    ),
    whoseMove: oneOf("Who can do something about it.", movers),
    reasonMessage: text("The reason in one sentence."),
  },
);

const holdPage = answer("HeldPaymentPage", "A page of payments that wait for a person.", {
  holds: listOf("The oldest first.", holdShape),
  next: orNull(text("Cursor of the next page.")),
});

const renderHold = ({
  externalId,
  amount,
  createdAt,
  escalatedAt,
  reason,
  ...hold
}: Hold): Answered<typeof holdShape> => ({
  ...hold,
  type: knownWord(paymentTypes, hold.type),
  ...(reason === undefined
    ? {}
    : {
        reasonCode: reason.code,
        whoseMove: movers.find((known) => known === reason.whoseMove),
        reasonMessage: reason.sentence,
      }),
  externalPaymentId: externalId,
  amount: amountJson(amount),
  createdAt: createdAt ?? null,
  escalatedAt: escalatedAt ?? null,
});

const paymentParams = { tenant: "Slug of the tenant.", paymentId: "Id of the payment, a UUID." };
const common = { scheme: "operator", tag: "Payments" } as const;

const holdQuery = closedQuery("Which page is meant.", pageMembers);
const stateShape = answer("TransactionStateNow", "Where a payment is now.", {
  transactionState: text("State of the transaction."),
});

/** Payments that wait for a person. */
const holdRoutes = ({ upstreams: { payment } }: PaymentRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/holds",
    summary: "List payments of all tenants that wait for a person, the oldest first.",
    query: holdQuery,
    response: { status: 200, description: "A page.", schema: holdPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { after, limit } }) {
      const { holds, next } = await payment.listHolds({ after, limit });
      return { holds: holds.map(renderHold), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/payments/{paymentId}/hold/rejection",
    summary: "Stop a payout that its rail holds; what was authorised is voided.",
    params: paymentParams,
    response: { status: 200, description: "Where the payment is now. May be repeated.", schema: stateShape },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
    async handle({ params }) {
      await requireListed(payment, { ...params, withPeople: false });
      return payment.rejectHold(params);
    },
  }),
];

const reversalRequest = request("ReversalDecision", "Whether a reversal is made.", {
  approve: flag("True gives the money back; false lets the payment go on."),
});

const reversalShape = answer("ReversalDecided", "Where the payment is now.", {
  transactionState: text("State of the transaction after the decision."),
});

const reversalRoute = ({ upstreams: { payment } }: PaymentRouteDeps): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/tenants/{tenant}/payments/{paymentId}/reversal",
    summary: "Approve or refuse a reversal that waits.",
    params: paymentParams,
    request: reversalRequest,
    response: {
      status: 200,
      description: "Where the payment is now.",
      schema: reversalShape,
    },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT", "RECORD_CONFLICT"],
    async handle({ params, body: { approve } }) {
      await requireListed(payment, { ...params, withPeople: false });
      return payment.decideReversal({ ...params, approve });
    },
  });

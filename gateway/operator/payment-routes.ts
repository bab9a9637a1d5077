import type { Hold } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { amountJson } from "../render-amount";
import { renderReason } from "../render-reason";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  amountSchema,
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { reasonFields, reasonNames } from "../schemas/reason-schema";
import { pageLimit, pageQuery } from "./page";

export interface PaymentRouteDeps {
  upstreams: Pick<Upstreams, "payment">;
}

/** Decisions about payments, for operators. */
export const operatorPaymentRoutes = (deps: PaymentRouteDeps): readonly Route[] => [
  ...reversalRoutes(deps),
  ...holdRoutes(deps),
];

const kinds = ["REVIEW", "REVERSAL", "RAIL", "PROVIDER"];

const holdSchema = objectSchema(
  {
    paymentId: textSchema("UUID."),
    tenant: textSchema("Slug of its tenant."),
    externalPaymentId: textSchema("The caller's id."),
    type: enumSchema("What it does.", ["PUSH", "PULL", "PULLPUSH"]),
    transactionState: textSchema("Where its transaction stands."),
    amount: amountSchema,
    kind: enumSchema(
      "REVIEW: see its review. REVERSAL: approve or refuse it. RAIL: its rail holds it. PROVIDER: a provider is silent.",
      kinds,
    ),
    createdAt: nullable(instantSchema("When it was made.")),
    escalatedAt: nullable(instantSchema("Since when a person must look; null while the wait is not long yet.")),
    ...reasonFields,
  },
  reasonNames,
);

const renderHold = ({ externalId, amount, createdAt, escalatedAt, reason, ...hold }: Hold): object => ({
  ...hold,
  ...renderReason(reason),
  externalPaymentId: externalId,
  amount: amountJson(amount),
  createdAt: createdAt?.toISOString() ?? null,
  escalatedAt: escalatedAt?.toISOString() ?? null,
});

/** Payments that wait for a person. */
const holdRoutes = ({ upstreams: { payment } }: PaymentRouteDeps): readonly Route[] => [
  {
    method: "GET",
    path: "/holds",
    scheme: "operator",
    tag: "Payments",
    summary: "List payments of all tenants that wait for a person, the oldest first.",
    body: "none",
    query: pageQuery,
    success: {
      status: 200,
      description: "A page.",
      schema: objectSchema({ holds: arrayOf(holdSchema), next: nullable(textSchema("Cursor of the next page.")) }),
    },
    refusals: ["INVALID_ARGUMENT"],
    async handle(call: OperatorCall) {
      const query = readQuery(call);
      const after = query.optionalText("after");
      const limit = query.wholeNumber("limit", pageLimit);
      query.finish();
      const { holds, next } = await payment.listHolds({ after, limit });
      return jsonAnswer({ holds: holds.map(renderHold), next: next ?? null });
    },
  },
  {
    method: "POST",
    path: "/tenants/{tenant}/payments/{paymentId}/hold/rejection",
    scheme: "operator",
    tag: "Payments",
    summary: "Stop a payout that its rail holds; what was authorised is voided.",
    body: "none",
    params: { tenant: "Slug of the tenant.", paymentId: "Id of the payment, a UUID." },
    success: {
      status: 200,
      description: "Where the payment is now. May be repeated.",
      schema: objectSchema({ transactionState: textSchema("State of the transaction.") }),
    },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
    async handle(call: OperatorCall) {
      const which = { tenant: requireParam(call, "tenant"), paymentId: requireParam(call, "paymentId") };
      return jsonAnswer(await payment.rejectHold(which));
    },
  },
];

function reversalRoutes({ upstreams: { payment } }: PaymentRouteDeps): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/tenants/{tenant}/payments/{paymentId}/reversal",
      scheme: "operator",
      tag: "Payments",
      summary: "Approve or refuse a reversal that waits.",
      body: "json",
      params: { tenant: "Slug of the tenant.", paymentId: "Id of the payment, a UUID." },
      requestSchema: objectSchema({
        approve: booleanSchema("True gives the money back; false lets the payment go on."),
      }),
      success: {
        status: 200,
        description: "Where the payment is now.",
        schema: objectSchema({ transactionState: textSchema("State of the transaction after the decision.") }),
      },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT", "RECORD_CONFLICT"],
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const approve = fields.optionalFlag("approve");
        fields.check(approve !== undefined, "approve", "is required and must be true or false");
        fields.finish();
        const which = { tenant: requireParam(call, "tenant"), paymentId: requireParam(call, "paymentId") };
        const decision = { ...which, approve: approve === true };
        return jsonAnswer(await payment.decideReversal(decision));
      },
    },
  ];
}

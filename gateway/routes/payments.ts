import type { PaymentRecord } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import { actionForm, renderCapture, renderRefund, renderVoid, toAmount, unfitAmount } from "../codec/payment-action";
import { inCallersWords, refuseChecked } from "../codec/payment-checks";
import { toIntent, unfitMembers } from "../codec/payment-intent";
import { receiptForm, renderReceipt, replayedHeader } from "../codec/render-receipt";
import { defineRoute, replyWith, requireNoParameters } from "../contract/define-route";
import * as contracts from "../contract/payment-actions";
import { paymentReceipt } from "../contract/payment-receipt";
import { paymentRequest } from "../contract/payments";
import { inRequestWords, refusedIn } from "../contract/request-fields";
import { renderPaymentV1, renderPaymentV2 } from "../render-payment";
import { jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import requestExamples from "../schemas/payment-examples.json";
import { paymentRecordV1Schema, paymentRecordV2Schema } from "../schemas/payment-schemas";

const tag = "Payments";

const action = {
  method: "POST",
  scheme: "bearer",
  scope: "payments",
  tag,
  params: { externalPaymentId: "The externalPaymentId of the payment." },
  isReplayed: true,
} as const;

/** The look-up's name for the id in its path. */
const words = {
  externalId: inRequestWords({ params: ["externalId"] }),
  externalPaymentId: inRequestWords({ params: ["externalPaymentId"] }),
} as const;

export function paymentRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  const find = async (call: TenantCall, param: keyof typeof words): Promise<PaymentRecord> => {
    requireNoParameters(call.query);
    const externalPaymentId = requireParam(call, param);
    const response = await refusedIn(words[param], () =>
      payment.getPayment({ tenant: call.tenant, externalPaymentId }),
    );
    if (response.payment === undefined) throw new Error("the payment service sent no record");
    return response.payment;
  };
  return [
    ...actionRoutes(payment),
    createRoute(payment),
    {
      method: "GET",
      path: "/v2/payment/{externalId}",
      isHot: true,
      scheme: "bearer",
      scope: "payments",
      summary: "Look a payment up, version 2 of its record.",
      tag,
      body: "none",
      params: { externalId: "The externalPaymentId of the payment." },
      success: { status: 200, description: "The payment record.", schema: paymentRecordV2Schema },
      refusals: ["PAYMENT_NOT_FOUND"],
      handle: async (call) => jsonAnswer(renderPaymentV2(await find(call, "externalId"))),
    },
    {
      method: "GET",
      path: "/payments/{externalPaymentId}",
      scheme: "bearer",
      scope: "payments",
      summary: "Look a payment up, version 1 of its record.",
      tag,
      body: "none",
      params: { externalPaymentId: "The externalPaymentId of the payment." },
      success: { status: 200, description: "The payment record.", schema: paymentRecordV1Schema },
      refusals: ["PAYMENT_NOT_FOUND"],
      handle: async (call) => jsonAnswer(renderPaymentV1(await find(call, "externalPaymentId"))),
    },
  ];
}

const createRoute = (payment: Upstreams["payment"]): Route =>
  defineRoute({
    method: "POST",
    path: "/v2/payment",
    isHot: true,
    limit: "payment",
    scheme: "bearer",
    scope: "payments",
    isReplayed: true,
    summary: "Create a payment.",
    tag,
    request: paymentRequest,
    requestExamples,
    response: { status: 200, description: "The payment is accepted.", schema: paymentReceipt },
    refusals: [
      "QUOTE_EXPIRED",
      "QUOTE_UNUSABLE",
      "QUOTE_MISMATCH",
      "FUNDS_TOO_LOW",
      "NO_ROUTE",
      "REQUEST_RUNNING",
      "IDEMPOTENCY_CONFLICT",
    ],
    alsoRefuses: unfitMembers,
    whenRefused: async ({ tenant = "", body = {} }, violations) =>
      refuseChecked(
        body,
        violations,
        await payment.validatePayment({ tenant, intent: toIntent(body), fieldsOnly: true }),
      ),
    async handle({ tenant, body }) {
      const request = { tenant, intent: toIntent(body), answerForm: receiptForm };
      const { receipt, replayed } = await inCallersWords(body, payment.acceptPayment(request));
      return replyWith(renderReceipt(receipt), replayedHeader(replayed));
    },
  });

/** Actions of a caller on a pull after its creation. */
const actionRoutes = (payment: Upstreams["payment"]): readonly Route[] => [
  defineRoute({
    ...action,
    path: "/payments/{externalPaymentId}/void",
    summary: "Void an authorised pull.",
    response: { status: 200, description: "The authorisation is void.", schema: contracts.voidReceipt },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
    async handle({ tenant, params: { externalPaymentId } }) {
      const answer = await payment.voidPayment({ tenant, externalPaymentId, answerForm: actionForm });
      return replyWith(renderVoid(answer.action), replayedHeader(answer.replayed));
    },
  }),
  defineRoute({
    ...action,
    path: "/payments/{externalPaymentId}/capture",
    summary: "Capture an authorised pull, once; what is not captured is released.",
    request: contracts.captureRequest,
    isRequestOptional: true,
    response: { status: 200, description: "The amount is captured.", schema: contracts.captureReceipt },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
    alsoRefuses: unfitAmount,
    async handle({ tenant, params: { externalPaymentId }, body }) {
      const named = { tenant, externalPaymentId, answerForm: actionForm };
      const answer = await payment.capturePayment({ ...named, amount: toAmount(body.amount) });
      return replyWith(renderCapture(answer.action), replayedHeader(answer.replayed));
    },
  }),
  defineRoute({
    ...action,
    path: "/payments/{externalPaymentId}/refund",
    summary: "Give back what a pull collected, or a part of it; a child payment of its own.",
    request: contracts.refundRequest,
    response: { status: 200, description: "The refund, done or declined.", schema: contracts.refundReceipt },
    refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT", "IDEMPOTENCY_CONFLICT"],
    alsoRefuses: unfitAmount,
    async handle({ tenant, params: { externalPaymentId }, body }) {
      const { externalRefundId, reason } = body;
      const named = { tenant, externalPaymentId, answerForm: actionForm };
      const asked = { externalRefundId, amount: toAmount(body.amount), reason };
      const answer = await payment.refundPayment({ ...named, ...asked });
      return replyWith(renderRefund(answer.action), replayedHeader(answer.replayed));
    },
  }),
];

import type { PaymentRecord } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import { renderPaymentV1, renderPaymentV2 } from "../render-payment";
import { type Answer, jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import {
  captureRequestSchema,
  captureResponseSchema,
  paymentRecordV1Schema,
  paymentRecordV2Schema,
  paymentRequestSchema,
  paymentResponseSchema,
  refundRequestSchema,
  refundResponseSchema,
  voidResponseSchema,
} from "../schemas/payment-schemas";

const tag = "Payments";

export function paymentRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  const find = async (call: TenantCall, param: string): Promise<PaymentRecord> => {
    const externalPaymentId = requireParam(call, param);
    const response = await payment.getPayment({ tenant: call.tenant, externalPaymentId });
    if (response.payment === undefined) throw new Error("the payment service sent no record");
    return response.payment;
  };
  return [
    ...actionRoutes(payment),
    {
      method: "POST",
      path: "/v2/payment",
      limit: "payment",
      scheme: "bearer",
      scope: "payments",
      isReplayed: true,
      summary: "Create a payment.",
      tag,
      body: "json",
      requestSchema: paymentRequestSchema,
      success: { status: 200, description: "The payment is accepted.", schema: paymentResponseSchema },
      refusals: [
        "QUOTE_EXPIRED",
        "QUOTE_UNUSABLE",
        "QUOTE_MISMATCH",
        "FUNDS_TOO_LOW",
        "NO_ROUTE",
        "REQUEST_RUNNING",
        "IDEMPOTENCY_CONFLICT",
      ],
      /** The bytes go through in both directions: the payment service reads amounts from the text and keeps its answer. */
      async handle({ tenant, body }) {
        const { bodyJson, replayed } = await payment.acceptPayment({ tenant, bodyJson: body });
        return keptAnswer(bodyJson, replayed);
      },
    },
    {
      method: "GET",
      path: "/v2/payment/{externalId}",
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

/** An answer whose bytes the payment service keeps. */
function keptAnswer(bodyJson: Uint8Array, replayed: boolean): Answer {
  const headers = { "content-type": "application/json", ...(replayed ? { "idempotency-replayed": "true" } : {}) };
  return { status: 200, headers, body: Buffer.from(bodyJson) };
}

/** What the caller of a pull may do with it afterwards. */
function actionRoutes(payment: Upstreams["payment"]): readonly Route[] {
  const common = {
    method: "POST",
    scheme: "bearer",
    scope: "payments",
    tag,
    params: { externalPaymentId: "The externalPaymentId of the payment." },
  } as const;
  const externalIdOf = (call: TenantCall): string => requireParam(call, "externalPaymentId");
  return [
    {
      ...common,
      path: "/payments/{externalPaymentId}/void",
      summary: "Void an authorised pull. Sent again, it gets the first answer.",
      body: "none",
      success: { status: 200, description: "The authorisation is void.", schema: voidResponseSchema },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
      async handle(call: TenantCall) {
        const named = { tenant: call.tenant, externalPaymentId: externalIdOf(call) };
        const { bodyJson, replayed } = await payment.voidPayment(named);
        return keptAnswer(bodyJson, replayed);
      },
    },
    {
      ...common,
      path: "/payments/{externalPaymentId}/capture",
      summary: "Capture an authorised pull, once; what is not captured is released.",
      body: "optionalJson",
      requestSchema: captureRequestSchema,
      success: { status: 200, description: "The amount is captured.", schema: captureResponseSchema },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
      async handle(call: TenantCall) {
        const named = { tenant: call.tenant, externalPaymentId: externalIdOf(call) };
        const { bodyJson, replayed } = await payment.capturePayment({ ...named, bodyJson: call.body });
        return keptAnswer(bodyJson, replayed);
      },
    },
    {
      ...common,
      path: "/payments/{externalPaymentId}/refund",
      summary: "Give back what a pull collected, or a part of it; a child payment of its own.",
      body: "json",
      requestSchema: refundRequestSchema,
      success: { status: 200, description: "The refund, done or declined.", schema: refundResponseSchema },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT", "IDEMPOTENCY_CONFLICT"],
      async handle(call: TenantCall) {
        const named = { tenant: call.tenant, externalPaymentId: externalIdOf(call) };
        const { bodyJson, replayed } = await payment.refundPayment({ ...named, bodyJson: call.body });
        return keptAnswer(bodyJson, replayed);
      },
    },
  ];
}

import type { PaymentRecord } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { Upstreams } from "../clients";
import { renderPaymentV1, renderPaymentV2 } from "../render-payment";
import { jsonAnswer, type Route, requireParam, type TenantCall } from "../route";
import {
  paymentRecordV1Schema,
  paymentRecordV2Schema,
  paymentRequestSchema,
  paymentResponseSchema,
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
    {
      method: "POST",
      path: "/v2/payment",
      scheme: "bearer",
      scope: "payments",
      summary: "Create a payment. Sent again, it gets the first answer, with the header Idempotency-Replayed.",
      tag,
      body: "json",
      requestSchema: paymentRequestSchema,
      success: { status: 200, description: "The payment is accepted.", schema: paymentResponseSchema },
      refusals: ["QUOTE_EXPIRED", "QUOTE_UNUSABLE", "QUOTE_MISMATCH", "REQUEST_RUNNING", "IDEMPOTENCY_CONFLICT"],
      /** The bytes go through in both directions: the payment service reads amounts from the text and keeps its answer. */
      async handle({ tenant, body }) {
        const { bodyJson, replayed } = await payment.acceptPayment({ tenant, bodyJson: body });
        const headers = { "content-type": "application/json", ...(replayed ? { "idempotency-replayed": "true" } : {}) };
        return { status: 200, headers, body: Buffer.from(bodyJson) };
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

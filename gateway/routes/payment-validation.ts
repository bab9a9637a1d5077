import type { Upstreams } from "../clients";
import { renderValidation } from "../codec/payment-checks";
import { type PaymentBody, toIntent, unfitMembers } from "../codec/payment-intent";
import { defineRoute } from "../contract/define-route";
import { paymentValidation } from "../contract/payment-receipt";
import { paymentRequest } from "../contract/payments";
import type { Route } from "../route";
import requestExamples from "../schemas/payment-examples.json";

export function paymentValidationRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  const ask = (tenant: string, body: PaymentBody, fieldsOnly: boolean) =>
    payment.validatePayment({ tenant, intent: toIntent(body), fieldsOnly });
  return [
    defineRoute({
      method: "POST",
      path: "/v2/payment/validate",
      isRepeatable: true,
      scheme: "bearer",
      scope: "payments",
      summary: "Say everything that is wrong with a payment, its price and its fees. Moves and stores nothing.",
      tag: "Payments",
      request: paymentRequest,
      requestExamples,
      response: { status: 200, description: "What POST /v2/payment would say.", schema: paymentValidation },
      refusals: [],
      alsoRefuses: unfitMembers,
      answerRefused: async ({ tenant = "", body = {} }, violations) =>
        renderValidation(body, violations, await ask(tenant, body, true)),
      handle: async ({ tenant, body }) => renderValidation(body, [], await ask(tenant, body, false)),
    }),
  ];
}

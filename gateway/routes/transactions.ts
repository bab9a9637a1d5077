import type { Upstreams } from "../clients";
import { jsonAnswer, type Route, requireParam } from "../route";
import { enumSchema, objectSchema, textSchema } from "../schemas/document-schema";

const cancelSchema = objectSchema({
  transactionId: textSchema("Id of the transaction."),
  externalTransactionId: textSchema("The caller's id."),
  status: enumSchema("What was asked for; webhooks and look-ups tell how it ends.", ["CancelRequested"]),
  requestedAt: textSchema("ISO 8601, the first time it was asked for."),
});

/** The agent's door to payments. */
export function transactionRoutes({ payment }: Pick<Upstreams, "payment">): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/fx/transactions/{id}/cancel",
      scheme: "agent",
      summary: "Stop a payment before its payout is released. Sent again, it gets the first answer.",
      tag: "Transactions",
      body: "none",
      params: { id: "The transactionId, which is the paymentId." },
      success: { status: 200, description: "The payment is being cancelled.", schema: cancelSchema },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT"],
      async handle(call) {
        const transactionId = requireParam(call, "id");
        const { externalPaymentId, cancelledAt } = await payment.cancelPayment({
          tenant: call.tenant,
          paymentId: transactionId,
        });
        return jsonAnswer({
          transactionId,
          externalTransactionId: externalPaymentId,
          status: "CancelRequested",
          requestedAt: cancelledAt?.toISOString() ?? null,
        });
      },
    },
  ];
}

import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import { booleanSchema, objectSchema, textSchema } from "../schemas/document-schema";
import type { SecondOpinion } from "./second-opinion";

export interface PaymentRouteDeps {
  upstreams: Pick<Upstreams, "payment">;
  /** Absent: one operator decides alone. */
  secondOpinion: SecondOpinion | undefined;
}

/** Decisions about payments, for operators. */
export function operatorPaymentRoutes({ upstreams: { payment }, secondOpinion }: PaymentRouteDeps): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/tenants/{tenant}/payments/{paymentId}/reversal",
      scheme: "operator",
      tag: "Payments",
      summary: "Approve or refuse a reversal that waits; where four eyes are wanted, the second call decides.",
      body: "json",
      params: { tenant: "Slug of the tenant.", paymentId: "Id of the payment, a UUID." },
      requestSchema: objectSchema(
        {
          approve: booleanSchema("True gives the money back; false lets the payment go on."),
          approval: textSchema("What the first operator's call answered; absent from that call."),
        },
        ["approval"],
      ),
      success: {
        status: 200,
        description: "Where the payment is now, or the approval that the second operator must send.",
        schema: objectSchema(
          {
            transactionState: textSchema("State of the transaction after the decision."),
            approval: textSchema("For the second operator, good for a day; absent when it is decided."),
          },
          ["transactionState", "approval"],
        ),
      },
      refusals: ["PAYMENT_NOT_FOUND", "STATE_CONFLICT", "RECORD_CONFLICT"],
      async handle(call: OperatorCall) {
        const fields = readFields(readJson(call).value);
        const approve = fields.optionalFlag("approve");
        fields.check(approve !== undefined, "approve", "is required and must be true or false");
        const approval = fields.optionalText("approval");
        fields.finish();
        const which = { tenant: requireParam(call, "tenant"), paymentId: requireParam(call, "paymentId") };
        const decision = { ...which, approve: approve === true };
        if (secondOpinion !== undefined) {
          const words = JSON.stringify(["reversal", which.tenant, which.paymentId, decision.approve]);
          if (approval === undefined) return jsonAnswer({ approval: secondOpinion.ask(call.operator, words) });
          secondOpinion.check(approval, call.operator, words);
        }
        return jsonAnswer(await payment.decideReversal(decision));
      },
    },
  ];
}

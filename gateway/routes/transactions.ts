import type { Upstreams } from "../clients";
import { inCallersWords, refuseChecked } from "../codec/payment-checks";
import { toIntent, unfitMembers } from "../codec/payment-intent";
import { receiptForm, renderReceipt, replayedHeader } from "../codec/render-receipt";
import { defineRoute, replyWith } from "../contract/define-route";
import { transactionReceipt } from "../contract/payment-receipt";
import { transactionRequest } from "../contract/payments";
import type { Route } from "../route";
import requestExamples from "../schemas/payment-examples.json";
import { agentTransactionRoutes } from "./agent-transactions";

const common = { scheme: "agent", scope: "payments", tag: "Transactions" } as const;

/** Payments through the agent's API: the same engine, restricted to what one agent may see. */
export const transactionRoutes = (upstreams: Pick<Upstreams, "payment">): readonly Route[] => [
  createRoute(upstreams.payment),
  ...agentTransactionRoutes(upstreams),
];

const createRoute = (payment: Upstreams["payment"]): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/fx/transactions",
    isHot: true,
    limit: "payment",
    isReplayed: true,
    summary: "Create a transaction: the body of a payment, and optionally an externalId of the agent's own.",
    request: transactionRequest,
    requestExamples,
    response: { status: 200, description: "The transaction is accepted.", schema: transactionReceipt },
    refusals: [
      "QUOTE_EXPIRED",
      "QUOTE_UNUSABLE",
      "QUOTE_MISMATCH",
      "FUNDS_TOO_LOW",
      "LIMIT_EXCEEDED",
      "NO_ROUTE",
      "REQUEST_RUNNING",
      "IDEMPOTENCY_CONFLICT",
    ],
    alsoRefuses: unfitMembers,
    whenRefused: async ({ tenant = "", agentId = "", body = {} }, violations) =>
      refuseChecked(
        body,
        violations,
        await payment.validatePayment({ tenant, agentId, intent: toIntent(body), fieldsOnly: true }),
      ),
    async handle({ tenant, agentId, body }) {
      const request = { tenant, agentId, intent: toIntent(body), answerForm: receiptForm };
      const { receipt, replayed } = await inCallersWords(body, payment.acceptPayment(request));
      const answer = renderReceipt(receipt);
      const names = { transactionId: answer.paymentId, externalTransactionId: body.externalId ?? null };
      return replyWith({ ...names, ...answer }, replayedHeader(replayed));
    },
  });

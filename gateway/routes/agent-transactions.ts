import type { Transaction } from "../../proto/gen/corridor/payment/v1/payment_service";
import type { FieldViolation } from "../../services/shared/kernel/errors";
import { noteExternalId } from "../../services/shared/process/call-context";
import type { Upstreams } from "../clients";
import { renderLimit, renderMove, renderTransaction } from "../codec/transaction-codec";
import { defineRoute } from "../contract/define-route";
import * as contracts from "../contract/transactions";
import type { Route } from "../route";

const common = { scheme: "agent", scope: "payments", tag: "Transactions" } as const;
const params = { id: "The transactionId, which is the paymentId." };

type PaymentUpstream = Pick<Upstreams, "payment">;

/** Routes with which an agent reads payments, adds notes to them and stops one. */
export const agentTransactionRoutes = (upstreams: PaymentUpstream): readonly Route[] => [
  ...writeRoutes(upstreams),
  ...readRoutes(upstreams),
];

const writeRoutes = ({ payment }: PaymentUpstream): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/fx/transactions/{id}/cancel",
    isRepeatable: true,
    summary: "Stop a transaction before its payout is released. Sent again, it gets the first answer.",
    params,
    response: { status: 200, description: "The transaction is being cancelled.", schema: contracts.transactionCancel },
    refusals: ["TRANSACTION_NOT_FOUND", "STATE_CONFLICT"],
    async handle({ tenant, agentId, params: { id: transactionId } }) {
      // A refusal does not name its subject.
      const { transaction } = await payment.getTransaction({ tenant, agentId, transactionId });
      if (transaction !== undefined) noteExternalId(transaction.externalPaymentId);
      const cancelled = await payment.cancelPayment({ tenant, paymentId: transactionId, agentId });
      const { externalTransactionId = null, cancelledAt = null } = cancelled;
      return { transactionId, externalTransactionId, status: "CancelRequested" as const, requestedAt: cancelledAt };
    },
  }),
  defineRoute({
    ...common,
    method: "PUT",
    path: "/fx/transactions/{id}/metadata",
    summary: "Replace what the agent notes on a transaction, at most 20 keys; no other agent sees it.",
    params,
    request: contracts.metadataRequest,
    response: { status: 200, description: "The transaction.", schema: contracts.transaction },
    refusals: ["TRANSACTION_NOT_FOUND"],
    async handle({ tenant, agentId, params: { id: transactionId }, body: { metadata } }) {
      const request = { tenant, agentId, transactionId, metadata: { ...metadata } };
      return renderNamed((await payment.setTransactionMetadata(request)).transaction);
    },
  }),
];

const readRoutes = ({ payment }: PaymentUpstream): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/transactions",
    summary:
      "List the transactions that the agent sees, newest first: its own, and those that its tenant made by itself.",
    query: contracts.transactionQuery,
    response: { status: 200, description: "A page.", schema: contracts.transactionPage },
    refusals: [],
    // Only the service reads a cursor.
    whenRefused: ({ tenant = "", agentId = "", query: { after } = {} }, violations) =>
      names(violations, "after") ? Promise.resolve() : payment.listTransactions({ tenant, agentId, after, limit: 1 }),
    async handle({ tenant, agentId, query }) {
      const { transactions, next } = await payment.listTransactions({ tenant, agentId, ...query });
      return { items: transactions.map(renderTransaction), next: next ?? null };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/transactions/limits",
    summary: "How much the agent may still send today and this month.",
    response: { status: 200, description: "The limits.", schema: contracts.agentLimits },
    refusals: [],
    async handle({ tenant, agentId }) {
      const { limits } = await payment.getLimits({ tenant, agentId });
      return { limits: limits.map(renderLimit) };
    },
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/transactions/{id}",
    summary: "Read a transaction.",
    params,
    response: { status: 200, description: "The transaction.", schema: contracts.transaction },
    refusals: ["TRANSACTION_NOT_FOUND"],
    handle: async ({ tenant, agentId, params: { id: transactionId } }) =>
      renderNamed((await payment.getTransaction({ tenant, agentId, transactionId })).transaction),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/transactions/{id}/history",
    summary: "The moves of a transaction, oldest first.",
    params,
    response: { status: 200, description: "The moves.", schema: contracts.transactionHistory },
    refusals: ["TRANSACTION_NOT_FOUND"],
    async handle({ tenant, agentId, params: { id: transactionId } }) {
      const { moves, transaction } = await payment.getTransaction({ tenant, agentId, transactionId });
      if (transaction !== undefined) noteExternalId(transaction.externalPaymentId);
      return { items: moves.map(renderMove) };
    },
  }),
];

/** A transaction that was requested by our id only: from here on log lines name it by its caller's. */
function renderNamed(transaction: Transaction | undefined) {
  if (transaction !== undefined) noteExternalId(transaction.externalPaymentId);
  return renderTransaction(transaction);
}

const names = (violations: readonly FieldViolation[], name: string): boolean =>
  violations.some(({ field }) => field === name);

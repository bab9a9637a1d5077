import type { AgentLimit, Transaction, TransactionMove } from "../../proto/gen/corridor/payment/v1/payment_service";
import { invalid } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import { transactionMoves } from "../../services/shared/kernel/transaction-states";
import type { Upstreams } from "../clients";
import { inCallersWords, refuseChecked } from "../codec/payment-checks";
import { toIntent, unfitMembers } from "../codec/payment-intent";
import { receiptForm, renderReceipt, replayedHeader } from "../codec/render-receipt";
import { defineRoute, replyWith } from "../contract/define-route";
import { transactionReceipt } from "../contract/payment-receipt";
import { transactionRequest } from "../contract/payments";
import { readQuery } from "../query-reader";
import { amountJson } from "../render-amount";
import { renderReason } from "../render-reason";
import { type AgentCall, jsonAnswer, type Route, readJson, requireParam } from "../route";
import {
  cancelSchema,
  limitsSchema,
  metadataRequestSchema,
  movesSchema,
  transactionPageSchema,
  transactionSchema,
} from "../schemas/transaction-schemas";

const common = { scheme: "agent", scope: "payments", tag: "Transactions" } as const;
const params = { id: "The transactionId, which is the paymentId." };
const [defaultLimit, maxLimit] = [25, 200];

type PaymentUpstream = Pick<Upstreams, "payment">;

/** The agent's door to payments: the same engine, as much of it as one agent sees. */
export const transactionRoutes = (upstreams: PaymentUpstream): readonly Route[] => [
  ...writeRoutes(upstreams),
  ...readRoutes(upstreams),
];

function writeRoutes({ payment }: PaymentUpstream): readonly Route[] {
  return [
    createRoute(payment),
    {
      ...common,
      method: "POST",
      path: "/fx/transactions/{id}/cancel",
      summary: "Stop a transaction before its payout is released. Sent again, it gets the first answer.",
      body: "none",
      params,
      success: { status: 200, description: "The transaction is being cancelled.", schema: cancelSchema },
      refusals: ["TRANSACTION_NOT_FOUND", "STATE_CONFLICT"],
      async handle({ tenant, agentId, ...call }: AgentCall) {
        const transactionId = requireParam(call, "id");
        const request = { tenant, paymentId: transactionId, agentId };
        const { externalTransactionId = null, cancelledAt } = await payment.cancelPayment(request);
        const requestedAt = cancelledAt?.toISOString() ?? null;
        return jsonAnswer({ transactionId, externalTransactionId, status: "CancelRequested", requestedAt });
      },
    },
    {
      ...common,
      method: "PUT",
      path: "/fx/transactions/{id}/metadata",
      summary: "Replace what the agent notes on a transaction, at most 20 keys; no other agent sees it.",
      body: "json",
      params,
      requestSchema: metadataRequestSchema,
      success: { status: 200, description: "The transaction.", schema: transactionSchema },
      refusals: ["TRANSACTION_NOT_FOUND"],
      async handle(call: AgentCall) {
        const { transaction } = await payment.setTransactionMetadata({ ...named(call), metadata: readMetadata(call) });
        return jsonAnswer(renderTransaction(transaction));
      },
    },
  ];
}

const createRoute = (payment: Upstreams["payment"]): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: "/fx/transactions",
    limit: "payment",
    isReplayed: true,
    summary: "Create a transaction: the body of a payment, and optionally an externalId of the agent's own.",
    request: transactionRequest,
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

function readRoutes({ payment }: PaymentUpstream): readonly Route[] {
  const get = { ...common, method: "GET", body: "none" } as const;
  return [
    {
      ...get,
      path: "/fx/transactions",
      summary:
        "List the transactions that the agent sees, newest first: its own, and those that its tenant made by itself.",
      query: {
        after: { description: "Cursor of the page before.", schema: { type: "string" } },
        status: { description: "Only transactions in this state.", schema: { enum: Object.keys(transactionMoves) } },
        limit: {
          description: "Most transactions of a page.",
          schema: { type: "integer", minimum: 1, maximum: maxLimit, default: defaultLimit },
        },
      },
      success: { status: 200, description: "A page.", schema: transactionPageSchema },
      refusals: [],
      async handle(call: AgentCall) {
        const { tenant, agentId } = call;
        const query = readQuery(call);
        const after = query.optionalText("after");
        const status = query.optionalText("status");
        const isState = status === undefined || Object.hasOwn(transactionMoves, status);
        query.check(isState, "status", "must be a transaction state");
        const limit = query.wholeNumber("limit", { min: 1, max: maxLimit, fallback: defaultLimit });
        const state = isState && status !== undefined ? { status } : {};
        const page = { tenant, agentId, ...(after !== undefined && { after }), ...state, limit };
        const { transactions, next } = await query.finishWith(() => payment.listTransactions(page));
        return jsonAnswer({ items: transactions.map(renderTransaction), next: next ?? null });
      },
    },
    {
      ...get,
      path: "/fx/transactions/limits",
      summary: "How much the agent may still send today and this month.",
      success: { status: 200, description: "The limits.", schema: limitsSchema },
      refusals: [],
      async handle({ tenant, agentId }: AgentCall) {
        const { limits } = await payment.getLimits({ tenant, agentId });
        return jsonAnswer({ limits: limits.map(renderLimit) });
      },
    },
    {
      ...get,
      path: "/fx/transactions/{id}",
      summary: "Read a transaction.",
      params,
      success: { status: 200, description: "The transaction.", schema: transactionSchema },
      refusals: ["TRANSACTION_NOT_FOUND"],
      async handle(call: AgentCall) {
        const { transaction } = await payment.getTransaction(named(call));
        return jsonAnswer(renderTransaction(transaction));
      },
    },
    {
      ...get,
      path: "/fx/transactions/{id}/history",
      summary: "The moves of a transaction, oldest first.",
      params,
      success: { status: 200, description: "The moves.", schema: movesSchema },
      refusals: ["TRANSACTION_NOT_FOUND"],
      async handle(call: AgentCall) {
        const { moves } = await payment.getTransaction(named(call));
        return jsonAnswer({ items: moves.map(renderMove) });
      },
    },
  ];
}

const named = (call: AgentCall) => ({
  tenant: call.tenant,
  agentId: call.agentId,
  transactionId: requireParam(call, "id"),
});

function readMetadata(call: AgentCall): Record<string, string> {
  const { value } = readJson(call);
  const metadata = value["metadata"];
  const isMap = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  if (!isMap) throw invalid([{ field: "metadata", message: "is required and must be an object" }]);
  return Object.fromEntries(
    Object.entries(metadata).map(([key, text]) => {
      if (typeof text === "string") return [key, text];
      throw invalid([{ field: `metadata.${key.slice(0, 64)}`, message: "must be a string" }]);
    }),
  );
}

function renderTransaction(transaction: Transaction | undefined): object {
  if (transaction?.createdAt === undefined || transaction.updatedAt === undefined) {
    throw new Error("the payment service sent no transaction");
  }
  const { transactionId, externalTransactionId, externalPaymentId, paymentType, status, metadata } = transaction;
  return {
    transactionId,
    externalTransactionId: externalTransactionId ?? null,
    externalPaymentId,
    paymentType,
    status,
    complianceStatus: transaction.complianceStatus,
    payoutStatus: transaction.payoutStatus ?? null,
    paymentStatus: transaction.paymentStatus,
    amount: amountJson(transaction.amount),
    recipientAmount: transaction.recipientAmount === undefined ? null : amountJson(transaction.recipientAmount),
    fxId: transaction.quoteId ?? null,
    ...(transaction.redirectAcsUrl === undefined ? {} : { redirectAcsUrl: transaction.redirectAcsUrl }),
    ...renderReason(transaction.reason),
    metadata,
    createdAt: transaction.createdAt.toISOString(),
    updatedAt: transaction.updatedAt.toISOString(),
  };
}

const renderMove = ({ oldStatus, newStatus, occurredAt, messages, reason }: TransactionMove): object => ({
  oldStatus: oldStatus ?? null,
  newStatus,
  occurredAt: occurredAt?.toISOString() ?? null,
  messages,
  ...renderReason(reason),
});

function renderLimit({ currency, window, limitMinor, usedMinor, resetsAt }: AgentLimit): object {
  const left = limitMinor > usedMinor ? limitMinor - usedMinor : 0n;
  const total = (minor: bigint): object => exactNumber(formatMoney(money(minor, currency)));
  return {
    currency,
    window,
    limit: total(limitMinor),
    used: total(usedMinor),
    left: total(left),
    resetsAt: resetsAt?.toISOString() ?? null,
  };
}

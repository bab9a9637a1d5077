import { answerLimits, decodeUtf8, parseJsonObject } from "../../services/shared/kernel/json";
import type { Upstreams } from "../clients";
import type { AgentCall, Route } from "../route";
import { paymentRequestSchema } from "../schemas/payment-schemas";
import { acceptedTransactionSchema } from "../schemas/transaction-schemas";
import { agentTransactionRoutes } from "./agent-transactions";

const common = { scheme: "agent", scope: "payments", tag: "Transactions" } as const;

type PaymentUpstream = Pick<Upstreams, "payment">;

/** The agent's door to payments: the same engine, as much of it as one agent sees. */
export const transactionRoutes = (upstreams: PaymentUpstream): readonly Route[] => [
  ...writeRoutes(upstreams),
  ...agentTransactionRoutes(upstreams),
];

function writeRoutes({ payment }: PaymentUpstream): readonly Route[] {
  return [
    {
      ...common,
      method: "POST",
      path: "/fx/transactions",
      limit: "payment",
      isReplayed: true,
      summary: "Create a transaction: the body of a payment, and optionally an externalId of the agent's own.",
      body: "json",
      requestSchema: paymentRequestSchema,
      success: { status: 200, description: "The transaction is accepted.", schema: acceptedTransactionSchema },
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
      async handle({ tenant, agentId, body }: AgentCall) {
        const { bodyJson, replayed } = await payment.acceptPayment({ tenant, agentId, bodyJson: body });
        const headers = { "content-type": "application/json", ...(replayed ? { "idempotency-replayed": "true" } : {}) };
        return { status: 200, headers, body: acceptedTransaction(bodyJson, body) };
      },
    },
  ];
}

/** The payment's first answer, byte for byte, with the transaction's own names before it. They follow from the request. */
function acceptedTransaction(answer: Uint8Array, request: Buffer): Buffer {
  const text = decodeUtf8(answer);
  const transactionId = parseJsonObject(text, answerLimits).value["paymentId"];
  const externalTransactionId = parseJsonObject(decodeUtf8(request)).value["externalId"] ?? null;
  const names = JSON.stringify({ transactionId, externalTransactionId });
  return Buffer.from(`${names.slice(0, -1)},${text.slice(1)}`);
}

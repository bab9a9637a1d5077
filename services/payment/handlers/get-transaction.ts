import type {
  GetTransactionRequest,
  GetTransactionResponse,
  TransactionMove,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../shared/kernel/errors";
import type { PaymentEvent } from "../domain/payment";
import type { TransactionStore } from "../store/transaction-store";
import { encodeReason } from "./reason-codec";
import { encodeTransaction } from "./transaction-codec";

export const getTransactionHandler =
  (transactions: Pick<TransactionStore, "find">) =>
  async ({ tenant, agentId, transactionId }: GetTransactionRequest): Promise<GetTransactionResponse> => {
    const found = await transactions.find({ tenant, agentId }, transactionId);
    if (found === undefined) throw new DomainError("TRANSACTION_NOT_FOUND", "there is no such transaction");
    return { transaction: encodeTransaction(found), moves: found.events.flatMap(movesOf) };
  };

const movesOf = (event: PaymentEvent): TransactionMove[] =>
  event.kind === "status"
    ? [
        {
          oldStatus: event.oldStatus,
          newStatus: event.newStatus,
          occurredAt: event.occurredAt,
          messages: event.messages,
          reason: encodeReason(event.cause),
        },
      ]
    : [];

import { DomainError, type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { Transaction, TransactionStore } from "../store/transaction-store";

export interface SetTransactionMetadataDeps {
  transactions: Pick<TransactionStore, "setMetadata">;
}

export interface SetTransactionMetadataCommand {
  tenant: string;
  agentId: string;
  transactionId: string;
  metadata: Record<string, string>;
}

export type SetTransactionMetadata = (command: SetTransactionMetadataCommand) => Promise<Transaction>;

const maxKeys = 20;
const maxKeyLength = 64;
const maxValueLength = 500;

/** Replaces an agent's notes on its transaction. */
export const makeSetTransactionMetadata =
  ({ transactions }: SetTransactionMetadataDeps): SetTransactionMetadata =>
  async ({ tenant, agentId, transactionId, metadata }) => {
    const violations = violationsOf(metadata);
    if (violations.length > 0) throw invalid(violations);
    const transaction = await transactions.setMetadata({ tenant, agentId }, transactionId, metadata);
    if (transaction === undefined) throw new DomainError("TRANSACTION_NOT_FOUND", "there is no such transaction");
    return transaction;
  };

function violationsOf(metadata: Record<string, string>): FieldViolation[] {
  const entries = Object.entries(metadata);
  if (entries.length > maxKeys) return [{ field: "metadata", message: `must have at most ${maxKeys} keys` }];
  return entries
    .filter(
      ([key, value]) => !/^[A-Za-z0-9_-]+$/.test(key) || key.length > maxKeyLength || value.length > maxValueLength,
    )
    .map(([key]) => ({
      field: `metadata.${key.slice(0, maxKeyLength)}`,
      message: `must have a key of 1 to ${maxKeyLength} letters, digits, _ or -, and at most ${maxValueLength} characters`,
    }));
}

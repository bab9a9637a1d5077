import type {
  ListTransactionsRequest,
  ListTransactionsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { invalid } from "../../shared/kernel/errors";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import type { TransactionStore } from "../store/transaction-store";
import { encodeTransaction } from "./transaction-codec";

const maxLimit = 200;

/** Asks for one more than the page holds, to know whether there is a next one. */
export const listTransactionsHandler =
  (transactions: Pick<TransactionStore, "list">) =>
  async ({ tenant, agentId, after, status, limit }: ListTransactionsRequest): Promise<ListTransactionsResponse> => {
    const state = status === undefined ? undefined : readState(status);
    const size = Math.min(Math.max(limit, 1), maxLimit);
    const list = listName("transactions", { tenant }, { agentId, state });
    const place = after === undefined ? undefined : readListCursor(list, after);
    const page = { after: place, status: state, limit: size + 1 };
    const found = await transactions.list({ tenant, agentId }, page);
    const last = found.length > size ? found[size - 1] : undefined;
    return {
      transactions: found.slice(0, size).map(encodeTransaction),
      next: last === undefined ? undefined : writeListCursor(list, last.payment),
    };
  };

const isState = (status: string): status is TransactionState => Object.hasOwn(transactionMoves, status);

function readState(status: string): TransactionState {
  if (isState(status)) return status;
  throw invalid([{ field: "status", message: "must be a transaction state" }]);
}

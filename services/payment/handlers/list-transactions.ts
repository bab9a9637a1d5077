import type {
  ListTransactionsRequest,
  ListTransactionsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { parseInstant } from "../../shared/clock";
import { invalid } from "../../shared/errors";
import { type TransactionState, transactionMoves } from "../../shared/transaction-states";
import type { Place, Transaction, TransactionStore } from "../store/transaction-store";
import { encodeTransaction } from "./transaction-codec";

const maxLimit = 200;

/** Asks for one more than the page holds, to know whether there is a next one. */
export const listTransactionsHandler =
  (transactions: Pick<TransactionStore, "list">) =>
  async ({ tenant, agentId, after, status, limit }: ListTransactionsRequest): Promise<ListTransactionsResponse> => {
    const state = status === undefined ? undefined : readState(status);
    const size = Math.min(Math.max(limit, 1), maxLimit);
    const page = { after: after === undefined ? undefined : readCursor(after), status: state, limit: size + 1 };
    const found = await transactions.list({ tenant, agentId }, page);
    const last = found.length > size ? found[size - 1] : undefined;
    return {
      transactions: found.slice(0, size).map(encodeTransaction),
      next: last === undefined ? undefined : writeCursor(last),
    };
  };

const isState = (status: string): status is TransactionState => Object.hasOwn(transactionMoves, status);

function readState(status: string): TransactionState {
  if (isState(status)) return status;
  throw invalid([{ field: "status", message: "must be a transaction state" }]);
}

const writeCursor = ({ payment }: Transaction): string =>
  Buffer.from(`${payment.createdAt.toISOString()} ${payment.id}`).toString("base64url");

function readCursor(cursor: string): Place {
  const [at = "", id = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(" ");
  const createdAt = parseInstant(at);
  if (createdAt === undefined || !/^[0-9a-f-]{36}$/.test(id)) {
    throw invalid([{ field: "after", message: "must be the cursor of a page" }]);
  }
  return { createdAt, id };
}

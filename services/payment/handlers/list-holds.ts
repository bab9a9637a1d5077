import type { ListHoldsRequest, ListHoldsResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { holdOf } from "../domain/hold";
import type { HoldStore } from "../store/hold-store";
import { readCursor, writeCursor } from "./cursor-codec";
import { encodeMoney } from "./money-codec";
import { encodeReason } from "./reason-codec";

const maxLimit = 200;

/** Asks for one more than the page holds, to know whether there is a next one. */
export const listHoldsHandler =
  (holds: HoldStore) =>
  async ({ after, limit }: ListHoldsRequest): Promise<ListHoldsResponse> => {
    const size = Math.min(Math.max(limit, 1), maxLimit);
    const found = await holds.list(after === undefined ? undefined : readCursor(after), size + 1);
    const last = found.length > size ? found[size - 1] : undefined;
    return {
      holds: found.slice(0, size).map((payment) => ({
        paymentId: payment.id,
        tenant: payment.tenant,
        externalId: payment.externalId,
        type: payment.type,
        transactionState: payment.state,
        amount: encodeMoney(payment.amount),
        kind: holdOf(payment) ?? "",
        createdAt: payment.createdAt,
        escalatedAt: payment.execution.escalatedAt,
        reason: encodeReason(payment.cause),
      })),
      next: last === undefined ? undefined : writeCursor(last),
    };
  };

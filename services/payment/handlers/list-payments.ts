import type {
  ListPaymentsRequest,
  ListPaymentsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { Clock } from "../../shared/kernel/clock";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import { requireScope } from "../../shared/kernel/tenant-scope";
import type { PaymentListStore } from "../store/payment-list-store";
import { decodeFilter, encodeListed } from "./payment-list-codec";

const maxLimit = 200;

/** Reads straight from the store; no decision is involved. */
export const listPaymentsHandler =
  ({ paymentLists, clock }: { paymentLists: Pick<PaymentListStore, "list">; clock: Clock }) =>
  async (request: ListPaymentsRequest): Promise<ListPaymentsResponse> => {
    const scope = requireScope(request);
    const filter = decodeFilter(request.filter);
    const list = listName("payments", scope, filter);
    const { payments, next } = await paymentLists.list(scope, filter, {
      after: request.after === undefined ? undefined : readListCursor(list, request.after),
      limit: Math.min(Math.max(request.limit, 1), maxLimit),
      withPeople: request.withPeople,
      now: clock.now(),
    });
    return { payments: payments.map(encodeListed), next: next && writeListCursor(list, next) };
  };

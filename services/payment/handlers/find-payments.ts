import {
  type FindPaymentsRequest,
  type FindPaymentsResponse,
  FoundIdKind as WireKind,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { invalid } from "../../shared/kernel/errors";
import type { FoundIdKind, PaymentListStore } from "../store/payment-list-store";
import { decodeScope } from "./payment-list-codec";

const kinds: Readonly<Record<FoundIdKind, WireKind>> = {
  PAYMENT: WireKind.PAYMENT,
  LEG: WireKind.LEG,
  REFUND: WireKind.REFUND,
  QUOTE: WireKind.QUOTE,
  PROVIDER_REFERENCE: WireKind.PROVIDER_REFERENCE,
  RECEIPT: WireKind.RECEIPT,
};

/** Longest id that anything has. */
const maxLength = 255;

/** A read without a decision: straight from the store. */
export const findPaymentsHandler =
  ({ paymentLists }: { paymentLists: Pick<PaymentListStore, "find"> }) =>
  async (request: FindPaymentsRequest): Promise<FindPaymentsResponse> => {
    const scope = decodeScope(request);
    const { id } = request;
    if (id === "" || id.length > maxLength) {
      throw invalid([{ field: "id", message: `must be 1 to ${maxLength} characters` }]);
    }
    const found = await paymentLists.find(scope, id);
    return {
      payments: found.map(({ kind, amountMinor, currency, ...payment }) => ({
        kind: kinds[kind],
        paymentId: payment._id,
        tenant: payment.tenant,
        externalPaymentId: payment.externalId,
        transactionState: payment.state,
        amount: { amountMinor, currency },
        createdAt: payment.createdAt,
      })),
    };
  };

import {
  type FindPaymentsRequest,
  type FindPaymentsResponse,
  FoundIdKind as WireKind,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { requireAnyId, requireScope } from "../../shared/kernel/tenant-scope";
import type { FoundIdKind, PaymentListStore } from "../store/payment-list-store";

const kinds: Readonly<Record<FoundIdKind, WireKind>> = {
  PAYMENT: WireKind.PAYMENT,
  LEG: WireKind.LEG,
  REFUND: WireKind.REFUND,
  QUOTE: WireKind.QUOTE,
  PROVIDER_REFERENCE: WireKind.PROVIDER_REFERENCE,
  RECEIPT: WireKind.RECEIPT,
  TRACE: WireKind.TRACE,
};

/** Reads straight from the store; no decision is involved. */
export const findPaymentsHandler =
  ({ paymentLists }: { paymentLists: Pick<PaymentListStore, "find"> }) =>
  async (request: FindPaymentsRequest): Promise<FindPaymentsResponse> => {
    const scope = requireScope(request);
    const found = await paymentLists.find(scope, requireAnyId(request.id));
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

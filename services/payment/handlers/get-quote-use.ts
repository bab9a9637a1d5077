import type { GetQuoteUseRequest, GetQuoteUseResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { PaymentStore } from "../store/payment-store";

/** Reads from the store; no decision is involved. */
export const getQuoteUseHandler =
  (payments: Pick<PaymentStore, "findQuoteUse">) =>
  async ({ tenant, quoteId }: GetQuoteUseRequest): Promise<GetQuoteUseResponse> => ({
    paymentId: (await payments.findQuoteUse(tenant, quoteId))?.id,
  });

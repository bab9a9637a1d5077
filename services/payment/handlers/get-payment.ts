import type { GetPaymentRequest, GetPaymentResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../shared/errors";
import type { PaymentStore } from "../store/payment-store";
import { encodePayment } from "./codec";

/** A read without a decision: straight from the store. */
export const getPaymentHandler =
  (payments: Pick<PaymentStore, "findByExternalId">) =>
  async ({ tenant, externalPaymentId }: GetPaymentRequest): Promise<GetPaymentResponse> => {
    const found = await payments.findByExternalId(tenant, externalPaymentId);
    if (found === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
    return { payment: encodePayment(found.payment, found.history) };
  };

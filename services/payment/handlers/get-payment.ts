import type { GetPaymentRequest, GetPaymentResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError } from "../../shared/kernel/errors";
import type { PaymentStore } from "../store/payment-store";
import { encodeChild, encodePayment } from "./codec";

/** Reads straight from the store; no decision is involved. */
export const getPaymentHandler =
  (payments: Pick<PaymentStore, "findByExternalId">) =>
  async ({ tenant, externalPaymentId }: GetPaymentRequest): Promise<GetPaymentResponse> => {
    const found = await payments.findByExternalId(tenant, externalPaymentId);
    if (found === undefined) throw new DomainError("PAYMENT_NOT_FOUND", "there is no such payment");
    const isChild = found.payment.externalId !== externalPaymentId;
    return { payment: isChild ? encodeChild(found, externalPaymentId) : encodePayment(found) };
  };

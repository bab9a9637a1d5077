import type {
  AcceptPaymentRequest,
  AcceptPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { AcceptPayment } from "../operations/accept-payment";

export const acceptPaymentHandler =
  (acceptPayment: AcceptPayment) =>
  async ({ tenant, bodyJson, agentId }: AcceptPaymentRequest): Promise<AcceptPaymentResponse> => {
    const { answer, replayed } = await acceptPayment(tenant, parseJsonObject(decodeUtf8(bodyJson)), agentId);
    return { bodyJson: answer, replayed };
  };

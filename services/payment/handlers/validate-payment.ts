import type {
  ValidatePaymentRequest,
  ValidatePaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { ValidatePayment } from "../operations/validate-payment";
import { encodeMoney } from "./money-codec";

export const validatePaymentHandler =
  (validatePayment: ValidatePayment) =>
  async ({ tenant, bodyJson }: ValidatePaymentRequest): Promise<ValidatePaymentResponse> => {
    const { problems, price, fees, advice } = await validatePayment(tenant, parseJsonObject(decodeUtf8(bodyJson)));
    const expected = fees.map(({ eventId, amount }) => ({ eventId, amount: encodeMoney(amount) }));
    const findings = { problems: [...problems], advice: [...advice], fees: expected };
    if (price === undefined) return { ...findings, price: undefined };
    const { amount, recipientAmount, rate } = price;
    return {
      ...findings,
      price: { amount: encodeMoney(amount), recipientAmount: encodeMoney(recipientAmount), rate },
    };
  };

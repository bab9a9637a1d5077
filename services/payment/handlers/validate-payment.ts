import type {
  ValidatePaymentRequest,
  ValidatePaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { ValidatePayment } from "../operations/validate-payment";
import { encodeMoney } from "./money-codec";
import { decodeRequest } from "./request-codec";

export const validatePaymentHandler =
  (validatePayment: ValidatePayment) =>
  async ({ fieldsOnly, ...request }: ValidatePaymentRequest): Promise<ValidatePaymentResponse> => {
    const answer = await validatePayment({ ...decodeRequest(request), fieldsOnly });
    const { problems, price, fees, advice, isKnown, differentFields } = answer;
    const expected = fees.map(({ eventId, amount }) => ({ eventId, amount: encodeMoney(amount) }));
    const findings = {
      problems: [...problems],
      advice: [...advice],
      fees: expected,
      isKnown,
      differentFields: [...differentFields],
    };
    if (price === undefined) return { ...findings, price: undefined };
    const { amount, recipientAmount, rate } = price;
    return {
      ...findings,
      price: { amount: encodeMoney(amount), recipientAmount: encodeMoney(recipientAmount), rate },
    };
  };

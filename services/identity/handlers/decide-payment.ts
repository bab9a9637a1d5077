import type {
  DecidePaymentRequest,
  DecidePaymentResponse,
} from "../../../proto/gen/corridor/identity/v1/decision_service";
import { invalid } from "../../shared/errors";
import { money } from "../../shared/money";
import type { DecidePayment } from "../operations/decide-payment";

export const decidePaymentHandler =
  (decidePayment: DecidePayment) =>
  async ({ tenant, paymentId, amount, sender, recipient }: DecidePaymentRequest): Promise<DecidePaymentResponse> => {
    if (amount === undefined || sender === undefined || tenant === "" || paymentId === "") {
      throw invalid([{ field: "payment", message: "needs a tenant, an id, an amount and a sender" }]);
    }
    const { name = "", countryCode = "", narrative = "" } = recipient ?? {};
    const decision = await decidePayment({
      payment: {
        paymentId,
        tenant,
        amount: money(amount.amountMinor, amount.currency),
        recipientName: name,
        recipientCountry: countryCode,
        narrative,
      },
      sender,
      paysOut: recipient !== undefined,
    });
    const { status, reason, listVersion, provider, reviewId } = decision;
    return { status, reason, listVersion, providerStatus: provider?.status, reviewId };
  };

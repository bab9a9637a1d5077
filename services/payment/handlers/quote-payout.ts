import type { QuotePayoutRequest, QuotePayoutResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { invalid } from "../../shared/kernel/errors";
import type { QuotePayout } from "../operations/quote-payout";
import { decodeMoney, encodeMoney } from "./money-codec";

export const quotePayoutHandler =
  (quotePayout: QuotePayout) =>
  async ({ amount, ...request }: QuotePayoutRequest): Promise<QuotePayoutResponse> => {
    if (amount === undefined) throw invalid([{ field: "amount", message: "is required" }]);
    const { destinationCountry } = request;
    const found = await quotePayout({ ...request, amount: decodeMoney(amount), destinationCountry });
    const { quoteId, rate, expiresAt } = found.quote;
    const [recipientAmount, fee] = [encodeMoney(found.recipientAmount), encodeMoney(found.fee)];
    return { quoteId, rate, recipientAmount, fee, expiresAt };
  };

import type { QuotePaymentRequest, QuotePaymentResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { QuotePayment } from "../operations/quote-payment";
import { decodeQuoteRequest, encodeQuote } from "./codec";

export const quotePaymentHandler =
  (quotePayment: QuotePayment) =>
  async ({
    quoteId,
    paymentId,
    isPreview,
    destinationCountry,
    ...request
  }: QuotePaymentRequest): Promise<QuotePaymentResponse> => {
    const payment = decodeQuoteRequest({ ...request, destinationCountry });
    const quote = await quotePayment({ ...payment, destinationCountry, quoteId, paymentId, isPreview });
    return { quote: quote === undefined ? undefined : encodeQuote(quote) };
  };

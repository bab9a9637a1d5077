import type { FxServiceService, Quote } from "../../../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError } from "../../../shared/kernel/errors";
import type { Rpc } from "../../../shared/rpc/rpc";
import type { BoundQuote } from "../../domain/conversion";
import { quotedMethod } from "../../domain/payment-methods";
import type { Quotes } from "../../ports";

type FxClient = Pick<Rpc<typeof FxServiceService>, "quotePayment" | "createQuote">;

/** Reads the fx service's quotes over RPC. */
export function makeQuotes(client: FxClient): Quotes {
  return {
    async price({ tenant, agentId, amount, order, paymentId }) {
      const { quote } = await client.quotePayment({
        tenant,
        agentId,
        sourceCurrency: amount.currency,
        amountMinor: amount.minor,
        destinationCurrency: order.recipientAmount.currency,
        paymentMethod: quotedMethod(order.method),
        destinationCountry: order.countryCode,
        quoteId: order.quoteId,
        isPreview: paymentId === undefined,
        paymentId,
      });
      return quote === undefined ? undefined : decodeQuote(quote);
    },
    async create({ tenant, agentId, amount, destinationCurrency, paymentMethod, destinationCountry }) {
      const { quote } = await client.createQuote({
        tenant,
        agentId,
        sourceCurrency: amount.currency,
        amountMinor: amount.minor,
        destinationCurrency,
        paymentMethod,
        destinationCountry,
      });
      if (quote?.expiresAt === undefined) throw new DomainError("INTERNAL", "the fx service sent no expiry");
      return { ...decodeQuote(quote), expiresAt: quote.expiresAt };
    },
  };
}

function decodeQuote(quote: Quote): BoundQuote {
  if (quote.rate === undefined) throw new DomainError("INTERNAL", "the fx service sent no rate");
  const { quoteId, sourceCurrency, destinationCurrency, rate, midRate = rate } = quote;
  return { quoteId, sourceCurrency, destinationCurrency, rate, midRate };
}

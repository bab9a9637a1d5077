import type { FxServiceService, Quote } from "../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError, hasReason } from "../shared/errors";
import type { Rpc } from "../shared/rpc";
import type { ClaimedQuote } from "./domain/conversion";
import { quoteMethod } from "./domain/routing";
import type { Quotes } from "./ports";

type FxClient = Pick<Rpc<typeof FxServiceService>, "claimQuote" | "getQuote" | "releaseQuote" | "createQuote">;

/** The fx service's quotes over RPC. */
export function makeQuotes(client: FxClient): Quotes {
  const claim: Quotes["claim"] = async (tenant, quoteId, paymentId) =>
    decodeQuote((await client.claimQuote({ tenant, quoteId, paymentId })).quote);
  return {
    claim,
    async find(tenant, quoteId) {
      const { detail } = await client.getQuote({ tenant, quoteId }).catch(asUnusable);
      if (detail?.use === "EXPIRED") throw new DomainError("QUOTE_EXPIRED", "the quote has expired");
      if (detail?.use !== "OPEN") throw new DomainError("QUOTE_UNUSABLE", "the quote is unknown or already used");
      return decodeQuote(detail.quote);
    },
    async price({ tenant, paymentId, source, order }) {
      const { quote } = await client.createQuote({
        tenant,
        sourceCurrency: source,
        destinationCurrency: order.recipientAmount.currency,
        paymentMethod: quoteMethod(order.method),
        destinationCountry: undefined,
      });
      return claim(tenant, decodeQuote(quote).quoteId, paymentId);
    },
    async create({ tenant, agentId, sourceCurrency, destinationCurrency, paymentMethod, destinationCountry }) {
      const pair = { sourceCurrency, destinationCurrency };
      const { quote } = await client.createQuote({ tenant, agentId, ...pair, paymentMethod, destinationCountry });
      if (quote?.expiresAt === undefined) throw new DomainError("INTERNAL", "the fx service sent no expiry");
      return { ...decodeQuote(quote), expiresAt: quote.expiresAt };
    },
    async release(tenant, quoteId, paymentId) {
      await client.releaseQuote({ tenant, quoteId, paymentId });
    },
  };
}

/** A payment learns no more of a quote that is not there than of one that is taken. */
function asUnusable(error: unknown): never {
  if (!hasReason(error, "QUOTE_NOT_FOUND")) throw error;
  throw new DomainError("QUOTE_UNUSABLE", "the quote is unknown or already used");
}

function decodeQuote(quote: Quote | undefined): ClaimedQuote {
  if (quote?.rate === undefined) throw new DomainError("INTERNAL", "the fx service sent no rate");
  const { quoteId, sourceCurrency, destinationCurrency, rate, midRate = rate } = quote;
  return { quoteId, sourceCurrency, destinationCurrency, rate, midRate };
}

import type { FxServiceService } from "../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError } from "../shared/errors";
import type { Rpc } from "../shared/rpc";
import type { Quotes } from "./ports";

/** The fx service's quotes over RPC. */
export function makeQuotes(client: Pick<Rpc<typeof FxServiceService>, "claimQuote" | "releaseQuote">): Quotes {
  return {
    async claim(tenant, quoteId, paymentId) {
      const { quote } = await client.claimQuote({ tenant, quoteId, paymentId });
      if (quote?.rate === undefined) throw new DomainError("INTERNAL", "the fx service sent no rate");
      const { sourceCurrency, destinationCurrency, rate } = quote;
      return { quoteId, sourceCurrency, destinationCurrency, rate };
    },
    async release(tenant, quoteId, paymentId) {
      await client.releaseQuote({ tenant, quoteId, paymentId });
    },
  };
}

import type { CreateQuoteRequest, CreateQuoteResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { CreateQuote } from "../operations/create-quote";
import { decodeQuoteRequest, encodeQuote } from "./codec";

export const createQuoteHandler =
  (createQuote: CreateQuote) =>
  async (request: CreateQuoteRequest): Promise<CreateQuoteResponse> => ({
    quote: encodeQuote(await createQuote(decodeQuoteRequest(request))),
  });

import {
  ConversionOutcome,
  type ListConversionsRequest,
  type ListConversionsResponse,
  type BookedConversion as WireConversion,
} from "../../../proto/gen/corridor/fx/v1/margin_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { formatDecimal, type Rate } from "../../shared/kernel/money";
import type { Quote } from "../domain/quote";
import type { BookedConversion, ListConversions, Outcome } from "../operations/list-conversions";
import { decodeSpan } from "./codec";

const outcomeCodec = enumCodec<ConversionOutcome, Outcome>({
  [ConversionOutcome.UNSPECIFIED]: undefined,
  [ConversionOutcome.AGREES]: "AGREES",
  [ConversionOutcome.DIFFERS]: "DIFFERS",
  [ConversionOutcome.UNPROMISED]: "UNPROMISED",
  [ConversionOutcome.UNRECOGNIZED]: undefined,
});

export const listConversionsHandler =
  (listConversions: ListConversions) =>
  async (request: ListConversionsRequest): Promise<ListConversionsResponse> => {
    const { outcome, after, limit } = request;
    const asked = { ...decodeSpan(request), outcome: outcomeCodec.decode(outcome), after, limit };
    const { conversions, next } = await listConversions(asked);
    return { conversions: conversions.map(encodeConversion), next };
  };

function encodeConversion({ entryId, at, tenant, paymentId, outcome, comparison }: BookedConversion): WireConversion {
  return {
    entryId,
    postedAt: at,
    outcome: outcomeCodec.encode(outcome),
    tenant,
    paymentId,
    comparison: comparison && { ...comparison, quote: comparison.quote && encodePrice(comparison.quote) },
  };
}

const encodePrice = ({ id, rate, midRate, rateDate, rateSource, rateSnapshot }: Quote) => ({
  quoteId: id,
  rate: textOf(rate),
  midRate: textOf(midRate),
  rateDate,
  rateSource,
  rateSnapshot,
});

const textOf = ({ mantissa, scale }: Rate): string => formatDecimal({ digits: mantissa, scale });

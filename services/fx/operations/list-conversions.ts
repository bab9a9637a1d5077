import { DomainError, invalid } from "../../shared/kernel/errors";
import { type ConversionComparison, compareConversion } from "../domain/margin";
import type { Quote } from "../domain/quote";
import type { Conversions, PostedEntry, ReportedConversion, Span } from "../ports";
import type { QuoteStore } from "../store/quote-store";

/** Whether the ledger has what was promised. What no payment reported was promised by nobody. */
export type Outcome = "AGREES" | "DIFFERS" | "UNPROMISED";

/** An entry of the ledger next to what was promised; undefined when no payment reported it. */
export interface BookedConversion extends PostedEntry {
  outcome: Outcome;
  comparison: (ConversionComparison & PromisedConversion) | undefined;
}

interface PromisedConversion {
  isReturn: boolean;
  sourceCurrency: string;
  destinationCurrency: string;
  /** Undefined when it is no longer kept. */
  quote: Quote | undefined;
}

export interface ConversionQuery extends Span {
  /** Undefined asks for all. */
  outcome: Outcome | undefined;
  after: string | undefined;
  limit: number;
}

export interface ListConversionsDeps {
  conversions: Conversions | undefined;
  quotes: Pick<QuoteStore, "find">;
}

export type ListConversions = (
  query: ConversionQuery,
) => Promise<{ conversions: BookedConversion[]; next: string | undefined }>;

/** Reads a page of the ledger's conversions and compares each with what its quote promised. */
export const makeListConversions =
  ({ conversions, quotes }: ListConversionsDeps): ListConversions =>
  async ({ from, until, outcome, ...page }) => {
    const ledger = requireLedger(conversions);
    const { entries, next } = await ledger.posted(requireSpan({ from, until }), page);
    const paymentIds = new Set(entries.flatMap(({ paymentId }) => paymentId ?? []));
    const reported = await ledger.reported([...paymentIds]);
    const quoteOf = await findQuotes(quotes, reported);
    const byPayment = new Map(reported.map((conversion) => [conversion.paymentId, conversion]));
    const compared = entries.map((entry) => {
      const conversion = byPayment.get(entry.paymentId ?? "");
      return compareEntry(entry, conversion, quoteOf.get(conversion?.paymentId ?? ""));
    });
    return { conversions: compared.filter((one) => outcome === undefined || one.outcome === outcome), next };
  };

/** Throws UNAVAILABLE without a ledger. */
export function requireLedger<L>(ledger: L | undefined): L {
  if (ledger === undefined) throw new DomainError("UNAVAILABLE", "no ledger is configured");
  return ledger;
}

/** Throws INVALID_ARGUMENT unless a span ends after it begins. */
export function requireSpan(span: Span): Span {
  if (span.until <= span.from) throw invalid([{ field: "until", message: "must be after from" }]);
  return span;
}

/** Returns the quotes that are still kept, by the payments that they priced. */
async function findQuotes(
  quotes: Pick<QuoteStore, "find">,
  reported: readonly ReportedConversion[],
): Promise<ReadonlyMap<string, Quote>> {
  const found = await Promise.all(
    reported.map(async ({ paymentId, tenant, quoteId }) => {
      const quote = quoteId === undefined ? undefined : await quotes.find(tenant, quoteId);
      return quote === undefined ? [] : [[paymentId, quote] as const];
    }),
  );
  return new Map(found.flat());
}

function compareEntry(
  entry: PostedEntry,
  conversion: ReportedConversion | undefined,
  quote: Quote | undefined,
): BookedConversion {
  const move = conversion?.moves.find(({ entryId }) => entryId === entry.entryId);
  if (conversion === undefined || move === undefined) return { ...entry, outcome: "UNPROMISED", comparison: undefined };
  const { isReturn } = move;
  const compared = compareConversion(conversion, quote, { isReturn, moves: entry.moves });
  const [sourceCurrency, destinationCurrency] = [conversion.amount.currency, conversion.payoutAmount.currency];
  return {
    ...entry,
    outcome: compared.agrees ? "AGREES" : "DIFFERS",
    comparison: { ...compared, isReturn, sourceCurrency, destinationCurrency, quote },
  };
}

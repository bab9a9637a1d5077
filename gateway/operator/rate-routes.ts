import type { CurrencyRate, MarketState } from "../../proto/gen/corridor/fx/v1/rate_service";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, currency, instant, listOf, oneOf, orNull, request, text, uuid, words } from "../contract/parts";
import type { Schema } from "../contract/schema";
import type { Route } from "../route";

export interface RateRouteDeps {
  upstreams: Pick<Upstreams, "fx">;
}

const common = { scheme: "operator", tag: "Rates" } as const;
const perUsd = <const D extends string>(of: D) => text(`Units for one US dollar ${of}, decimal text.`);

const reasons = ["DISAGREEMENT", "REFERENCE", "JUMP"] as const;

const holdMembers = {
  holdId: uuid("Id."),
  reason: oneOf("Why the currency is not quoted.", reasons),
  since: orNull(instant("Since when.")),
  perUsd: perUsd("in the middle of what the sources say"),
  readings: listOf(
    "What each source says.",
    answer("HeldRateReading", "What a source says of a currency.", {
      source: text("Name of the source."),
      perUsd: perUsd("that it reports"),
      asOf: orNull(instant("Of when that is.")),
    }),
  ),
} as const;

const hold = {
  type: ["object", "null"],
  description: "Why the currency is not quoted; null while it is.",
  properties: holdMembers,
  required: ["holdId", "reason", "since", "perUsd", "readings"],
} as const satisfies Schema;

const rateShape = answer("CurrencyRate", "The rate of a currency against the US dollar.", {
  currency,
  perUsd: orNull(perUsd("that were accepted last")),
  asOf: orNull(instant("Of when they are.")),
  referencePerUsd: orNull(perUsd("by the reference rates")),
  hold,
});

const marketShape = answer("Market", "What all sources of rates said last, and what came of it.", {
  snapshot: text("Id of the last round of reading; empty for the installed package."),
  readAt: orNull(instant("When the sources were read last.")),
  sources: listOf(
    "Every source.",
    answer("RateSource", "A source of rates.", {
      source: text("Its name in the settings."),
      asOf: orNull(instant("Of when its last usable answer is.")),
      problem: orNull(text("Why its last answer could not be used.")),
    }),
  ),
  referenceDate: orNull({ ...text("Day of the reference rates."), format: "date" }),
  rates: listOf("Every currency that a source has reported.", rateShape),
});

const response = { status: 200, description: "The market.", schema: marketShape };

const releaseRequest = request("RateRelease", "The end of a hold.", {
  holdId: words("Id of the hold."),
  rate: words("Units for one US dollar, decimal text; near what one of the sources says."),
  note: { ...words("Why; kept with the rate."), maxLength: 1_000 },
});

/** Sources of exchange rates and rates on hold, for operators. */
export const rateRoutes = ({ upstreams: { fx } }: RateRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/rates",
    summary: "Show what every source of rates said last, and which currencies are held.",
    response,
    refusals: [],
    handle: async () => renderMarket((await fx.listRates({})).market),
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/rates/{currency}/release",
    summary: "End the hold of a currency at the rate that is true.",
    params: { currency: "ISO 4217 code." },
    request: releaseRequest,
    response,
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    handle: async ({ operator: author, params, body }) =>
      renderMarket((await fx.releaseRate({ ...params, ...body, author })).market),
  }),
];

function renderMarket(market: MarketState | undefined): Answered<typeof marketShape> {
  if (market === undefined) throw new Error("the fx service sent no market");
  const { snapshot, readAt, sources, referenceDate, rates } = market;
  return {
    snapshot,
    readAt: readAt ?? null,
    sources: sources.map(({ source, asOf, problem }) => ({ source, asOf: asOf ?? null, problem: problem ?? null })),
    referenceDate: referenceDate ?? null,
    rates: rates.map(renderRate),
  };
}

const renderRate = (rate: CurrencyRate): Answered<typeof rateShape> => ({
  currency: rate.currency,
  perUsd: rate.perUsd ?? null,
  asOf: rate.asOf ?? null,
  referencePerUsd: rate.referencePerUsd ?? null,
  hold: renderHold(rate.hold),
});

const renderHold = (given: CurrencyRate["hold"]): Answered<typeof hold> =>
  given === undefined
    ? null
    : {
        ...given,
        reason: knownWord(reasons, given.reason),
        since: given.since ?? null,
        readings: given.readings.map((reading) => ({ ...reading, asOf: reading.asOf ?? null })),
      };

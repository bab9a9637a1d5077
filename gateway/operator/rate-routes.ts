import type { CurrencyRate, MarketState } from "../../proto/gen/corridor/fx/v1/rate_service";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { jsonAnswer, type OperatorCall, type Route, readJson, requireParam } from "../route";
import {
  arrayOf,
  currencySchema,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";

export interface RateRouteDeps {
  upstreams: Pick<Upstreams, "fx">;
}

const common = { scheme: "operator", tag: "Rates" } as const;
const perUsd = (of: string) => textSchema(`Units for one US dollar ${of}, decimal text.`);
const holdSchema = objectSchema({
  holdId: textSchema("UUID."),
  reason: enumSchema("Why the currency is not quoted.", ["DISAGREEMENT", "REFERENCE", "JUMP"]),
  since: nullable(instantSchema("Since when.")),
  perUsd: perUsd("in the middle of what the sources say"),
  readings: arrayOf(
    objectSchema({
      source: textSchema("Name of the source."),
      perUsd: perUsd("that it tells"),
      asOf: nullable(instantSchema("Of when that is.")),
    }),
  ),
});
const rateSchema = objectSchema({
  currency: currencySchema,
  perUsd: nullable(perUsd("that were accepted last")),
  asOf: nullable(instantSchema("Of when they are.")),
  referencePerUsd: nullable(perUsd("by the reference rates")),
  hold: nullable(holdSchema),
});
const marketSchema = objectSchema({
  snapshot: textSchema("Id of the last round of reading; empty for the installed package."),
  readAt: nullable(instantSchema("When the sources were read last.")),
  sources: arrayOf(
    objectSchema({
      source: textSchema("Its name in the settings."),
      asOf: nullable(instantSchema("Of when its last usable answer is.")),
      problem: nullable(textSchema("Why its last answer could not be used.")),
    }),
  ),
  referenceDate: nullable(textSchema("Day of the reference rates.", { format: "date" })),
  rates: arrayOf(rateSchema),
});

/** Where exchange rates come from and which are held, for operators. */
export const rateRoutes = ({ upstreams: { fx } }: RateRouteDeps): readonly Route[] => [
  {
    ...common,
    method: "GET",
    path: "/rates",
    summary: "Show what every source of rates said last, and which currencies are held.",
    body: "none",
    success: { status: 200, description: "The market.", schema: marketSchema },
    refusals: [],
    async handle() {
      const { market } = await fx.listRates({});
      return jsonAnswer(renderMarket(market));
    },
  },
  {
    ...common,
    method: "POST",
    path: "/rates/{currency}/release",
    summary: "End the hold of a currency at the rate that is true.",
    body: "json",
    params: { currency: "ISO 4217 code." },
    requestSchema: objectSchema({
      holdId: textSchema("Id of the hold."),
      rate: textSchema("Units for one US dollar, decimal text; near what one of the sources says."),
      note: textSchema("Why; kept with the rate.", { minLength: 1, maxLength: 1_000 }),
    }),
    success: {
      status: 200,
      description: "The market.",
      schema: marketSchema,
    },
    refusals: ["RECORD_NOT_FOUND", "RECORD_CONFLICT"],
    async handle(call: OperatorCall) {
      const fields = readFields(readJson(call).value);
      const [holdId, rate, note] = [fields.text("holdId"), fields.text("rate"), fields.text("note")];
      fields.finish();
      const currency = requireParam(call, "currency");
      const { market } = await fx.releaseRate({ currency, holdId, rate, author: call.operator, note });
      return jsonAnswer(renderMarket(market));
    },
  },
];

const instant = (at: Date | undefined): string | null => at?.toISOString() ?? null;

function renderMarket(market: MarketState | undefined): object {
  if (market === undefined) throw new Error("the fx service sent no market");
  const { snapshot, readAt, sources, referenceDate, rates } = market;
  return {
    snapshot,
    readAt: instant(readAt),
    sources: sources.map(({ source, asOf, problem }) => ({ source, asOf: instant(asOf), problem: problem ?? null })),
    referenceDate: referenceDate ?? null,
    rates: rates.map(renderRate),
  };
}

const renderRate = ({ currency, perUsd: accepted, asOf, referencePerUsd, hold }: CurrencyRate): object => ({
  currency,
  perUsd: accepted ?? null,
  asOf: instant(asOf),
  referencePerUsd: referencePerUsd ?? null,
  hold:
    hold === undefined
      ? null
      : {
          ...hold,
          since: instant(hold.since),
          readings: hold.readings.map((reading) => ({ ...reading, asOf: instant(reading.asOf) })),
        },
});

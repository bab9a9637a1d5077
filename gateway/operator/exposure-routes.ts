import type { Exposure } from "../../proto/gen/corridor/fx/v1/exposure_service";
import { absolute } from "../../services/shared/kernel/assets";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, currency, instant, listOf, minor, oneOf, orNull, requestWith, text, words } from "../contract/parts";
import type { Route } from "../route";

export interface ExposureRouteDeps {
  upstreams: Pick<Upstreams, "fx">;
}

const common = { scheme: "operator", tag: "Rates" } as const;

const valuation = {
  reportingCurrency: text("Currency of the value, ISO 4217."),
  valueMinor: orNull(
    minor("What the net position is worth, minor units of the reporting currency; null without a rate."),
  ),
  perUsd: orNull(text("Units for one US dollar by which it was valued, decimal text.")),
  rateDate: orNull({ ...text("Day of that rate."), format: "date" }),
  rateSource: orNull(
    text("Where that rate comes from: `reference`, or the names of the sources or the installed package."),
  ),
} as const;

const exposureShape = answer(
  "Exposure",
  "The platform's position in a currency; positive where it has too much of it.",
  {
    currency,
    settledMinor: minor("What executed conversions have left in the ledger, on platform/fx."),
    openMinor: minor("What accepted conversions that have not been paid out yet will add."),
    netMinor: minor("Both together."),
    ...valuation,
    limitMinor: orNull(
      minor("How far from zero the net position may be for quotes that take it further; null without a limit."),
    ),
    limitAuthor: orNull(text("The operator who set it.")),
    limitNote: orNull(text("Why.")),
    limitSetAt: orNull(instant("When.")),
  },
);

const exposurePage = answer("ExposureList", "The platform's positions.", {
  exposures: listOf("By currency.", exposureShape),
});

const actions = ["BUY", "SELL", "NONE"] as const;

const hedgeShape = answer("Hedge", "What closes the position in a currency.", {
  currency,
  netMinor: minor("The position."),
  action: oneOf("What to do with the currency for the position to be zero.", actions),
  toFlatMinor: minor("How much of it, minor units."),
  toLimitMinor: minor("How much of it brings the position back within its limit; 0 when it is, or has no limit."),
  ...valuation,
});

const hedgePage = answer("HedgeList", "What closes the platform's positions.", {
  hedges: listOf("By currency.", hedgeShape),
});

const limitRequest = requestWith(
  "ExposureLimitRequest",
  "How far from zero a position may be.",
  { note: { ...words("Why; kept with the limit."), maxLength: 1_000 } },
  { limitMinor: { ...minor("Minor units of the currency; absent: no limit."), pattern: "^[0-9]{1,18}$" } },
);

const limitShape = answer("ExposureLimitSet", "Nothing more than that it is set.", {});

/** The platform's positions in currencies and their limits, for operators. */
export const exposureRoutes = ({ upstreams: { fx } }: ExposureRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/exposure",
    summary: "Show the platform's position in every currency, read from the ledger now, with its value and its limit.",
    response: { status: 200, description: "The positions.", schema: exposurePage },
    refusals: [],
    handle: async () => ({ exposures: (await fx.getExposure({})).exposures.map(renderExposure) }),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/hedges",
    summary: "Show what to buy or sell in each currency so that the platform has no position, or one within its limit.",
    response: { status: 200, description: "What closes them.", schema: hedgePage },
    refusals: [],
    handle: async () => ({ hedges: (await fx.getExposure({})).exposures.map(renderHedge) }),
  }),
  defineRoute({
    ...common,
    method: "PUT",
    path: "/fx/exposure/{currency}/limit",
    summary: "Set or remove the limit of the position in a currency.",
    params: { currency: "ISO 4217 code." },
    request: limitRequest,
    response: { status: 200, description: "It is set. May be repeated.", schema: limitShape },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ operator: author, params, body: { note, limitMinor } }) {
      await fx.setExposureLimit({
        ...params,
        author,
        note,
        limitMinor: limitMinor === undefined ? undefined : BigInt(limitMinor),
      });
      return {};
    },
  }),
];

const renderExposure = (exposure: Exposure): Answered<typeof exposureShape> => ({
  currency: exposure.currency,
  settledMinor: String(exposure.settledMinor),
  openMinor: String(exposure.openMinor),
  netMinor: String(exposure.netMinor),
  ...renderValuation(exposure),
  limitMinor: exposure.limit === undefined ? null : String(exposure.limit.limitMinor),
  limitAuthor: exposure.limit?.author ?? null,
  limitNote: exposure.limit?.note ?? null,
  limitSetAt: exposure.limit?.setAt ?? null,
});

const renderHedge = (exposure: Exposure): Answered<typeof hedgeShape> => ({
  currency: exposure.currency,
  netMinor: String(exposure.netMinor),
  action: exposure.toFlatMinor === 0n ? "NONE" : exposure.toFlatMinor > 0n ? "BUY" : "SELL",
  toFlatMinor: String(absolute(exposure.toFlatMinor)),
  toLimitMinor: String(absolute(exposure.toLimitMinor)),
  ...renderValuation(exposure),
});

const renderValuation = ({ reportingCurrency, valueMinor, perUsd, rateDate, rateSource }: Exposure) => ({
  reportingCurrency,
  valueMinor: valueMinor === undefined ? null : String(valueMinor),
  perUsd: perUsd ?? null,
  rateDate: rateDate ?? null,
  rateSource: rateSource ?? null,
});

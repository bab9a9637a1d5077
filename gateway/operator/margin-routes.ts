import {
  type BookedConversion,
  ConversionOutcome,
  type CurrencyMargin,
} from "../../proto/gen/corridor/fx/v1/margin_service";
import { parseInstant } from "../../services/shared/kernel/clock";
import { enumCodec } from "../../services/shared/kernel/enum-codec";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, currency, givenInstant, instant, listOf, minor, oneOf, orNull, text } from "../contract/parts";
import type { ObjectSchema } from "../contract/schema";
import type { Route } from "../route";
import { pageMembers } from "./page";

export interface MarginRouteDeps {
  upstreams: Pick<Upstreams, "fx">;
}

const common = { scheme: "operator", tag: "Rates" } as const;

const span = {
  from: { ...givenInstant("First instant."), rule: "must be an ISO 8601 time with its offset" },
  until: {
    ...givenInstant("Last instant, exclusive; after `from`."),
    rule: "must be an ISO 8601 time with its offset",
    examples: ["2026-03-03T04:05:06Z"],
  },
} as const;

const marginQuery = {
  type: "object",
  description: "Which span of time is meant.",
  properties: span,
  required: ["from", "until"],
  additionalProperties: false,
} as const satisfies ObjectSchema;

const marginShape = answer("CurrencyMargin", "What the ledger gained from conversions in a currency.", {
  currency,
  marginMinor: minor("What was earned: what platform/margin gained, minor units."),
  positionMinor: minor("What conversions added to the position: what platform/fx gained, minor units."),
});

const marginPage = answer("MarginList", "What conversions earned.", {
  margins: listOf("By currency, without those in which nothing changed.", marginShape),
});

const outcomes = ["AGREES", "DIFFERS", "UNPROMISED"] as const;

const outcomeCodec = enumCodec<ConversionOutcome, (typeof outcomes)[number]>({
  [ConversionOutcome.UNSPECIFIED]: undefined,
  [ConversionOutcome.AGREES]: "AGREES",
  [ConversionOutcome.DIFFERS]: "DIFFERS",
  [ConversionOutcome.UNPROMISED]: "UNPROMISED",
  [ConversionOutcome.UNRECOGNIZED]: undefined,
});

const outcome = oneOf(
  "AGREES: the ledger has what was promised, to the minor unit. DIFFERS: it has something else. UNPROMISED: no payment reported the entry; an operator posted it.",
  outcomes,
);

const conversionQuery = {
  ...marginQuery,
  description: "Which conversions are meant.",
  properties: { ...span, outcome, ...pageMembers },
} as const satisfies ObjectSchema;

const kinds = ["PAYOUT", "RETURN"] as const;

const conversionShape = answer(
  "BookedConversion",
  "A conversion as the ledger has it, next to what was promised. Of an entry that no payment reported, only the entry is known.",
  {
    entryId: text("Id of the entry; `GET /ledger/entries/{entryId}` has all of it."),
    postedAt: instant("When it was posted."),
    outcome,
    tenant: text("Slug of the tenant; empty for the platform's own."),
    paymentId: orNull(text("The payment that the money moved for.")),
    kind: orNull(oneOf("RETURN: the recipient's bank gave the money back, and all amounts are negative.", kinds)),
    sourceCurrency: orNull(text("What the platform takes in, ISO 4217.")),
    destinationCurrency: orNull(text("What it pays out, ISO 4217.")),
    promisedReceivedMinor: orNull(minor("What it should take in, with its margin, in the source currency.")),
    postedReceivedMinor: orNull(minor("What the ledger has of it.")),
    promisedPaidMinor: orNull(minor("What it should pay out, in the destination currency.")),
    postedPaidMinor: orNull(minor("What the ledger has of it.")),
    promisedMarginMinor: orNull(minor("What it should keep, in the source currency.")),
    postedMarginMinor: orNull(minor("What the ledger has of it.")),
    quoteId: orNull(
      text(
        "The quote that promised it; null when it is no longer kept, and the payment's own figures are the promise.",
      ),
    ),
    rate: orNull(text("The customer's rate of the quote, decimal text.")),
    midRate: orNull(text("The market's rate at the quote, decimal text.")),
    rateDate: orNull({ ...text("Day of the market's rate."), format: "date" }),
    rateSource: orNull(text("Names of its sources, or of the installed package.")),
    rateSnapshot: orNull(text("Id of the reading round of its sources.")),
  },
);

const conversionPage = answer("BookedConversionPage", "A page of conversions.", {
  conversions: listOf("The oldest first.", conversionShape),
  next: orNull(text("Cursor of the next page.")),
});

const decodeSpan = ({ from, until }: { from: string; until: string }) => ({
  from: parseInstant(from),
  until: parseInstant(until),
});

/** What conversions earned, and whether the ledger has what the quotes promised, for operators. */
export const marginRoutes = ({ upstreams: { fx } }: MarginRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/margin",
    summary: "Show what conversions earned in a span of time, by currency, from the ledger.",
    query: marginQuery,
    response: { status: 200, description: "What they earned.", schema: marginPage },
    refusals: ["INVALID_ARGUMENT"],
    handle: async ({ query }) => ({ margins: (await fx.getMargin(decodeSpan(query))).margins.map(renderMargin) }),
  }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/fx/margin/conversions",
    summary:
      "List the conversions of a span of time as the ledger has them, each next to what its quote promised. A page may be short, or empty, and still have a cursor.",
    query: conversionQuery,
    response: { status: 200, description: "A page.", schema: conversionPage },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ query: { outcome: wanted, after, limit, ...given } }) {
      const only = wanted === undefined ? ConversionOutcome.UNSPECIFIED : outcomeCodec.encode(wanted);
      const asked = { ...decodeSpan(given), outcome: only, after, limit };
      const { conversions, next } = await fx.listConversions(asked);
      return { conversions: conversions.map(renderConversion), next: next ?? null };
    },
  }),
];

const renderMargin = ({
  currency: code,
  marginMinor,
  positionMinor,
}: CurrencyMargin): Answered<typeof marginShape> => ({
  currency: code,
  marginMinor: String(marginMinor),
  positionMinor: String(positionMinor),
});

function renderConversion(conversion: BookedConversion): Answered<typeof conversionShape> {
  const { entryId, postedAt, tenant, paymentId, comparison } = conversion;
  const found = outcomeCodec.decode(conversion.outcome);
  if (postedAt === undefined || found === undefined) throw new Error("the fx service sent an incomplete conversion");
  const { promised, posted, quote } = comparison ?? {};
  return {
    entryId,
    postedAt,
    outcome: found,
    tenant,
    paymentId: paymentId ?? null,
    kind: comparison === undefined ? null : comparison.isReturn ? "RETURN" : "PAYOUT",
    sourceCurrency: comparison?.sourceCurrency ?? null,
    destinationCurrency: comparison?.destinationCurrency ?? null,
    promisedReceivedMinor: textOf(promised?.receivedMinor),
    postedReceivedMinor: textOf(posted?.receivedMinor),
    promisedPaidMinor: textOf(promised?.paidMinor),
    postedPaidMinor: textOf(posted?.paidMinor),
    promisedMarginMinor: textOf(promised?.marginMinor),
    postedMarginMinor: textOf(posted?.marginMinor),
    quoteId: quote?.quoteId ?? null,
    rate: quote?.rate ?? null,
    midRate: quote?.midRate ?? null,
    rateDate: quote?.rateDate ?? null,
    rateSource: quote?.rateSource ?? null,
    rateSnapshot: quote?.rateSnapshot ?? null,
  };
}

const textOf = (value: bigint | undefined): string | null => (value === undefined ? null : String(value));

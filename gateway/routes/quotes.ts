import type { ListedQuote, Quote, QuoteDetail } from "../../proto/gen/corridor/fx/v1/fx_service";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import {
  currencyDigits,
  type Decimal,
  formatDecimal,
  type Rate,
  roundedMinor,
} from "../../services/shared/kernel/money";
import type { Upstreams } from "../clients";
import { knownWord } from "../codec/known-word";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import {
  answer,
  closedQuery,
  currency,
  described,
  exact,
  flag,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  pageOrText,
  text,
  words,
} from "../contract/parts";
import type { Schema } from "../contract/schema";
import { columnsOf, type SendList } from "../csv";
import type { Route } from "../route";

/** The payment methods for which fx prices the payout to a recipient. */
const paymentMethods = ["BANK_ACCOUNT", "WALLET", "CARD"] as const;

const pair = {
  sourceCurrencyCode: described(currency, "ISO 4217 code of what is paid."),
  destinationCurrencyCode: described(currency, "ISO 4217 code of what is received."),
} as const;

const quoteRequest = {
  title: "QuoteRequest",
  type: "object",
  description: "Which rate is asked for.",
  properties: {
    ...pair,
    paymentMethod: words("How the recipient is paid: BANK_ACCOUNT, WALLET or CARD."),
    sourceCurrencyAmount: {
      type: ["number", "string"],
      description:
        "Does not change the rate; a limit of the platform's position may leave no room for it (PAY_001). A number, or a quoted one.",
      minimum: 0,
      maximum: 999_999_999_999,
      exactDecimal: "plain",
      rule: "must be a plain decimal number from 0 to 999999999999",
      examples: [100.5, "100.50"],
    },
    destinationCountryCode: words(
      "ISO 3166-1 alpha-3 code; narrows the rate to a corridor. There is no route to any other text: PAY_001.",
    ),
  },
  required: ["sourceCurrencyCode", "destinationCurrencyCode", "paymentMethod"],
  additionalProperties: false,
} as const satisfies Schema;

const earlierRequest = {
  title: "EarlierQuoteRequest",
  type: "object",
  description: "Which rate is asked for, by bank account.",
  properties: pair,
  required: ["sourceCurrencyCode", "destinationCurrencyCode"],
  additionalProperties: false,
} as const satisfies Schema;

const fxId = text("Id of the quote: the fxId of a payment.");
const conversionRate = exact("Rate that is promised: the exchangeRate of a payment.");
const quoteIdExpiryDateTime = instant("The rate is invalid from here on.");

const quoteAnswer = answer("Quote", "A rate that one payment may use.", {
  fxId,
  conversionRate,
  ...pair,
  quoteIdExpiryDateTime,
});

const earlierAnswer = answer("EarlierQuote", "A rate that one payment may use.", {
  fxId,
  conversionRate,
  quoteIdExpiryDateTime,
});

const quoteDetail = answer("QuoteDetail", "A quote: what it was made of and what became of it.", {
  fxId,
  ...pair,
  paymentMethod: oneOf("How the recipient is paid.", paymentMethods),
  conversionRate: exact("Rate that is promised."),
  midRate: exact("Mid-market rate that it was made from."),
  marginBps: integer("What was taken off the mid-market rate, in basis points."),
  rateDate: { type: "string", description: "Day of the mid-market rate.", format: "date" },
  rateSource: text("Names of the sources of the mid-market rate, or of the installed package."),
  rateReadAt: instant("Time of the mid-market rate; when it was read, if its source gives only the day."),
  rateSnapshot: orNull(text("The round of reading that it comes from.")),
  rates: listOf(
    "What the rate was made of, currency by currency.",
    answer("RateLeg", "A currency's rate to the US dollar.", {
      currency,
      perUsd: text("Units for one US dollar that the sources come to, decimal text."),
      readings: listOf(
        "What each source answered.",
        answer("RateReading", "A currency's rate at one source.", {
          source: text("Name of the source."),
          perUsd: text("Units for one US dollar at this source, decimal text."),
          asOf: orNull(instant("Of when that is.")),
        }),
      ),
    }),
  ),
  rounding: oneOf("How a converted amount is rounded to the minor unit.", ["HALF_EVEN"]),
  createdAt: instant("When the quote was made."),
  quoteIdExpiryDateTime,
  status: oneOf("What became of the quote.", ["OPEN", "USED", "EXPIRED"]),
  paymentId: orNull(text("The payment that has used the quote.")),
});

const quoteQuery = closedQuery("Which quotes are meant.", {
  source: described(currency, "Only from this currency, an ISO 4217 code."),
  destination: described(currency, "Only to this currency, an ISO 4217 code."),
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most quotes of a page."), minimum: 1, maximum: 200, default: 25 },
});

const quotePage = answer("QuotePage", "A page of quotes.", {
  quotes: listOf(
    "The newest first.",
    answer("ListedQuote", "A quote as lists show it.", {
      fxId,
      ...pair,
      paymentMethod: oneOf("How the recipient is paid.", paymentMethods),
      conversionRate,
      createdAt: instant("When the quote was made."),
      quoteIdExpiryDateTime,
      isExpired: flag("True when its time is over."),
    }),
  ),
  next: orNull(text("`after` of the next page; null on the last. A page with few quotes, or none, may have it.")),
});

const quoteColumns = columnsOf(Object.keys(quotePage.properties.quotes.items.properties));

const common = { scheme: "bearer", scope: "fx", tag: "Foreign exchange" } as const;

interface QuoteRouteDeps extends Pick<Upstreams, "fx" | "payment"> {
  sendList: SendList;
}

export const quoteRoutes = ({ fx, payment, sendList }: QuoteRouteDeps): readonly Route[] => [
  defineRoute({
    ...common,
    method: "POST",
    path: "/v2/foreign-exchange",
    isRepeatable: true,
    isHot: true,
    summary: "Quote an exchange rate that one payment may use within 15 minutes.",
    request: quoteRequest,
    response: { status: 200, description: "The quote.", schema: quoteAnswer },
    refusals: ["NO_ROUTE", "PAYMENT_METHOD_UNKNOWN"],
    // The fx service knows which methods and corridors exist.
    async handle({ tenant, body }) {
      const { quote } = await fx.createQuote({
        tenant,
        sourceCurrency: body.sourceCurrencyCode,
        destinationCurrency: body.destinationCurrencyCode,
        paymentMethod: body.paymentMethod,
        destinationCountry: body.destinationCountryCode,
        amountMinor: body.sourceCurrencyAmount && minorOf(body.sourceCurrencyAmount, body.sourceCurrencyCode),
      });
      return renderQuote(quote);
    },
  }),
  listRoute({ fx, sendList }),
  defineRoute({
    ...common,
    method: "GET",
    path: "/v2/foreign-exchange/{fxId}",
    summary: "Look a quote up: what it was made of and what became of it.",
    params: { fxId: "Id of the quote." },
    response: { status: 200, description: "The quote.", schema: quoteDetail },
    refusals: ["QUOTE_NOT_FOUND"],
    async handle({ tenant, params }) {
      const named = { tenant, quoteId: params.fxId };
      // The payment service knows whether the quote was used.
      const [{ detail }, { paymentId }] = await Promise.all([fx.getQuote(named), payment.getQuoteUse(named)]);
      return renderDetail(detail, paymentId);
    },
  }),
  defineRoute({
    ...common,
    method: "POST",
    path: "/foreign-exchange",
    isRepeatable: true,
    summary: "Quote an exchange rate by bank account, the earlier form.",
    request: earlierRequest,
    response: { status: 200, description: "The quote.", schema: earlierAnswer },
    refusals: ["NO_ROUTE"],
    async handle({ tenant, body }) {
      const { quote } = await fx.createQuote({
        tenant,
        sourceCurrency: body.sourceCurrencyCode,
        destinationCurrency: body.destinationCurrencyCode,
        paymentMethod: "BANK_ACCOUNT",
      });
      const { fxId: quoteId, conversionRate: rate, quoteIdExpiryDateTime: expiry } = renderQuote(quote);
      return { fxId: quoteId, conversionRate: rate, quoteIdExpiryDateTime: expiry };
    },
  }),
];

/** What is to be converted, rounded to the minor unit; an unknown currency is refused by the fx service. */
const minorOf = (amount: Decimal, currency: string): bigint => roundedMinor(amount, currencyDigits(currency) ?? 0);

/** The five fields of a quote. */
function renderQuote(quote: Quote | undefined): Answered<typeof quoteAnswer> {
  if (quote?.expiresAt === undefined) throw new Error("the quote is incomplete");
  return {
    fxId: quote.quoteId,
    conversionRate: renderRate(quote.rate),
    sourceCurrencyCode: quote.sourceCurrency,
    destinationCurrencyCode: quote.destinationCurrency,
    quoteIdExpiryDateTime: quote.expiresAt.toISOString(),
  };
}

function renderDetail(detail: QuoteDetail | undefined, paymentId: string | undefined): Answered<typeof quoteDetail> {
  if (detail?.createdAt === undefined || detail.rateReadAt === undefined) throw new Error("the quote is incomplete");
  const unused = detail.isExpired ? "EXPIRED" : "OPEN";
  const { conversionRate: rate, quoteIdExpiryDateTime: expiry, ...names } = renderQuote(detail.quote);
  return {
    ...names,
    paymentMethod: knownWord(paymentMethods, detail.paymentMethod),
    conversionRate: rate,
    midRate: renderRate(detail.midRate),
    marginBps: detail.spreadBps,
    rateDate: detail.rateDate,
    rateSource: detail.rateSource,
    rateReadAt: detail.rateReadAt.toISOString(),
    rateSnapshot: detail.rateSnapshot ?? null,
    rates: detail.legs.map(({ currency, perUsd, readings }) => ({
      currency,
      perUsd,
      readings: readings.map((one) => ({ ...one, asOf: one.asOf?.toISOString() ?? null })),
    })),
    rounding: "HALF_EVEN",
    createdAt: detail.createdAt.toISOString(),
    quoteIdExpiryDateTime: expiry,
    status: paymentId === undefined ? unused : "USED",
    paymentId: paymentId ?? null,
  };
}

function renderRate(rate: Rate | undefined) {
  if (rate === undefined) throw new Error("the quote has no rate");
  return exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale }));
}

const listRoute = ({ fx, sendList }: Pick<Upstreams, "fx"> & { sendList: SendList }): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/v2/foreign-exchange",
    summary: "List quotes, the newest first.",
    query: quoteQuery,
    response: pageOrText(quotePage, "the newest first"),
    refusals: ["INVALID_ARGUMENT"],
    async handle({ tenant, headers, query }) {
      const asked = { tenant, sourceCurrency: query.source, destinationCurrency: query.destination };
      return sendList({
        holder: tenant,
        headers,
        name: "quotes",
        columns: quoteColumns,
        query,
        async read(page) {
          const { quotes, next } = await fx.listQuotes({ ...asked, ...page });
          return { items: quotes.map(renderListed), next };
        },
        render: ({ items, next }) => ({ quotes: items, next: next ?? null }),
      });
    },
  });

function renderListed({ quoteId, rate, createdAt, expiresAt, ...quote }: ListedQuote) {
  if (rate === undefined || createdAt === undefined || expiresAt === undefined) {
    throw new Error("the fx service sent a quote without its rate or times");
  }
  return {
    fxId: quoteId,
    sourceCurrencyCode: quote.sourceCurrency,
    destinationCurrencyCode: quote.destinationCurrency,
    paymentMethod: knownWord(paymentMethods, quote.paymentMethod),
    conversionRate: renderRate(rate),
    createdAt,
    quoteIdExpiryDateTime: expiresAt,
    isExpired: quote.isExpired,
  };
}

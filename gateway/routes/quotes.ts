import type { CreateQuoteRequest, Quote, QuoteDetail } from "../../proto/gen/corridor/fx/v1/fx_service";
import { exactNumber } from "../../services/shared/exact-number";
import type { JsonObject, ParsedJson } from "../../services/shared/json";
import { formatDecimal, parseDecimal, type Rate } from "../../services/shared/money";
import type { Upstreams } from "../clients";
import { type FieldReader, readFields } from "../field-reader";
import { jsonAnswer, type Route, readJson, requireParam } from "../route";
import {
  arrayOf,
  currencySchema,
  enumSchema,
  instantSchema,
  integerSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";

const maxAmount = 999_999_999_999n;

const quoteRequestSchema = objectSchema(
  {
    sourceCurrencyCode: currencySchema,
    destinationCurrencyCode: currencySchema,
    paymentMethod: enumSchema("How the recipient is paid.", ["BANK_ACCOUNT", "WALLET", "CARD"]),
    sourceCurrencyAmount: {
      type: ["number", "string"],
      description: "Does not change the answer. A number, or a quoted one.",
      examples: [100.5, "100.50"],
    },
    destinationCountryCode: textSchema("ISO 3166-1 alpha-3 code; narrows the rate to a corridor.", {
      pattern: "^[A-Z]{3}$",
    }),
  },
  ["sourceCurrencyAmount", "destinationCountryCode"],
);

const quoteSchema = objectSchema({
  fxId: textSchema("Id of the quote: the fxId of a payment."),
  conversionRate: numberSchema("Rate that is promised: the exchangeRate of a payment."),
  sourceCurrencyCode: currencySchema,
  destinationCurrencyCode: currencySchema,
  quoteIdExpiryDateTime: instantSchema("The rate is invalid from here on."),
});

const earlierRequestSchema = objectSchema({
  sourceCurrencyCode: currencySchema,
  destinationCurrencyCode: currencySchema,
});

const earlierQuoteSchema = objectSchema({
  fxId: textSchema("Id of the quote: the fxId of a payment."),
  conversionRate: numberSchema("Rate that is promised: the exchangeRate of a payment."),
  quoteIdExpiryDateTime: instantSchema("The rate is invalid from here on."),
});

const quoteDetailSchema = objectSchema({
  fxId: textSchema("Id of the quote."),
  sourceCurrencyCode: currencySchema,
  destinationCurrencyCode: currencySchema,
  paymentMethod: enumSchema("How the recipient is paid.", ["BANK_ACCOUNT", "WALLET", "CARD"]),
  conversionRate: numberSchema("Rate that is promised."),
  midRate: numberSchema("Mid-market rate that it was made from."),
  marginBps: integerSchema("What was taken off the mid-market rate, in basis points."),
  rateDate: textSchema("Day of the mid-market rate.", { format: "date" }),
  rateSource: textSchema("Names of the sources of the mid-market rate, or of the installed package."),
  rateReadAt: instantSchema(
    "Of when the mid-market rate is, or when it was read where its source tells the day alone.",
  ),
  rateSnapshot: nullable(textSchema("The round of reading that it comes from.")),
  rates: arrayOf(
    objectSchema({
      currency: currencySchema,
      perUsd: textSchema("Units for one US dollar that the sources come to, decimal text."),
      readings: arrayOf(
        objectSchema({
          source: textSchema("Name of the source."),
          perUsd: textSchema("Units for one US dollar that it told, decimal text."),
          asOf: nullable(instantSchema("Of when that is.")),
        }),
      ),
    }),
  ),
  rounding: enumSchema("How a converted amount is rounded to the minor unit.", ["HALF_EVEN"]),
  createdAt: instantSchema("When the quote was made."),
  quoteIdExpiryDateTime: instantSchema("The rate is invalid from here on."),
  status: enumSchema("What became of the quote.", ["OPEN", "USED", "EXPIRED"]),
  paymentId: nullable(textSchema("The payment that has used the quote.")),
});

export function quoteRoutes({ fx, payment }: Pick<Upstreams, "fx" | "payment">): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/v2/foreign-exchange",
      scheme: "bearer",
      scope: "fx",
      summary: "Quote an exchange rate that one payment may use within 15 minutes.",
      tag: "Foreign exchange",
      body: "json",
      requestSchema: quoteRequestSchema,
      success: { status: 200, description: "The quote.", schema: quoteSchema },
      refusals: ["NO_ROUTE", "PAYMENT_METHOD_UNKNOWN"],
      async handle(call) {
        const { quote } = await fx.createQuote(parseQuoteRequest(call.tenant, readJson(call)));
        return jsonAnswer(renderQuote(quote));
      },
    },
    {
      method: "GET",
      path: "/v2/foreign-exchange/{fxId}",
      scheme: "bearer",
      scope: "fx",
      summary: "Look a quote up: what it was made of and what became of it.",
      tag: "Foreign exchange",
      body: "none",
      params: { fxId: "Id of the quote." },
      success: { status: 200, description: "The quote.", schema: quoteDetailSchema },
      refusals: ["QUOTE_NOT_FOUND"],
      async handle(call) {
        const named = { tenant: call.tenant, quoteId: requireParam(call, "fxId") };
        // Whether it was used is known where payments are stored.
        const [{ detail }, { paymentId }] = await Promise.all([fx.getQuote(named), payment.getQuoteUse(named)]);
        return jsonAnswer(renderDetail(detail, paymentId));
      },
    },
    {
      method: "POST",
      path: "/foreign-exchange",
      scheme: "bearer",
      scope: "fx",
      summary: "Quote an exchange rate by bank account, the earlier form.",
      tag: "Foreign exchange",
      body: "json",
      requestSchema: earlierRequestSchema,
      success: { status: 200, description: "The quote.", schema: earlierQuoteSchema },
      refusals: ["NO_ROUTE"],
      async handle(call) {
        const fields = readFields(readJson(call).value);
        const pair = readPair(fields);
        fields.finish();
        const { quote } = await fx.createQuote({ tenant: call.tenant, ...pair, paymentMethod: "BANK_ACCOUNT" });
        const { fxId, conversionRate, quoteIdExpiryDateTime } = renderQuote(quote);
        return jsonAnswer({ fxId, conversionRate, quoteIdExpiryDateTime });
      },
    },
  ];
}

/** Reads the request; which methods and corridors exist is for the fx service to say. */
function parseQuoteRequest(
  tenant: string,
  { value, numbers }: { value: JsonObject; numbers: ParsedJson["numbers"] },
): CreateQuoteRequest {
  const fields = readFields(value);
  const pair = readPair(fields);
  const paymentMethod = fields.text("paymentMethod");
  const { sourceCurrencyAmount: amount } = value;
  const isAmount =
    amount === undefined || isPlainAmount(typeof amount === "string" ? amount : numbers.get(amountField));
  fields.check(isAmount, amountField, `must be a plain decimal number from 0 to ${maxAmount}`);
  const country = fields.optionalText("destinationCountryCode");
  fields.finish();
  const destinationCountry = country === undefined ? {} : { destinationCountry: country };
  return { tenant, ...pair, paymentMethod, ...destinationCountry };
}

function readPair(fields: FieldReader): Pick<CreateQuoteRequest, "sourceCurrency" | "destinationCurrency"> {
  return {
    sourceCurrency: fields.currency("sourceCurrencyCode"),
    destinationCurrency: fields.currency("destinationCurrencyCode"),
  };
}

const amountField = "sourceCurrencyAmount";

function isPlainAmount(lexeme: string | undefined): boolean {
  const decimal = parseDecimal(lexeme ?? "");
  return decimal !== undefined && decimal.digits <= maxAmount * 10n ** BigInt(decimal.scale);
}

/** The five fields of a quote. */
function renderQuote(quote: Quote | undefined) {
  if (quote?.expiresAt === undefined) throw new Error("the quote is incomplete");
  return {
    fxId: quote.quoteId,
    conversionRate: renderRate(quote.rate),
    sourceCurrencyCode: quote.sourceCurrency,
    destinationCurrencyCode: quote.destinationCurrency,
    quoteIdExpiryDateTime: quote.expiresAt.toISOString(),
  };
}

function renderDetail(detail: QuoteDetail | undefined, paymentId: string | undefined): object {
  if (detail?.createdAt === undefined || detail.rateReadAt === undefined) throw new Error("the quote is incomplete");
  const unused = detail.isExpired ? "EXPIRED" : "OPEN";
  const { conversionRate, quoteIdExpiryDateTime, ...names } = renderQuote(detail.quote);
  return {
    ...names,
    paymentMethod: detail.paymentMethod,
    conversionRate,
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
    quoteIdExpiryDateTime,
    status: paymentId === undefined ? unused : "USED",
    paymentId: paymentId ?? null,
  };
}

function renderRate(rate: Rate | undefined) {
  if (rate === undefined) throw new Error("the quote has no rate");
  return exactNumber(formatDecimal({ digits: rate.mantissa, scale: rate.scale }));
}

import type { CreateQuoteRequest, Quote } from "../../proto/gen/corridor/fx/v1/fx_service";
import type { JsonObject, ParsedJson } from "../../services/shared/json";
import { formatDecimal, parseDecimal } from "../../services/shared/money";
import type { Upstreams } from "../clients";
import { exactNumber } from "../exact-number";
import { readFields } from "../field-reader";
import { jsonAnswer, type Route, readJson } from "../route";
import {
  currencySchema,
  enumSchema,
  instantSchema,
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

export function quoteRoutes({ fx }: Pick<Upstreams, "fx">): readonly Route[] {
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
  ];
}

/** Reads the request; which methods and corridors exist is for the fx service to say. */
function parseQuoteRequest(
  tenant: string,
  { value, numbers }: { value: JsonObject; numbers: ParsedJson["numbers"] },
): CreateQuoteRequest {
  const fields = readFields(value);
  const currency = (field: string): string => {
    const code = fields.text(field);
    fields.check(/^[A-Z]{3}$/.test(code), field, "must be an ISO 4217 code, three capital letters");
    return code;
  };
  const sourceCurrency = currency("sourceCurrencyCode");
  const destinationCurrency = currency("destinationCurrencyCode");
  const paymentMethod = fields.text("paymentMethod");
  const { sourceCurrencyAmount: amount } = value;
  const isAmount =
    amount === undefined || isPlainAmount(typeof amount === "string" ? amount : numbers.get(amountField));
  fields.check(isAmount, amountField, `must be a plain decimal number from 0 to ${maxAmount}`);
  const country = fields.optionalText("destinationCountryCode");
  fields.finish();
  const destinationCountry = country === undefined ? {} : { destinationCountry: country };
  return { tenant, sourceCurrency, destinationCurrency, paymentMethod, ...destinationCountry };
}

const amountField = "sourceCurrencyAmount";

function isPlainAmount(lexeme: string | undefined): boolean {
  const decimal = parseDecimal(lexeme ?? "");
  return decimal !== undefined && decimal.digits <= maxAmount * 10n ** BigInt(decimal.scale);
}

/** The five fields of a quote. */
function renderQuote(quote: Quote | undefined): object {
  if (quote?.rate === undefined || quote.expiresAt === undefined) throw new Error("the quote is incomplete");
  const { mantissa, scale } = quote.rate;
  return {
    fxId: quote.quoteId,
    conversionRate: exactNumber(formatDecimal({ digits: mantissa, scale })),
    sourceCurrencyCode: quote.sourceCurrency,
    destinationCurrencyCode: quote.destinationCurrency,
    quoteIdExpiryDateTime: quote.expiresAt.toISOString(),
  };
}

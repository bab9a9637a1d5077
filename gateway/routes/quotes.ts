import type { CreateQuoteRequest, Quote } from "../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError, type FieldViolation, invalid } from "../../services/shared/errors";
import type { JsonObject, JsonValue, ParsedJson } from "../../services/shared/json";
import { formatDecimal, parseDecimal } from "../../services/shared/money";
import type { Upstreams } from "../clients";
import { exactNumber } from "../exact-number";
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
export function parseQuoteRequest(
  tenant: string,
  { value, numbers }: { value: JsonObject; numbers: ParsedJson["numbers"] },
): CreateQuoteRequest {
  const { sourceCurrencyCode, destinationCurrencyCode, paymentMethod, destinationCountryCode } = value;
  const violations: FieldViolation[] = [
    ...currencyProblems("sourceCurrencyCode", sourceCurrencyCode),
    ...currencyProblems("destinationCurrencyCode", destinationCurrencyCode),
    ...(isText(paymentMethod) ? [] : [{ field: "paymentMethod", message: "is required and must be a string" }]),
    ...amountProblems(value["sourceCurrencyAmount"], numbers.get("sourceCurrencyAmount")),
  ];
  const hasCountry = destinationCountryCode !== undefined;
  if (hasCountry && typeof destinationCountryCode !== "string") {
    violations.push({ field: "destinationCountryCode", message: "must be a string" });
  }
  if (violations.length > 0) throw invalid(violations);
  return {
    tenant,
    sourceCurrency: String(sourceCurrencyCode),
    destinationCurrency: String(destinationCurrencyCode),
    paymentMethod: String(paymentMethod),
    ...(hasCountry ? { destinationCountry: String(destinationCountryCode) } : {}),
  };
}

const isText = (value: JsonValue | undefined): value is string => typeof value === "string" && value !== "";

function currencyProblems(field: string, value: JsonValue | undefined): readonly FieldViolation[] {
  if (!isText(value)) return [{ field, message: "is required and must be a string" }];
  return /^[A-Z]{3}$/.test(value) ? [] : [{ field, message: "must be an ISO 4217 code, three capital letters" }];
}

function amountProblems(value: JsonValue | undefined, lexeme: string | undefined): readonly FieldViolation[] {
  if (value === undefined) return [];
  const decimal = parseDecimal(typeof value === "string" ? value : (lexeme ?? ""));
  const isInRange = decimal !== undefined && decimal.digits <= maxAmount * 10n ** BigInt(decimal.scale);
  const message = `must be a plain decimal number from 0 to ${maxAmount}`;
  return isInRange ? [] : [{ field: "sourceCurrencyAmount", message }];
}

/** The five fields of a quote. */
export function renderQuote(quote: Quote | undefined): object {
  if (quote?.rate === undefined || quote.expiresAt === undefined)
    throw new DomainError("INTERNAL", "quote is incomplete");
  const { mantissa, scale } = quote.rate;
  return {
    fxId: quote.quoteId,
    conversionRate: exactNumber(formatDecimal({ digits: mantissa, scale })),
    sourceCurrencyCode: quote.sourceCurrency,
    destinationCurrencyCode: quote.destinationCurrency,
    quoteIdExpiryDateTime: quote.expiresAt.toISOString(),
  };
}

import {
  type Corridor,
  convert,
  type Decimal,
  digitsOf,
  money,
  type NewPayment,
  type PaymentRequest,
} from "../sdk/src/main.ts";
import type { Context } from "./context.ts";
import { Usage } from "./failures.ts";

type Json = Readonly<Record<string, unknown>>;

/** Facts of a payout beside the payload for its country. */
export interface PayoutFacts {
  readonly total: string;
  readonly currency: string;
  readonly descriptor?: string | undefined;
}

/** Checks that a text is an amount of its currency. */
export function amountOf(total: string, currency: string): { total: Decimal; currency: string } {
  try {
    digitsOf(currency);
    return money(total, currency);
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}

/** Returns a payout by one of its methods that the schema of its country gives as an example. */
export async function examplePayout(
  corridor: Corridor,
  country: string,
  method: string | undefined,
  { total, currency, descriptor }: PayoutFacts,
): Promise<Json> {
  const schema = (await corridor.schemas.get(country.toUpperCase())) as { examples?: readonly Json[] };
  const examples = schema.examples ?? [];
  const typeOf = (example: Json): string =>
    String((Object((example["recipient"] as Json)["paymentMethod"]) as Json)["type"]);
  const example = examples.find((one) => method === undefined || typeOf(one) === method.toUpperCase());
  if (example === undefined) {
    throw new Usage(`${country} has no method ${method ?? ""}: ${[...new Set(examples.map(typeOf))].join(", ")}`);
  }
  const { currency: paidIn } = example["recipientAmount"] as { currency: string };
  const amount = amountOf(total, currency);
  return {
    paymentType: "PUSH",
    // A documentation address (RFC 5737): a real payout has that of its originator.
    ipAddress: "203.0.113.7",
    amount,
    ...example,
    recipientAmount: { total: paidIn === currency ? amount.total : "0", currency: paidIn },
    ...(descriptor === undefined ? {} : { dynamicDescriptor: descriptor }),
  };
}

/** Requests a quote for a payout and prices the payout with it; a payout within one currency stays as it is. */
export async function priceOf(corridor: Corridor, payout: Json): Promise<Json> {
  const amount = payout["amount"] as { total: Decimal; currency: string };
  const recipientAmount = payout["recipientAmount"] as { currency: string } | undefined;
  if (recipientAmount === undefined || recipientAmount.currency === amount.currency) return payout;
  const method = Object((Object(payout["recipient"]) as Json)["paymentMethod"]) as Json;
  const kind = String(method["type"]);
  const quote = await corridor.quotes.create({
    sourceCurrencyCode: amount.currency,
    destinationCurrencyCode: recipientAmount.currency,
    destinationCountryCode: String(method["countryCode"]),
    paymentMethod: kind === "WALLET" || kind === "CARD" ? kind : "BANK_ACCOUNT",
  });
  return {
    ...payout,
    fxId: quote.fxId,
    recipientAmount: convert(amount, quote.conversionRate, recipientAmount.currency),
  };
}

/** Creates a payment and prints its id before it is sent. A dry run asks the platform what it would answer. */
export async function createPayment({ corridor, gate, out, signal }: Context, payment: NewPayment) {
  const { payments } = corridor();
  const externalPaymentId = payment.externalPaymentId ?? crypto.randomUUID();
  const request = { ...payment, externalPaymentId } as PaymentRequest;
  if (gate.isDryRun) gate.keepPreflight(await payments.validate(request, { signal }));
  else out.say(`payment ${externalPaymentId}`);
  return payments.create(request, { signal });
}

import type { PayoutOf, PricingQuote } from "./corridor-types.ts";
import type { PushPayment } from "./gen/api.ts";
import type { Corridors } from "./gen/countries.ts";
import { convert, type Money } from "./money.ts";

export type Country = keyof Corridors;
export type MethodOf<Code extends Country> = keyof Corridors[Code]["methods"];

/** Type of what a payout to the country by the method must contain. */
export type Payout<Code extends Country, Way extends MethodOf<Code>> = PayoutOf<
  Corridors[Code],
  Corridors[Code]["methods"][Way]
>;

/** Makes the body of a payment for `payments.create`, by country and method: `payouts.BRA.pix({ … })`. */
export type Payouts = {
  readonly [Code in Country]: {
    readonly [Way in MethodOf<Code>]: (payout: Payout<Code, Way>) => PushPayment & { readonly paymentType: "PUSH" };
  };
};

interface AnyPayout {
  readonly amount: Money;
  readonly quote?: PricingQuote;
  readonly recipient: { readonly paymentMethod: object };
  readonly additionalData?: object;
}

/** `bankDeposit` is BANK_DEPOSIT. */
const typeOf = (way: string): string => way.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

function pushOf(countryCode: string, way: string, { quote, ...payout }: AnyPayout): unknown {
  const { recipient, additionalData = {} } = payout;
  const paymentMethod = { type: typeOf(way), countryCode, ...recipient.paymentMethod };
  const priced =
    quote === undefined
      ? {}
      : {
          fxId: quote.fxId,
          recipientAmount: convert(payout.amount, quote.conversionRate, quote.destinationCurrencyCode),
        };
  return { ...payout, ...priced, paymentType: "PUSH", additionalData, recipient: { ...recipient, paymentMethod } };
}

/**
 * Payouts that the compiler checks against the schemas that were published with this version. They are an aid and not authoritative: a
 * country's schema may be newer, and the platform decides. `payments.validate` asks it.
 */
export const payouts: Payouts = byName((country) =>
  byName((way) => (payout: AnyPayout) => pushOf(country, way, payout)),
) as unknown as Payouts;

/** Accepts any name, so that the tables exist only as types and cost no bytes. */
function byName(make: (name: string) => unknown): object {
  return new Proxy(Object.freeze({}), {
    get: (_target, name) => (typeof name === "string" ? make(name) : undefined),
  });
}

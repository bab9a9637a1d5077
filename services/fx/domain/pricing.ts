import type { Decimal, Rate } from "../../shared/kernel/money";

export const paymentMethods = ["BANK_ACCOUNT", "WALLET", "CARD"] as const;

/** How the recipient is paid. */
export type PaymentMethod = (typeof paymentMethods)[number];

export type CurrencyClass = "major" | "common" | "exotic";

/** Markup over the mid-market rate, in basis points, by method and by class of currency. */
export interface Pricing {
  spreadBps: Readonly<Record<PaymentMethod, Readonly<Record<CurrencyClass, number>>>>;
  major: readonly string[];
  /** A currency in neither list is common. */
  exotic: readonly string[];
}

/** The class of a currency. */
export function classOf({ major, exotic }: Pick<Pricing, "major" | "exotic">, currency: string): CurrencyClass {
  if (exotic.includes(currency)) return "exotic";
  return major.includes(currency) ? "major" : "common";
}

/** The class of a pair: that of its rarer currency. */
export function classOfPair(
  pricing: Pick<Pricing, "major" | "exotic">,
  pair: readonly [string, string],
): CurrencyClass {
  const classes = pair.map((currency) => classOf(pricing, currency));
  if (classes.includes("exotic")) return "exotic";
  return classes.includes("common") ? "common" : "major";
}

/** Spread of a pair in basis points: that of its rarer currency. */
export const spreadBps = (pricing: Pricing, method: PaymentMethod, pair: readonly [string, string]): number =>
  pricing.spreadBps[method][classOfPair(pricing, pair)];

/** Rate of equal currencies. */
export const parity: Rate = { mantissa: 1n, scale: 0 };

/** Decimal digits of every other rate. REST promises 8; two more keep large amounts exact to the minor unit. */
const rateDigits = 10;
/** Largest scale of a rate on the wire. */
const maxScale = 18;

/**
 * The rate that a customer gets: the cross rate through the US dollar less the spread, rounded down once, so that no round
 * trip gains money. `source` and `destination` are units for one US dollar.
 */
export function customerRate(source: Decimal, destination: Decimal, bps: number): Rate {
  const numerator = destination.digits * 10n ** BigInt(source.scale) * BigInt(10_000 - bps);
  const denominator = source.digits * 10n ** BigInt(destination.scale) * 10_000n;
  const wholeDigits = numerator.toString().length - denominator.toString().length;
  let scale = Math.min(Math.max(rateDigits - wholeDigits, 0), maxScale);
  let mantissa = (numerator * 10n ** BigInt(scale)) / denominator;
  // The digit count of a quotient is known only to within one, so one division may give one digit too many.
  if (mantissa.toString().length > rateDigits && scale > 0) {
    mantissa /= 10n;
    scale -= 1;
  }
  return { mantissa, scale };
}

/**
 * The market's rate, rounded up: a valuation never exceeds it. `source` and `destination` are units for one US dollar.
 */
export function marketRate(source: Decimal, destination: Decimal): Rate {
  const isSame = source.digits === destination.digits && source.scale === destination.scale;
  if (isSame) return parity;
  const { mantissa, scale } = customerRate(source, destination, 0);
  return { mantissa: mantissa + 1n, scale };
}

import type { CorridorPack, MethodRules } from "./corridor-pack";
import { largestAmount } from "./json-schema";

/** What one payout may be worth, in whole units as decimal text. */
export interface AmountLimits {
  currency: string;
  minimum: string;
  maximum: string;
}

/** One way to pay out to a destination. */
export interface DestinationMethod {
  type: string;
  /** One for each currency that the recipient can get. */
  limits: AmountLimits[];
  /** How long a payout usually takes on a business day; undefined where nobody can say. */
  expectedMinutes: number | undefined;
}

/** A country that can be paid to. */
export interface Destination {
  /** ISO 3166-1 alpha-3, or XKX for Kosovo. */
  country: string;
  alpha2: string;
  name: string;
  currencies: string[];
  methods: DestinationMethod[];
}

/** What a pack offers. The limits are those of the schema, except where the pack knows narrower ones of a rail. */
export const destinationOf = ({ country, alpha2, name, currencies, methods }: CorridorPack): Destination => ({
  country,
  alpha2,
  name,
  currencies,
  methods: Object.entries(methods).map(([type, method]) => ({
    type,
    limits: currencies.map((currency) => ({ currency, ...limitsOf(method, currency) })),
    expectedMinutes: method.expectedMinutes,
  })),
});

const limitsOf = ({ limits }: MethodRules, currency: string): Omit<AmountLimits, "currency"> =>
  limits?.[currency] ?? { minimum: "0", maximum: String(largestAmount) };

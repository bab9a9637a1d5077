import type { CorridorPack } from "./corridor-pack";

/** One way to pay out to a destination. */
export interface DestinationMethod {
  type: string;
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

/** What a pack offers. */
export const destinationOf = ({ country, alpha2, name, currencies, methods }: CorridorPack): Destination => ({
  country,
  alpha2,
  name,
  currencies,
  methods: Object.entries(methods).map(([type, method]) => ({
    type,
    expectedMinutes: method.expectedMinutes,
  })),
});

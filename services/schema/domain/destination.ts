import type { CorridorPack } from "./corridor-pack";

/** One way to pay out to a destination. */
export interface DestinationMethod {
  type: string;
  /** Usual duration of a payout on a business day; undefined when unknown. */
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

/** The offer of a pack's country. */
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

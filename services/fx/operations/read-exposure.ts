import { DomainError } from "../../shared/kernel/errors";
import { backWithin, type ExposureLimit, valueIn } from "../domain/exposure";
import type { MarketRates, Position, Positions, RateLeg } from "../ports";
import type { ExposureLimitStore } from "../store/exposure-limit-store";

export interface ReadExposureDeps {
  positions: Positions | undefined;
  limits: Pick<ExposureLimitStore, "all">;
  rates: Pick<MarketRates, "forReport">;
  reportingCurrency: string;
}

/** The position in a currency with its value, its limit and what it takes to close it. */
export interface Exposure extends Position {
  netMinor: bigint;
  reportingCurrency: string;
  /** Undefined when the currency, or the reporting currency, has no rate. */
  value: { minor: bigint; rate: RateLeg } | undefined;
  limit: ExposureLimit | undefined;
  toFlatMinor: bigint;
  toLimitMinor: bigint;
}

export type ReadExposure = () => Promise<Exposure[]>;

/** Reads every position from the ledger and values it at the latest rates. Throws UNAVAILABLE without a ledger. */
export const makeReadExposure =
  ({ positions, limits, rates, reportingCurrency }: ReadExposureDeps): ReadExposure =>
  async () => {
    if (positions === undefined) throw new DomainError("UNAVAILABLE", "no ledger is configured");
    const [read, set] = await Promise.all([positions.read([]), limits.all()]);
    const held = new Map(read.positions.map((position) => [position.currency, position]));
    const limited = new Map(set.map((limit) => [limit.currency, limit]));
    return [...new Set([...held.keys(), ...limited.keys()])].toSorted().map((currency): Exposure => {
      const position = held.get(currency) ?? { currency, settledMinor: 0n, openMinor: 0n };
      const netMinor = position.settledMinor + position.openMinor;
      const limit = limited.get(currency);
      return {
        ...position,
        netMinor,
        reportingCurrency,
        value: worthOf(netMinor, currency),
        limit,
        toFlatMinor: -netMinor,
        toLimitMinor: limit === undefined ? 0n : backWithin(netMinor, limit.limitMinor),
      };
    });

    function worthOf(minor: bigint, currency: string): Exposure["value"] {
      const [rate, reporting] = [rates.forReport(currency), rates.forReport(reportingCurrency)];
      return rate && reporting && { minor: valueIn(minor, rate, reporting), rate };
    }
  };

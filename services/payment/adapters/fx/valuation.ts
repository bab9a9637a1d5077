import type { FxServiceService } from "../../../../proto/gen/corridor/fx/v1/fx_service";
import { monotonicMs } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import type { Money, Rate } from "../../../shared/kernel/money";
import { errorFields, type Logger } from "../../../shared/process/logger";
import type { Rpc } from "../../../shared/rpc/rpc";
import { valueAtMost } from "../../domain/conversion";

/** Returns what an amount is worth in another currency at the market's rate, rounded up. The result is no offer to convert at that rate. */
export type ValueIn = (amount: Money, currency: string) => Promise<Money>;

/** How long a rate is used before it is asked for again, and how long while the fx service does not answer. */
const freshMs = 60_000;
const staleMs = 60 * 60_000;

interface KnownRate {
  rate: Rate;
  readMs: number;
}

/**
 * Values amounts at the fx service's rates. Throws UNAVAILABLE when the last rate is more than an hour old: an amount that cannot be
 * valued cannot be checked against a limit.
 */
export function makeValueIn(client: Pick<Rpc<typeof FxServiceService>, "getRate">, logger: Logger): ValueIn {
  const known = new Map<string, KnownRate>();

  const ask = async (sourceCurrency: string, destinationCurrency: string): Promise<KnownRate> => {
    const { rate } = await client.getRate({ sourceCurrency, destinationCurrency });
    if (rate === undefined) throw new DomainError("INTERNAL", "the fx service sent no rate");
    return { rate, readMs: monotonicMs() };
  };
  const rateOf = async (source: string, destination: string): Promise<Rate> => {
    const pair = `${source}/${destination}`;
    const last = known.get(pair);
    const ageMs = last === undefined ? Number.POSITIVE_INFINITY : monotonicMs() - last.readMs;
    if (last !== undefined && ageMs < freshMs) return last.rate;
    try {
      const fresh = await ask(source, destination);
      known.set(pair, fresh);
      return fresh.rate;
    } catch (error) {
      if (last === undefined || ageMs > staleMs) throw error;
      logger.warn(errorFields(error), "no new rate could be read; payments are valued at an older one");
      return last.rate;
    }
  };
  return async (amount, currency) =>
    amount.currency === currency ? amount : valueAtMost(amount, await rateOf(amount.currency, currency), currency);
}

import { monotonicMs } from "../../shared/kernel/clock";
import { exactMinor, parseDecimal, requireDigits } from "../../shared/kernel/money";
import type { FundsHolder } from "../domain/check-ports";
import type { RailBalance } from "../ports";

/** What a rail has reported, and whether it has just reported it. */
export interface KnownBalance {
  figure: RailBalance;
  isFresh: boolean;
}

export interface RailBalances {
  /**
   * Returns what a rail holds for us in a currency; undefined when it has never reported it. `released` is the ledger's counter as read
   * before this call. For a rail that does not answer in time, or does not report the currency, its last figure is used, and the ledger
   * subtracts what has been released since.
   */
  of(rail: string, currency: string, released: bigint, patience: "short" | "long"): Promise<KnownBalance | undefined>;
}

/** How long a payment waits for the rail's figure: `short` when the last figure is good enough, `long` when it is not. */
const patienceMs = { short: 150, long: 2_500 } as const;
const backOffMs = 10_000;

export function makeRailBalances(holders: readonly FundsHolder[]): RailBalances {
  const last = new Map<string, RailBalance>();
  const silentUntilMs = new Map<string, number>();
  return {
    async of(rail, currency, released, patience) {
      const key = `${rail}:${currency}`;
      const known = last.get(key);
      const isSilent = (silentUntilMs.get(rail) ?? 0) > monotonicMs();
      const holder = holders.find(({ name }) => name === rail);
      if (holder === undefined) return undefined;
      if (known !== undefined && isSilent && patience === "short") return { figure: known, isFresh: false };
      const balances = await within(holder.balances(), patienceMs[known === undefined ? "long" : patience]);
      const available = balances?.find((one) => one.currency === currency)?.available;
      if (available === undefined) {
        silentUntilMs.set(rail, monotonicMs() + backOffMs);
        return known && { figure: known, isFresh: false };
      }
      silentUntilMs.delete(rail);
      const figure = { available: minorOf(currency, available), released };
      last.set(key, figure);
      return { figure, isFresh: true };
    },
  };
}

function minorOf(currency: string, available: string): bigint {
  const decimal = parseDecimal(available);
  return (decimal && exactMinor(decimal, requireDigits(currency))) ?? 0n;
}

/** Returns the answer, or undefined when it takes too long. */
async function within<T>(answer: Promise<T | undefined>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

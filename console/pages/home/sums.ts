import type { ListedPayment } from "../../../sdk/src/gen/api";
import { fromMinor, type Money, toMinor } from "../../../sdk/src/money";

/** Returns the sums of payments, one exact sum for each currency, in the order of the currencies' codes. */
export function sumsOf(payments: readonly Pick<ListedPayment, "amount">[]): readonly Money[] {
  const sums = new Map<string, bigint>();
  for (const { amount } of payments) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + toMinor(amount));
  return [...sums]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([currency, minor]) => fromMinor(minor, currency));
}

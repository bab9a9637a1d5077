import type { Money } from "../proto/gen/corridor/common/v1/money";
import { type ExactNumber, exactNumber } from "../services/shared/kernel/exact-number";
import { formatMoney, money } from "../services/shared/kernel/money";

/** `{total, currency}` with every digit of the amount. */
export function amountJson(amount: Money | undefined): { total: ExactNumber; currency: string } {
  if (amount === undefined) throw new Error("an upstream sent no amount");
  return { total: exactNumber(formatMoney(money(amount.amountMinor, amount.currency))), currency: amount.currency };
}

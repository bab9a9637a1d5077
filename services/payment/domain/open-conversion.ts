import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { eventIdOf, isFinal, type Payment, type PaymentEvent, type Posting } from "./payment";

/** The account of the ledger that conversions go through. */
export const fxAccount = "platform/fx";

/** The mark of a payment that is to be converted and has not been: later than every date on this platform. */
export const notConverted = plusMs(beginningOfTime, Date.parse("9999-12-31T00:00:00Z"));

/** An entry of the ledger that moves money through the account of conversions. */
export interface ConversionEntry {
  entryId: string;
  /** True when it undoes a conversion. */
  isReturn: boolean;
  moves: readonly Posting[];
}

/** Returns the entries that the ledger posts for events, as far as they concern the account of conversions. */
export const conversionEntries = (paymentId: string, events: readonly PaymentEvent[]): ConversionEntry[] =>
  events.flatMap((event) => {
    const moves = event.kind === "money" ? event.postings.filter(({ account }) => account === fxAccount) : [];
    if (event.kind !== "money" || moves.length === 0) return [];
    return [
      { entryId: event.entryId ?? eventIdOf(paymentId, event), isReturn: event.moved === "payout-return", moves },
    ];
  });

/**
 * Returns the mark by which a payment is counted until the ledger has all of its conversion: `notConverted`, or when it was converted or
 * came to nothing. Undefined when a change leaves the mark as it is, or there is nothing to convert.
 */
export function conversionMark(
  before: Payment | undefined,
  { next, events }: { next: Payment; events: readonly PaymentEvent[] },
): Date | undefined {
  const isMoved = conversionEntries(next.id, events).length > 0;
  const wasOpen = before !== undefined && isToConvert(before);
  if (isToConvert(next)) return isMoved || !wasOpen ? notConverted : undefined;
  return isMoved || wasOpen ? next.updatedAt : undefined;
}

function isToConvert({ payout, amount, state }: Payment): boolean {
  if (payout === undefined || payout.amount.currency === amount.currency) return false;
  return payout.paidMinor === 0n && !isFinal(state);
}

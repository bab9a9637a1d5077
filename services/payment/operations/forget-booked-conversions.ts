import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Bookings } from "../ports";
import type { OpenConversionStore } from "../store/open-conversion-store";

export interface ForgetBookedConversionsDeps {
  conversions: Pick<OpenConversionStore, "ended" | "forgetUntil" | "postpone">;
  bookings: Bookings;
  clock: Clock;
}

/** Looks once. True when there is more to look at now. */
export type ForgetBookedConversions = () => Promise<boolean>;

/** Longer than a reader of positions is behind the ledger, so that no posting disappears here before it is seen there. */
const keptMs = 30_000;
/** The ledger has most within a second. What it lacks for this long no longer holds up what ended later. */
const lateMs = 10 * 60_000;
/** The most conversions that are looked at together. */
const most = 1_000;

/**
 * Lets conversions be counted by the ledger alone, as soon as it has had all of their entries for a while. They are forgotten in the order
 * in which they ended, so that their payments need not be written once more.
 */
export const makeForgetBookedConversions =
  ({ conversions, bookings, clock }: ForgetBookedConversionsDeps): ForgetBookedConversions =>
  async () => {
    const now = clock.now();
    const [until, lateBefore] = [plusMs(now, -keptMs), plusMs(now, -lateMs)];
    const ended = await conversions.ended(until, most);
    const entryIds = ended.flatMap((one) => one.entryIds);
    const posted = await bookings.posted(entryIds, until);
    const missing = ended.filter((one) => !one.entryIds.every((id) => posted.has(id)));
    await conversions.postpone(
      missing.filter(({ endedAt }) => endedAt < lateBefore),
      now,
    );
    const awaited = missing.find(({ endedAt }) => endedAt >= lateBefore);
    const [first, last] = [ended[0], ended.at(-1)];
    if (first === undefined || last === undefined) return false;
    const isCut = ended.length === most;
    // What follows a page may have ended in the same millisecond as its last.
    const endedBy = awaited !== undefined || isCut ? plusMs((awaited ?? last).endedAt, -1) : last.endedAt;
    await conversions.forgetUntil(endedBy);
    return awaited === undefined && isCut && first.endedAt <= endedBy;
  };

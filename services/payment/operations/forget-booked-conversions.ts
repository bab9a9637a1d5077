import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Bookings } from "../ports";
import type { OpenConversionStore } from "../store/open-conversion-store";

export interface ForgetBookedConversionsDeps {
  conversions: Pick<OpenConversionStore, "ended" | "forget">;
  bookings: Bookings;
  clock: Clock;
}

/** Looks once; the result is how many conversions are no longer counted. */
export type ForgetBookedConversions = () => Promise<number>;

/** Longer than a reader of positions is behind the ledger, so that no posting disappears here before it is seen there. */
const keptMs = 30_000;
/** The most conversions that are looked at together. */
const most = 1_000;

/** Lets conversions be counted by the ledger alone, as soon as it has had all of their entries for a while. */
export const makeForgetBookedConversions =
  ({ conversions, bookings, clock }: ForgetBookedConversionsDeps): ForgetBookedConversions =>
  async () => {
    const until = plusMs(clock.now(), -keptMs);
    const ended = await conversions.ended(until, most);
    const posted = await bookings.posted(
      ended.flatMap(({ entryIds }) => entryIds),
      until,
    );
    const booked = ended.filter(({ entryIds }) => entryIds.every((id) => posted.has(id)));
    await conversions.forget(booked);
    return booked.length;
  };

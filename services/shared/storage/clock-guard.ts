import { type Clock, monotonicMs } from "../kernel/clock";
import { DomainError } from "../kernel/errors";
import type { ReadStoreTime } from "./store-clock";

/** Prevents a replica whose clock is wrong from writing times, and from ending what only its own clock says is over. */
export interface ClockGuard {
  /** Throws UNAVAILABLE while the clock differs from the store's by more than the bound. */
  require(): Promise<void>;
  /** Asks the store for its time again; true when the clock is right. */
  look(): Promise<boolean>;
  /** Returns how far the clock is ahead of the store's, milliseconds, as of now; 0 before the first look. */
  skewMs(): number;
}

export interface ClockGuardDeps {
  readStoreTime: ReadStoreTime;
  /** The machine's clock. */
  clock: Clock;
  boundMs: number;
}

/** The store's time as it was read, with its uncertainty. */
interface Sample {
  /** The store's time minus the stopwatch's reading at that moment. */
  offsetMs: number;
  /** The store's time is known only to within this. */
  uncertainMs: number;
}

/**
 * Reads the store's time at intervals and extrapolates it with a stopwatch that cannot be set, so that a clock that jumps is noticed at
 * the next write without asking the store each time. Before a write is refused the store is asked again: on a machine that slept, the
 * stopwatch stood still.
 */
export function makeClockGuard({ readStoreTime, clock, boundMs }: ClockGuardDeps): ClockGuard {
  let sample: Sample | undefined;
  const take = async (): Promise<Sample> => {
    const begunMs = monotonicMs();
    const storeTime = await readStoreTime();
    const endedMs = monotonicMs();
    const uncertainMs = (endedMs - begunMs) / 2;
    sample = { offsetMs: storeTime.getTime() - (begunMs + uncertainMs), uncertainMs };
    return sample;
  };
  const skewOf = ({ offsetMs }: Sample): number => clock.now().getTime() - (offsetMs + monotonicMs());
  const isRight = (one: Sample): boolean => Math.abs(skewOf(one)) <= boundMs + one.uncertainMs;
  const look = async (): Promise<boolean> => isRight(await take());
  return {
    look,
    skewMs: () => (sample === undefined ? 0 : skewOf(sample)),
    async require() {
      if ((sample !== undefined && isRight(sample)) || (await look())) return;
      throw new DomainError("UNAVAILABLE", "the clock of this replica differs from the store's: it writes nothing");
    },
  };
}

import { plusMs, systemClock } from "../../shared/kernel/clock";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { Lease } from "../../shared/storage/lease";
import type { OpenParkedCases } from "../operations/open-parked-cases";
import type { ParkedSource } from "../ports";

export interface ParkedWatchDeps {
  sources: readonly ParkedSource[];
  openParkedCases: OpenParkedCases;
  lease: Lease;
  /** Announces that a message was put aside. */
  parked: DueNotes;
  logger: Logger;
}

/** A service that is away is asked again so much later, milliseconds. */
const awayRestMs = 2_000;
/** A replica that finds the lease taken looks again so much later, milliseconds. */
const leaseRestMs = 10_000;

/**
 * Looks at what services have put aside, at one replica at a time: when one of them says so, and now and then, since words may be
 * lost and no event says that a message was handled after all. A service that is away stops no other.
 */
export function startParkedWatch(deps: ParkedWatchDeps): Running {
  const { sources, openParkedCases, lease, parked, logger } = deps;
  const away = new Set<string>();
  const run = async (): Promise<Date | undefined> => {
    for (const source of sources) {
      if (!(await lease.hold())) return plusMs(systemClock.now(), leaseRestMs);
      const { service } = source;
      try {
        await openParkedCases(source);
        away.delete(service);
      } catch (error) {
        // Said once for each time that it is away.
        if (!away.has(service))
          logger.warn({ peer: service, ...errorFields(error) }, "parked messages were not looked at");
        away.add(service);
      }
    }
    // One that is away may have put something aside and cannot say so.
    return away.size === 0 ? undefined : plusMs(systemClock.now(), awayRestMs);
  };
  const loop = startDueWork({
    work: run,
    notes: parked,
    clock: systemClock,
    onError: (error) => logger.warn(errorFields(error), "parked messages were not looked at"),
  });
  return stopAll([{ stop: () => lease.release() }, loop]);
}

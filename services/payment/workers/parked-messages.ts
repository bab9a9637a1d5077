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
  /** Announces that a message was parked. */
  parked: DueNotes;
  logger: Logger;
}

/** How long until a service that was unavailable is asked again, milliseconds. */
const awayRestMs = 2_000;
/** How long until a replica that found the lease taken tries again, milliseconds. */
const leaseRestMs = 10_000;

/**
 * Looks at the messages that services have parked, in one replica at a time. It looks when a service announces one, and at intervals,
 * since announcements may be lost and no event says that a message was handled after all. An unavailable service does not stop the
 * others.
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
        // Logged once each time the service becomes unavailable.
        if (!away.has(service))
          logger.warn({ peer: service, ...errorFields(error) }, "parked messages could not be listed");
        away.add(service);
      }
    }
    // An unavailable service may have parked something and cannot announce it.
    return away.size === 0 ? undefined : plusMs(systemClock.now(), awayRestMs);
  };
  const loop = startDueWork({
    work: run,
    notes: parked,
    clock: systemClock,
    onError: (error) => logger.warn(errorFields(error), "parked messages could not be listed"),
  });
  return stopAll([{ stop: () => lease.release() }, loop]);
}

import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { Lease } from "../../shared/storage/lease";
import type { TellParkedMessages } from "../operations/tell-parked-messages";
import type { ParkedSource } from "../ports";

export interface ParkedWatchDeps {
  sources: readonly ParkedSource[];
  tellParkedMessages: TellParkedMessages;
  lease: Lease;
  logger: Logger;
}

const lookMs = 2_000;

/** Looks again and again, at one replica at a time, at what services have put aside. One that is away stops no other. */
export function startParkedWatch({ sources, tellParkedMessages, lease, logger }: ParkedWatchDeps): Running {
  const away = new Set<string>();
  const run = async (): Promise<void> => {
    for (const source of sources) {
      if (!(await lease.hold())) return;
      const { service } = source;
      try {
        await tellParkedMessages(source);
        away.delete(service);
      } catch (error) {
        // Said once for each time that it is away.
        if (!away.has(service))
          logger.warn({ peer: service, ...errorFields(error) }, "parked messages were not looked at");
        away.add(service);
      }
    }
  };
  const loop = repeat(lookMs, run, (error) => logger.warn(errorFields(error), "parked messages were not looked at"));
  return stopAll([{ stop: () => lease.release() }, loop]);
}

import { systemClock } from "../../shared/kernel/clock";
import { startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { EventStore } from "../store/event-store";

/** Most pages that are removed in one transaction. */
const pagesAtOnce = 100;
const lookMs = 60_000;

/** Removes events after their retention time. Replicas that run it concurrently do the work once. */
export const startRetirement = ({ events, logger }: { events: Pick<EventStore, "retire">; logger: Logger }): Running =>
  startDueWork({
    work: () => events.retire(systemClock.now(), pagesAtOnce),
    clock: systemClock,
    onError: (error) => logger.warn(errorFields(error), "old events could not be removed"),
    lookMs,
  });

import type { Clock } from "../../shared/kernel/clock";
import { errorFields, type Logger } from "../../shared/process/logger";
import { dispatchOf } from "../domain/dispatch";
import type { QueueStore } from "../store/queue-store";
import type { Remember } from "./make-attempt";
import type { FirstAttempt } from "./try-at-once";

export interface FirstAttemptsDeps {
  remember: Remember;
  queues: Pick<QueueStore, "hasten">;
  clock: Clock;
  logger: Logger;
  /** Wakes the workers because queues may be due. */
  wakeWorkers(): void;
}

/** First attempts that outlast the handling of their message. Their deliveries are stored as under way. */
export interface FirstAttempts {
  /** Stores the result of an attempt after its delivery is stored, and wakes the workers for its queue. */
  settleLater(first: FirstAttempt & { kind: "under way" }, storing: Promise<void>): void;
  /** Resolves when the last of them has ended. */
  allEnd(): Promise<void>;
}

export function makeFirstAttempts(deps: FirstAttemptsDeps): FirstAttempts {
  const { remember, queues, clock, logger, wakeWorkers } = deps;
  const underWay = new Set<Promise<void>>();
  return {
    settleLater({ delivery, attempted: attempting }, storing) {
      const settle = async (): Promise<void> => {
        const [attempted] = await Promise.all([attempting, storing]);
        await remember(dispatchOf([delivery]), attempted);
        await queues.hasten(delivery.subscriptionId, clock.now());
        wakeWorkers();
      };
      // An attempt is repeated once its time is over if its result was not stored.
      const ended = settle()
        .catch((error: unknown) => logger.warn(errorFields(error), "the result of a first attempt was not stored"))
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
    },
    async allEnd() {
      await Promise.all(underWay);
    },
  };
}

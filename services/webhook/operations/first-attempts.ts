import type { Clock } from "../../shared/kernel/clock";
import { errorFields, type Logger } from "../../shared/process/logger";
import { consignmentOf } from "../domain/consignment";
import type { QueueStore } from "../store/queue-store";
import type { Remember } from "./make-attempt";
import type { FirstAttempt } from "./try-at-once";

export interface FirstAttemptsDeps {
  remember: Remember;
  queues: Pick<QueueStore, "hasten">;
  clock: Clock;
  logger: Logger;
  /** Tells the workers that queues may be due. */
  wakeWorkers(): void;
}

/** First attempts that take longer than their message is kept for. Their deliveries are stored as under way. */
export interface FirstAttempts {
  /** Remembers what comes of an attempt once its delivery is stored, and has its queue looked at. */
  settleLater(first: FirstAttempt & { kind: "under way" }, storing: Promise<void>): void;
  /** Ends with the last of them. */
  allEnd(): Promise<void>;
}

export function makeFirstAttempts(deps: FirstAttemptsDeps): FirstAttempts {
  const { remember, queues, clock, logger, wakeWorkers } = deps;
  const underWay = new Set<Promise<void>>();
  return {
    settleLater({ delivery, attempted: attempting }, storing) {
      const settle = async (): Promise<void> => {
        const [attempted] = await Promise.all([attempting, storing]);
        await remember(consignmentOf([delivery]), attempted);
        await queues.hasten(delivery.subscriptionId, clock.now());
        wakeWorkers();
      };
      // What was not remembered is tried again when its time is over.
      const ended = settle()
        .catch((error: unknown) => logger.warn(errorFields(error), "a first attempt is not remembered"))
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
    },
    async allEnd() {
      await Promise.all(underWay);
    },
  };
}

import { plusMs, systemClock } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { Presence } from "../../shared/storage/presence";
import { leaseMs } from "../domain/lane";

/** The processes that share the work. */
export interface Replicas extends Running {
  /** How many live, this one among them, as last counted. */
  count(): number;
}

export interface ReplicasOptions {
  presence: Presence;
  /** Name of this process among them. */
  holder: string;
  logger: Logger;
}

const beatMs = 1_000;

/** Says each second that this process lives, and counts the others. One that was not heard of for five seconds is gone. */
export async function startReplicas({ presence, holder, logger }: ReplicasOptions): Promise<Replicas> {
  let live = 1;
  const beat = async (): Promise<void> => {
    const now = systemClock.now();
    await presence.note(holder, now);
    live = Math.max(1, await presence.countSince(plusMs(now, -leaseMs)));
  };
  await beat();
  const beating = repeat(beatMs, beat, (error) => logger.warn(errorFields(error), "replicas cannot be counted"));
  return {
    count: () => live,
    async stop() {
      await beating.stop();
      await presence.forget(holder);
    },
  };
}

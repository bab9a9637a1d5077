import type { FanOutEventsCommand } from "./fan-out-events";
import type { FirstAttempts } from "./first-attempts";
import type { EventMessage, TryAtOnce } from "./try-at-once";

export interface TakeMessageDeps {
  tryAtOnce: TryAtOnce;
  fanOut(command: FanOutEventsCommand): Promise<void>;
  firstAttempts: Pick<FirstAttempts, "settleLater">;
}

/** Handles a message of the bus. It may be acknowledged when this has ended. */
export type TakeMessage = (message: EventMessage) => Promise<void>;

/**
 * Tries what can be delivered at once, stores events and deliveries, and leaves the rest to the queues. While nothing
 * can be stored nothing is tried here either, so that a message which keeps coming is not sent each time.
 */
export function makeTakeMessage({ tryAtOnce, fanOut, firstAttempts }: TakeMessageDeps): TakeMessage {
  let canStore = true;
  const store = async (command: FanOutEventsCommand): Promise<void> => {
    try {
      await fanOut(command);
      canStore = true;
    } catch (error) {
      canStore = false;
      throw error;
    }
  };
  return async (message) => {
    const attempts = canStore ? await tryAtOnce(message) : [];
    const storing = store({ message, attempts });
    for (const first of attempts) {
      if (first.kind === "under way") firstAttempts.settleLater(first, storing);
    }
    await storing;
  };
}

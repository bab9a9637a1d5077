import type { FanOutEventsCommand } from "./fan-out-events";
import type { FirstAttempts } from "./first-attempts";
import type { EventMessage, TryAtOnce } from "./try-at-once";

export interface TakeMessageDeps {
  tryAtOnce: TryAtOnce;
  fanOut(command: FanOutEventsCommand): Promise<void>;
  firstAttempts: Pick<FirstAttempts, "settleLater">;
}

/** Handles a message of the bus. The message may be acknowledged once this resolves. */
export type TakeMessage = (message: EventMessage) => Promise<void>;

/**
 * Makes the first attempts that can be made at once, stores events and deliveries, and leaves the rest to the queues. While
 * the store fails no attempts are made, so that a redelivered message is not sent each time.
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

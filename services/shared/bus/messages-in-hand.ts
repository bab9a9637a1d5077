import type { JsMsg } from "@nats-io/jetstream";
import { monotonicMs } from "../kernel/clock";
import type { Running } from "../process/lifecycle";
import { repeat } from "../process/repeat";

/** A message that this process has taken from the bus and not yet answered. */
export interface MessageInHand {
  message: JsMsg;
  /** False when its last sign of progress is so old that another process may have it. */
  isOurs(): boolean;
  /** Drops the message, because it was answered or is left to others. */
  giveUp(): void;
}

/** All messages that a process has in hand. It keeps reporting progress on them to the bus, even while they wait. */
export interface MessagesInHand extends Running {
  count(): number;
  take(message: JsMsg): MessageInHand;
}

/** Progress reports due before the bus redelivers a message to another process: a few may be late. */
const wordsInTime = 5;
/** A handler that takes longer counts as hung, milliseconds. Its message goes to another process. */
const longestWorkMs = 10 * 60_000;

interface Held {
  message: JsMsg;
  takenMs: number;
  saidMs: number;
}

/**
 * Holds messages that the bus redelivers after `ackWaitMs` without progress. `onHanging` is called with each message that is
 * no longer held because its handler does not end.
 */
export function holdMessages(ackWaitMs: number, onHanging: (message: JsMsg) => void): MessagesInHand {
  const wordMs = ackWaitMs / wordsInTime;
  const held = new Set<Held>();
  let lookedMs = monotonicMs();
  /** When this process last ran: a message that is read just after a stall may have waited since before it. */
  let aliveMs = lookedMs;
  const sayAll = async (): Promise<void> => {
    const nowMs = monotonicMs();
    if (nowMs - lookedMs < ackWaitMs / 2) aliveMs = nowMs;
    lookedMs = nowMs;
    for (const one of held) {
      if (nowMs - one.saidMs >= ackWaitMs) continue;
      if (nowMs - one.takenMs >= longestWorkMs) {
        held.delete(one);
        onHanging(one.message);
      } else {
        one.saidMs = nowMs;
        one.message.working();
      }
    }
  };
  const saying = repeat(wordMs, sayAll, () => {});
  return {
    count: () => held.size,
    take(message) {
      const one = { message, takenMs: monotonicMs(), saidMs: aliveMs };
      held.add(one);
      return {
        message,
        isOurs: () => monotonicMs() - one.saidMs < ackWaitMs,
        giveUp: () => void held.delete(one),
      };
    },
    stop: saying.stop,
  };
}

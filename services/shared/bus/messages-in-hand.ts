import type { JsMsg } from "@nats-io/jetstream";
import { monotonicMs } from "../kernel/clock";
import type { Running } from "../process/lifecycle";
import { repeat } from "../process/repeat";

/** A message that this process has taken from the bus and not given back. */
export interface MessageInHand {
  message: JsMsg;
  /** False when the bus has not heard of it for so long that another process may have it. */
  isOurs(): boolean;
  /** It is answered, or left to others. */
  giveUp(): void;
}

/** All that a process has in hand. The bus is told again and again that it is worked on, also while it waits for its turn. */
export interface MessagesInHand extends Running {
  count(): number;
  take(message: JsMsg): MessageInHand;
}

/** So many words on a message are due before the bus gives it to another process: a few may come late. */
const wordsInTime = 5;
/** A handler that takes longer hangs. Its message goes to another process, milliseconds. */
const longestWorkMs = 10 * 60_000;

interface Held {
  message: JsMsg;
  takenMs: number;
  saidMs: number;
}

/**
 * Holds messages that go to another process when the bus has not heard of them for `ackWaitMs`. `onHanging` hears of each
 * that is no longer kept, since its handler does not end.
 */
export function holdMessages(ackWaitMs: number, onHanging: (message: JsMsg) => void): MessagesInHand {
  const wordMs = ackWaitMs / wordsInTime;
  const held = new Set<Held>();
  let lookedMs = monotonicMs();
  /** When this process was last seen to run: what is read just behind a standstill may have waited since before it. */
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

import type { JsMsg } from "@nats-io/jetstream";
import { systemClock } from "../kernel/clock";

/** Header of a message of which its relay knows that none before it has carried any of its events. */
export const firstHeader = "Corridor-First";

/**
 * What is known of a delivery: `first` when nobody has been given any of the message's events before, `repeat` when the bus has
 * delivered the message before, else `unknown`.
 */
export type Novelty = "first" | "unknown" | "repeat";

/**
 * A consumer that was made anew is given old messages as if for the first time, so only young ones are believed, milliseconds. The
 * bus and this machine tell their age by their own clocks, so one from the future is not believed either.
 */
const youngMs = 10_000;

export function noveltyOf(
  { headers, info, time }: Pick<JsMsg, "headers" | "info" | "time">,
  now = systemClock.now(),
): Novelty {
  if (info.deliveryCount > 1) return "repeat";
  if (headers?.has(firstHeader) !== true) return "unknown";
  return Math.abs(now.getTime() - time.getTime()) < youngMs ? "first" : "unknown";
}

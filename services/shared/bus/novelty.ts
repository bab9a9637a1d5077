import type { JsMsg } from "@nats-io/jetstream";
import { systemClock } from "../kernel/clock";

/** Header of a message; set by its relay when no earlier message contained any of its events. */
export const firstHeader = "Corridor-First";

/**
 * What is known about a delivery: `first` when no earlier message contained any of its events, `repeat` when the bus has delivered the
 * message before, else `unknown`.
 */
export type Novelty = "first" | "unknown" | "repeat";

/**
 * How old a message may be to count as first, milliseconds: a recreated consumer receives old messages as if for the first time. The bus
 * and this machine each measure the age by their own clock, so a message from the future does not count either.
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

import { plusMs } from "../../shared/kernel/clock";
import type { Health } from "./subscription";

/** After this many failed attempts in a row an endpoint is left alone for a while. */
const failuresBeforePause = 10;
const pauseMs = 30_000;
/** After this long without a success a subscription is disabled, milliseconds: five days. */
const longestFailureMs = 5 * 24 * 60 * 60 * 1_000;

/** Whether an attempt may be made: yes, only by the one that takes the trial, or not before a time. */
export type Passage = { kind: "open" } | { kind: "trial"; nextTrialAt: Date } | { kind: "closed"; until: Date };

/** What the health of an endpoint allows. */
export function passageOf({ pausedUntil }: Health, at: Date): Passage {
  if (pausedUntil === undefined) return { kind: "open" };
  return pausedUntil > at
    ? { kind: "closed", until: pausedUntil }
    : { kind: "trial", nextTrialAt: plusMs(at, pauseMs) };
}

/** What follows from a failed attempt. `health` counts it already. */
export type Consequence = { kind: "none" } | { kind: "pause"; until: Date } | { kind: "disable" };

export function afterFailure({ failures, failingSince }: Health, at: Date): Consequence {
  if (failingSince !== undefined && at.getTime() - failingSince.getTime() >= longestFailureMs)
    return { kind: "disable" };
  return failures < failuresBeforePause ? { kind: "none" } : { kind: "pause", until: plusMs(at, pauseMs) };
}

import { plusMs } from "../../shared/kernel/clock";
import type { Health } from "./subscription";

/** Failed attempts in a row after which an endpoint is paused. */
const failuresBeforePause = 10;
const pauseMs = 30_000;
/** Time without a success after which a subscription is disabled, milliseconds: five days. */
const longestFailureMs = 5 * 24 * 60 * 60 * 1_000;

/** Whether an attempt may be made: freely, as the single trial, or not before `until`. */
export type Passage = { kind: "open" } | { kind: "trial"; nextTrialAt: Date } | { kind: "closed"; until: Date };

/** Decides whether the health of an endpoint allows an attempt. */
export function passageOf({ pausedUntil }: Health, at: Date): Passage {
  if (pausedUntil === undefined) return { kind: "open" };
  return pausedUntil > at
    ? { kind: "closed", until: pausedUntil }
    : { kind: "trial", nextTrialAt: plusMs(at, pauseMs) };
}

/** The consequence of a failed attempt, which `health` already counts. */
export type Consequence = { kind: "none" } | { kind: "pause"; until: Date } | { kind: "disable" };

export function afterFailure({ failures, failingSince }: Health, at: Date): Consequence {
  if (failingSince !== undefined && at.getTime() - failingSince.getTime() >= longestFailureMs)
    return { kind: "disable" };
  return failures < failuresBeforePause ? { kind: "none" } : { kind: "pause", until: plusMs(at, pauseMs) };
}

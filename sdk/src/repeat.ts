import type { Attempt } from "./attempt.ts";

/** When an operation may be sent again without an answer: `byId`: the caller's own id makes it a single operation permanently. */
export type RepeatRule = "always" | "byId" | "never";

/** The step after an attempt. */
export type Verdict =
  | "done"
  /** Refused: nothing was done by this attempt. */
  | "refused"
  /** Send again after a while. */
  | "again"
  /** It may have been done, and sending it again might do it twice. */
  | "unknown";

/** True if an attempt may have had an effect although no successful answer arrived. */
export function mayBeDone(attempt: Attempt): boolean {
  if (attempt.kind === "lost") return attempt.wasSent;
  if (attempt.kind !== "refusal") return false;
  const { status, code } = attempt.refusal;
  return status >= 500 || code === "IDM_001";
}

/**
 * Refusals that depend on the content of the request only: an earlier attempt was refused in the same way. Others depend on the moment: an
 * attempt with a lost answer may still be in flight, and be accepted when the funds, the quote or the credential are available.
 */
const isAboutContent = (code: string): boolean => /^(VE_001|IDM_002|PAY_005|PAY_271|REQ_\d+)$/.test(code);

/** Judges an attempt. `wasUnknown`: an earlier attempt of the same request may have been done. */
export function evaluate(attempt: Attempt, rule: RepeatRule, wasUnknown: boolean): Verdict {
  if (attempt.kind === "answer") return "done";
  const isUnknown = mayBeDone(attempt);
  if (isUnknown && rule === "never") return "unknown";
  if (attempt.kind === "lost") return "again";
  const { status, code } = attempt.refusal;
  if (status === 429 || status === 502 || status === 503 || status === 504 || code === "IDM_001") return "again";
  return rule !== "always" && (isUnknown || (wasUnknown && !isAboutContent(code))) ? "unknown" : "refused";
}

const firstWaitMs = 250;
const longestWaitMs = 8_000;

/**
 * Returns the wait before the next attempt: as the platform says, otherwise longer each time, spread randomly so that callers do not
 * coincide.
 */
export function waitMs(attempt: Attempt, attempts: number, random: () => number): number {
  const asked = attempt.kind === "refusal" ? attempt.refusal.retryAfterMs : undefined;
  if (asked !== undefined) return asked + random() * firstWaitMs;
  return random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempts);
}

import type { Attempt } from "./attempt.ts";

/** When an operation may be sent again without an answer: `byId` is one operation for ever by the caller's own id. */
export type RepeatRule = "always" | "byId" | "never";

/** What is done after an attempt. */
export type Verdict =
  | "done"
  /** Refused: nothing was done by this attempt. */
  | "refused"
  /** Sent again after a while. */
  | "again"
  /** It may have been done, and sending it again might do it twice. */
  | "unknown";

/** True where an attempt may have had an effect although no good answer came. */
export function mayBeDone(attempt: Attempt): boolean {
  if (attempt.kind === "lost") return attempt.wasSent;
  if (attempt.kind !== "refusal") return false;
  const { status, code } = attempt.refusal;
  return status >= 500 || code === "IDM_001";
}

/**
 * Refusals for what the request itself says: an earlier attempt of it was refused alike. Others are of their moment. An attempt whose
 * answer was lost may still be on its way, and be taken when the funds, the quote or the credential are there.
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

/** How long to wait before the next attempt: as the platform says, else longer each time, spread so that callers do not meet. */
export function waitMs(attempt: Attempt, attempts: number, random: () => number): number {
  const asked = attempt.kind === "refusal" ? attempt.refusal.retryAfterMs : undefined;
  if (asked !== undefined) return asked + random() * firstWaitMs;
  return random() * Math.min(longestWaitMs, firstWaitMs * 2 ** attempts);
}

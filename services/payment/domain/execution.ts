import { plusMs } from "../../shared/kernel/clock";
import { type Step, stepDeadlineMs, stepLeaseMs } from "./steps";

/** What is being done about a payment: the call under way, and when it is due next. Always replaced as a whole. */
export interface Execution {
  /** The external call whose outcome is not known yet. */
  step: Step | undefined;
  /** When the call of `step` was last sent, as far as is known. */
  sentAt: Date | undefined;
  /** How often the provider was asked without result since the last progress. */
  attempts: number;
  /** How often the provider refused the step when it was sent again, and said that it had not done it before. */
  denials: number;
  /** When the payment must be processed unless something happens earlier; undefined once nothing is left to do. */
  dueAt: Date | undefined;
  /** When the present step or wait will have taken too long. */
  deadlineAt: Date | undefined;
  /** Since when a person must look at the payment: the deadline passed, or a provider refuses what it must not refuse. */
  escalatedAt: Date | undefined;
}

/** Nothing is left to do, and the payment is not due. */
export const idle: Execution = {
  step: undefined,
  sentAt: undefined,
  attempts: 0,
  denials: 0,
  dueAt: undefined,
  deadlineAt: undefined,
  escalatedAt: undefined,
};

/** A provider is about to be called: after a crash it is asked first, once the caller's lease has ended. */
export const calling = (step: Step, at: Date): Execution => ({
  ...idle,
  step,
  sentAt: at,
  dueAt: plusMs(at, stepLeaseMs),
  deadlineAt: plusMs(at, stepDeadlineMs),
});

const pollAfterMs = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

/** Returns when to ask again about an unanswered call: soon at first, then once a minute, for as long as it takes. */
export const retryAt = (attempts: number, at: Date): Date =>
  plusMs(at, pollAfterMs[Math.min(attempts, pollAfterMs.length - 1)] ?? 60_000);

/** What a turn found out when it left the outcome of its call open. */
export interface InVain {
  isSent: boolean;
  isDenied: boolean;
}

/** Records that a call was asked about, or sent again, and its outcome is still unknown. Past the deadline a person must look at it. */
export function askedInVain({ escalatedAt, ...execution }: Execution, at: Date, found: InVain): Execution {
  const { attempts, denials, deadlineAt, sentAt } = execution;
  const isLate = deadlineAt !== undefined && deadlineAt <= at;
  return {
    ...execution,
    attempts: attempts + 1,
    denials: found.isDenied ? denials + 1 : denials,
    dueAt: retryAt(attempts, at),
    sentAt: found.isSent ? at : sentAt,
    escalatedAt: escalatedAt ?? (isLate ? at : undefined),
  };
}

import { plusMs } from "../../shared/kernel/clock";
import { type Step, stepDeadlineMs, stepLeaseMs } from "./steps";

/** What is being done about a payment: the call under way, and when it is due next. It is replaced as a whole. */
export interface Execution {
  /** The external call whose outcome is not known yet. */
  step: Step | undefined;
  /** When the call of `step` was last sent, as far as is known. */
  sentAt: Date | undefined;
  /** How often the provider was asked in vain since the last progress. */
  attempts: number;
  /** How often the provider refused the step when it was sent again, and said that it had not done it before. */
  denials: number;
  /** When the payment must be processed if nothing happens before; undefined once nothing is owed. */
  dueAt: Date | undefined;
  /** When the present step or wait has taken too long. */
  deadlineAt: Date | undefined;
  /** Since when a person must look: the deadline passed, or a provider refuses what it must not. */
  escalatedAt: Date | undefined;
}

/** Nothing is owed, and the payment is not due. */
export const idle: Execution = {
  step: undefined,
  sentAt: undefined,
  attempts: 0,
  denials: 0,
  dueAt: undefined,
  deadlineAt: undefined,
  escalatedAt: undefined,
};

/** A provider is about to be called: after a crash it is asked first, once the lease of the caller has ended. */
export const calling = (step: Step, at: Date): Execution => ({
  ...idle,
  step,
  sentAt: at,
  dueAt: plusMs(at, stepLeaseMs),
  deadlineAt: plusMs(at, stepDeadlineMs),
});

const pollAfterMs = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

/** When to ask again about what is not answered: soon at first, then once a minute, for as long as it takes. */
export const retryAt = (attempts: number, at: Date): Date =>
  plusMs(at, pollAfterMs[Math.min(attempts, pollAfterMs.length - 1)] ?? 60_000);

/** What a turn came to that left the outcome of its call open. */
export interface InVain {
  isSent: boolean;
  isDenied: boolean;
}

/** The call was asked about, or sent again, and its outcome is still not known. Past the deadline a person must look. */
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

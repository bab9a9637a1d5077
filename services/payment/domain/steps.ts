import type { TransactionState } from "../../shared/kernel/transaction-states";

/** The calls to providers. Each is keyed by payment and step, so that a provider executes it at most once. */
export type Step = "authorize" | "capture" | "void" | "refund" | "prepare" | "screen" | "release" | "cancel";

/**
 * The kind of provider that is called: the one that collects, the one that pays out, or the one that decides whether the payment may go
 * on.
 */
export type Role = "pull" | "payout" | "screening";

export const roleOf: Readonly<Record<Step, Role>> = {
  authorize: "pull",
  capture: "pull",
  void: "pull",
  refund: "pull",
  prepare: "payout",
  release: "payout",
  cancel: "payout",
  screen: "screening",
};

/**
 * How long a payment belongs to the process that has taken it. All that one turn may do (wait for its place, ask, send, save) takes less:
 * see `turnBudgetMs`.
 */
export const stepLeaseMs = 6_000;

/** Time without an outcome after which an operator is notified. The platform goes on asking. */
export const stepDeadlineMs = 15 * 60_000;

/** How long one turn may spend with a provider; nothing is sent after that. The rest of the lease is for saving. */
export const turnBudgetMs = 4_500;

/**
 * The provider's answers to a question about a step which prove that the step is still to be done. The step's key makes sending it again
 * harmless. A release that the rail does not know at all proves nothing, because it cannot be taken back: the rail must first acknowledge
 * that it will never execute it.
 */
const proofs: Readonly<Record<Step, readonly string[]>> = {
  authorize: ["absent"],
  capture: ["absent"],
  void: ["absent"],
  refund: ["absent"],
  prepare: ["absent"],
  screen: ["absent"],
  release: ["PREPARED"],
  cancel: ["absent", "PREPARED", "HELD"],
};

/** True when a provider's word about a step (a status, `absent` or `unknown`) means that it has certainly not done the step. */
export const isUndone = (step: Step, word: string): boolean => proofs[step].includes(word);

/** The step that a provider is asked about while the transaction waits in a state that has no call of its own. */
export const awaited: Readonly<Partial<Record<TransactionState, Step>>> = {
  WaitingChallenge3ds: "authorize",
  WaitingSettlement: "capture",
  PaymentProcessing: "screen",
  PaymentSettled: "screen",
  PayoutHold: "prepare",
  ManualReview: "screen",
  BlockedPendingReview: "screen",
  WaitingPayout: "release",
};

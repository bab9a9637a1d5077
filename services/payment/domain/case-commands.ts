import { DomainError, invalid } from "../../shared/kernel/errors";
import { derivedUuid } from "../../shared/kernel/ids";
import type { Money } from "../../shared/kernel/money";
import { applyFact } from "./apply-fact";
import { beginCancel, beginRefund, beginRelease, beginVoid } from "./begun-steps";
import { endSilence } from "./cases";
import { closeAsItIs } from "./close-case";
import { dropStep, isOvertaken } from "./dropped-step";
import type { Evidence, Fact, PayoutFactKind, PullFactKind } from "./fact";
import { type Change, moveMoney, type Payment, type Posting, unchanged } from "./payment";
import { refusePayout } from "./payout-facts";
import { endUnsettled, refusePull } from "./pull-facts";
import { stepReference } from "./step-reference";
import { awaited, roleOf, type Step } from "./steps";
import { requireNothingMoved } from "./undone-money";

/** A fact that a person has proof of. */
export type GivenFact = { amount: Money | undefined; movementId: string | undefined; evidence: Evidence } & (
  | { role: "pull"; kind: Exclude<PullFactKind, "CHALLENGED"> }
  | { role: "payout"; kind: Exclude<PayoutFactKind, "PREPARED" | "HELD" | "RELEASED" | "REFERENCE_TAKEN"> }
);

/** A command that an operator may give about the payment of a case. */
export type CaseCommand =
  | { kind: "settleStep"; fact: GivenFact }
  | { kind: "refuseStep"; evidence: Evidence }
  | { kind: "beginVoid" }
  | { kind: "beginRefund"; amount: Money | undefined }
  | { kind: "beginCancel" }
  | { kind: "beginRelease" }
  | { kind: "postCorrection"; postings: readonly Posting[] }
  | { kind: "close" };

/**
 * Decides an operator's command on the payment of a case. Throws STATE_CONFLICT when the payment's state does not allow it, and
 * INVALID_ARGUMENT for a command that is malformed.
 */
export function applyCaseCommand(payment: Payment, commandId: string, command: CaseCommand, at: Date): Change {
  const change = unchanged(payment);
  switch (command.kind) {
    case "settleStep":
      requireNothingMoved(payment, command.fact);
      return applyFact(change, toFact(payment, command.fact), at);
    case "refuseStep":
      return refuseStep(change, command.evidence, at);
    case "beginVoid":
      return beginVoid(change, at);
    case "beginRefund":
      return beginRefund(change, commandId, command.amount, at);
    case "beginCancel":
      return beginCancel(change, at);
    case "beginRelease":
      return beginRelease(change, at);
    case "postCorrection":
      return moveMoney(change, "correction", at, command.postings, derivedUuid("correction", payment.id, commandId));
    case "close":
      return closeAsItIs(change, at);
  }
}

/** The steps that a provider may refuse. A void or a cancel ends with what became of the money instead. */
const refusable: ReadonlySet<Step | undefined> = new Set(["authorize", "capture", "refund", "prepare", "release"]);

/** Continues as if the provider had refused the call that is under way or awaited. */
function refuseStep(change: Change, evidence: Evidence, at: Date): Change {
  const { status, state } = change.next;
  const step = change.next.execution.step ?? awaited[state];
  const reason = { code: "NARR", text: "settled by an operator" } as const;
  const refusal = { code: "settled-by-operator", reason, evidence };
  const isPull = step !== undefined && roleOf[step] === "pull";
  const refuse = isPull ? refusePull : refusePayout;
  const open = refusable.has(step) ? (refuse(change, refusal, at) ?? endUnsettled(change, reason, at)) : undefined;
  const refused = isOvertaken(change.next) ? dropStep(change, at) : open;
  if (refused !== undefined) return endSilence(refused);
  throw new DomainError("STATE_CONFLICT", "no call is under way that its provider could have refused", {
    details: { status, allowed: [] },
  });
}

function toFact(payment: Payment, { evidence, movementId, ...told }: GivenFact): Fact {
  const provider = told.role === "pull" ? payment.pull?.provider : payment.payout?.rail;
  if (provider === undefined)
    throw invalid([{ field: "settleStep.kind", message: "is of a leg that the payment lacks" }]);
  requireAmount(told);
  const stepReference = told.role === "pull" ? keyOf(payment, told.kind) : undefined;
  const common = { provider, reference: payment.id, stepReference, movementId, evidence, amount: told.amount };
  return told.role === "pull"
    ? { ...common, role: "pull", kind: told.kind }
    : { ...common, role: "payout", kind: told.kind };
}

/** Maps each step that its provider knows by our key to the fact that completes it. */
const comesTo: Readonly<Partial<Record<Step, PullFactKind>>> = { capture: "CAPTURED", refund: "REFUNDED" };

/** Returns the key of the call that is under way when the fact is its result: its provider names the movement by that key, too. */
function keyOf(payment: Payment, kind: PullFactKind): string | undefined {
  const { pull } = payment;
  const { step } = payment.execution;
  const isKeyed = step === "refund" || pull?.source.kind === "card";
  return step !== undefined && isKeyed && comesTo[step] === kind ? stepReference(payment, step) : undefined;
}

const withAmount: ReadonlySet<string> = new Set([
  "CAPTURED",
  "SETTLED",
  "REFUNDED",
  "RETURNED",
  "CHARGED_BACK",
  "PAID",
]);

/** Checks the amount. Any currency that the provider moved is accepted from a person, too, even when another one was asked for. */
function requireAmount(told: Pick<GivenFact, "kind" | "amount">): void {
  const field = "settleStep.amount";
  if (!withAmount.has(told.kind)) {
    if (told.amount !== undefined) throw invalid([{ field, message: `does not belong to ${told.kind}` }]);
  } else if (told.amount === undefined || told.amount.minor <= 0n) {
    throw invalid([{ field, message: "must be more than 0" }]);
  }
}

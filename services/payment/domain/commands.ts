import { DomainError, invalid } from "../../shared/kernel/errors";
import { type Decimal, exactMinor, requireDigits } from "../../shared/kernel/money";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import { collectedMinor } from "./balance";
import { openCase } from "./cases";
import { advance, waitForPerson } from "./flow";
import { refundIdOf } from "./legs";
import {
  because,
  begin,
  type Change,
  type CollectingPayment,
  collects,
  move,
  note,
  type Payment,
  type Refund,
  unchanged,
  update,
  updateExecution,
  updatePull,
} from "./payment";
import { beginReversal, hasRoomFor, maxRefunds } from "./reversal";
import type { PaymentType } from "./typed-legs";

/** Commands that people may give for a payment after it was accepted. */
export type Command =
  | { kind: "capture"; amount: Decimal | undefined }
  | { kind: "void" }
  | { kind: "refund"; externalId: string; amount: Decimal | undefined; reason: string | undefined }
  | { kind: "cancel" }
  | { kind: "approveReversal" }
  | { kind: "refuseReversal" }
  | { kind: "rejectHold" };

export type CommandKind = Command["kind"];

const held: readonly TransactionState[] = ["PayoutHold", "PayoutAccepted", "ReviewApproved"];
const pending: readonly TransactionState[] = ["PendingReversalApproval"];

/** The states in which a command may begin. In any other state it is refused and changes nothing. */
export const commandStates: Readonly<Record<CommandKind, Readonly<Record<PaymentType, readonly TransactionState[]>>>> =
  {
    capture: { PULL: ["PaymentAuthorized"], PUSH: [], PULLPUSH: [] },
    void: { PULL: ["PaymentAuthorized"], PUSH: [], PULLPUSH: [] },
    refund: { PULL: ["Completed"], PUSH: [], PULLPUSH: [] },
    cancel: { PULL: [], PUSH: held, PULLPUSH: held },
    approveReversal: { PULL: pending, PUSH: [], PULLPUSH: pending },
    refuseReversal: { PULL: pending, PUSH: [], PULLPUSH: pending },
    rejectHold: { PULL: [], PUSH: ["PayoutHold"], PULLPUSH: ["PayoutHold"] },
  };

/** Returns the commands that the caller may give instead, for a refusal. */
const allowedCommands = (payment: Payment): CommandKind[] =>
  (Object.keys(commandStates) as CommandKind[]).filter((kind) => canBegin(payment, kind));

/**
 * True when the command may begin. A call that is under way must end first; only a screening may be interrupted, because it moves
 * nothing.
 */
function canBegin({ type, state, execution: { step } }: Payment, kind: CommandKind): boolean {
  const isFree = step === undefined || (kind === "cancel" && step === "screen");
  return isFree && commandStates[kind][type].includes(state);
}

type OperatorCommand = "approveReversal" | "refuseReversal" | "rejectHold";

const operatorCommands: readonly CommandKind[] = [
  "approveReversal",
  "refuseReversal",
  "rejectHold",
] satisfies OperatorCommand[];

/** Returns the refusal of a command that the payment's state does not allow. */
export function notAllowed(payment: Payment, kind: CommandKind, facts: { mostRefunds?: number } = {}): DomainError {
  const isPublic = (name: CommandKind): name is Exclude<CommandKind, OperatorCommand> =>
    !operatorCommands.includes(name) && (facts.mostRefunds === undefined || name !== kind);
  const message =
    facts.mostRefunds === undefined
      ? `a payment in status ${payment.status} does not allow ${kind} now`
      : `a payment allows at most ${facts.mostRefunds} refunds`;
  return new DomainError("STATE_CONFLICT", message, {
    details: { status: payment.status, allowed: allowedCommands(payment).filter(isPublic), ...facts },
  });
}

/**
 * Decides a command. Its claim is saved before any provider is called, so that exactly one of several concurrent commands wins. Throws
 * STATE_CONFLICT, or INVALID_ARGUMENT for an amount that the payment does not have.
 */
export function applyCommand(payment: Payment, command: Command, at: Date): Change {
  if (!canBegin(payment, command.kind)) throw notAllowed(payment, command.kind);
  const change = unchanged(payment);
  switch (command.kind) {
    case "capture":
      return capture(requireCollecting(change, command), command.amount, at);
    case "void":
      return begin(change, "void", at);
    case "refund":
      return refund(requireCollecting(change, command), command, at);
    case "cancel":
      return cancel(because(change, "CUST", "payout"), "cancelled by its caller", at);
    case "rejectHold":
      return cancel(because(change, "RR04", "payout"), "rejected by a person while its rail held it", at);
    case "approveReversal":
      // Money that was taken back meanwhile needs no reversal.
      if (collectedMinor(payment) <= 0n) return advance(change, at);
      if (!hasRoomFor("platform", payment.refunds))
        throw notAllowed(payment, command.kind, { mostRefunds: maxRefunds });
      return beginReversal(change, at);
    case "refuseReversal":
      return refuseReversal(change, at);
  }
}

function requireCollecting(change: Change, { kind }: Command): Change<CollectingPayment> {
  if (!collects(change)) throw notAllowed(change.next, kind);
  return change;
}

/**
 * Returns a requested amount in minor units of the payment's currency. Throws INVALID_ARGUMENT when it has more decimals than the
 * currency.
 */
export function askedMinor({ amount: { currency } }: Payment, asked: Decimal | undefined): bigint | undefined {
  if (asked === undefined) return undefined;
  const digits = requireDigits(currency);
  const minor = exactMinor(asked, digits);
  if (minor === undefined) throw invalid([{ field: "amount", message: `must have at most ${digits} decimals` }]);
  return minor;
}

function capture(change: Change<CollectingPayment>, asked: Decimal | undefined, at: Date): Change {
  const { amount } = change.next;
  const captureMinor = askedMinor(change.next, asked) ?? amount.minor;
  if (captureMinor <= 0n || captureMinor > amount.minor) {
    throw invalid([{ field: "amount", message: "must be more than 0 and at most what was authorised" }]);
  }
  return begin(updatePull(change, { captureMinor }), "capture", at);
}

function refund(change: Change<CollectingPayment>, command: Extract<Command, { kind: "refund" }>, at: Date): Change {
  const { id, pull, refunds } = change.next;
  if (!hasRoomFor("caller", refunds)) throw notAllowed(change.next, "refund", { mostRefunds: maxRefunds });
  const left = pull.capturedMinor - pull.refundedMinor;
  const minor = askedMinor(change.next, command.amount) ?? left;
  if (minor <= 0n || minor > left) {
    throw invalid([{ field: "amount", message: "must be more than 0 and at most what was captured and not refunded" }]);
  }
  const asked: Refund = {
    id: refundIdOf(id, command.externalId),
    externalId: command.externalId,
    minor,
    askedMinor: askedMinor(change.next, command.amount),
    reason: command.reason,
    status: "PENDING",
    requestedAt: at,
    settledAt: undefined,
  };
  return begin(update(change, { refunds: [...refunds, asked] }), "refund", at);
}

function cancel(change: Change, message: string, at: Date): Change {
  const asked = move(
    update(updateExecution(change, { step: undefined }), { cancelledAt: at }),
    "CancelRequested",
    at,
    message,
  );
  return advance(note(asked, { code: "PAYMENT", description: message }, at), at);
}

/** Returns to the state in which the reversal was asked for. A person decides what remains to be done, so a case is opened. */
function refuseReversal(change: Change, at: Date): Change {
  const back = change.next.cameFrom;
  if (back === undefined) throw new DomainError("INTERNAL", "a reversal came from nowhere");
  const moved = move(change, back, at, "the reversal was refused");
  const noted = note(moved, { code: "REFUND", description: "the reversal was refused" }, at);
  const told = openCase(noted, "REVERSAL_REFUSED", "an operator refused to give back what was collected");
  return back === "Completed"
    ? updateExecution(told, { dueAt: undefined, deadlineAt: undefined })
    : waitForPerson(told, at);
}

/** Ends a wait whose time is over. Returns undefined where only a person can help. */
export function timeOut(change: Change, at: Date): Change | undefined {
  const { state } = change.next;
  const { deadlineAt, step } = change.next.execution;
  if (deadlineAt === undefined || deadlineAt > at || step !== undefined) return undefined;
  if (state === "WaitingChallenge3ds") return begin(because(change, "82", "pull"), "void", at);
  if (state !== "PaymentAuthorized") return undefined;
  return begin(because(update(change, { automaticReversed: true }), "EDTR", "pull"), "void", at);
}

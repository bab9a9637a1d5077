import { applyCommand, type Command, commandStates } from "../../services/payment/domain/commands";
import { movesMoney } from "../../services/payment/domain/fact";
import { advance } from "../../services/payment/domain/flow";
import { type Payment, unchanged } from "../../services/payment/domain/payment";
import type { PaymentType } from "../../services/payment/domain/typed-legs";
import { DomainError } from "../../services/shared/kernel/errors";
import { type TransactionState, transactionMoves } from "../../services/shared/kernel/transaction-states";
import { commandMatrix, reportMatrix } from "../data/payments/matrix";
import { type Told, tell } from "../support/facts";
import { builtAt, newPayment, withLegs } from "../support/payment-builder";

const types: readonly PaymentType[] = ["PUSH", "PULL", "PULLPUSH"];
const states = Object.keys(transactionMoves) as TransactionState[];
const at = new Date(builtAt.getTime() + 60_000);

const afterAuthorisation: readonly TransactionState[] = [
  "PaymentAuthorized",
  "ProcessingPayout",
  "PayoutAccepted",
  "PayoutHold",
  "PayoutRejected",
  "BlockedPendingReview",
  "ManualReview",
  "ReviewApproved",
  "ReviewRejected",
  "CancelRequested",
];
const afterCapture: readonly TransactionState[] = [
  "PaymentCaptured",
  "WaitingSettlement",
  "PaymentSettled",
  "WaitingPayout",
  "Paid",
  "Completed",
  "PendingReversalApproval",
];
const afterPreparation: readonly TransactionState[] = [
  "PayoutAccepted",
  "BlockedPendingReview",
  "ManualReview",
  "ReviewApproved",
  "ReviewRejected",
  "CancelRequested",
];

function payoutStatusIn(type: PaymentType, state: TransactionState): Payment["payoutStatus"] {
  if (type === "PULL") return undefined;
  if (state === "PayoutHold") return "PENDING";
  return afterPreparation.includes(state) ? "AUTHORIZED" : undefined;
}

const paidIn: readonly TransactionState[] = ["Paid", "Completed"];
const ended = {
  PaymentDeclined: "DECLINED",
  Cancelled: "VOIDED",
  Voided: "VOIDED",
  Refunded: "REFUNDED",
  Error: "ERROR",
};
const statuses = {
  PUSH: { ...ended, Paid: "CAPTURED", Completed: "CAPTURED" },
  PULL: {
    ...ended,
    PaymentAuthorized: "AUTHORIZED",
    PaymentCaptured: "CAPTURED",
    WaitingSettlement: "CAPTURED",
    PaymentSettled: "CAPTURED",
    Completed: "CAPTURED",
    PendingReversalApproval: "CAPTURED",
  },
  PULLPUSH: { ...ended, Paid: "CAPTURED", Completed: "CAPTURED" },
} as Readonly<Record<PaymentType, Partial<Record<TransactionState, Payment["status"]>>>>;

/** A payment in a state, with the facts that it has there, and the call or wait that it is at. */
function paymentIn(type: PaymentType, state: TransactionState, isCapturedLater = false): Payment {
  const isAuthorized = afterAuthorisation.includes(state);
  const isCaptured = afterCapture.includes(state);
  const start = newPayment(type).next;
  const pull = {
    captureAtOnce: !isCapturedLater,
    authorizedAt: isAuthorized || isCaptured ? builtAt : undefined,
    capturedAt: isCaptured ? builtAt : undefined,
    capturedMinor: isCaptured ? 10_000n : 0n,
  };
  const paidMinor = paidIn.includes(state) ? (start.payout?.amount.minor ?? 0n) : 0n;
  const moved: Payment = {
    ...withLegs(start, { pull, payout: { paidMinor } }),
    state,
    execution: { ...start.execution, step: undefined },
    compliance: type === "PULL" ? "Approved" : start.compliance,
    payoutStatus: payoutStatusIn(type, state),
    terms: { ...start.terms, reversalLimitMinor: isCapturedLater ? 0n : undefined },
    cameFrom: state === "PendingReversalApproval" ? "Completed" : undefined,
    status: statuses[type][state] ?? "PENDING",
  };
  const carried = advance(unchanged(moved), at).next;
  return carried.state === state ? carried : moved;
}

const outcome = (before: Payment, after: Payment): string => {
  const moved = before.state === after.state ? "" : after.state;
  const called =
    after.execution.step !== undefined && (moved !== "" || after.execution.step !== before.execution.step)
      ? `+${after.execution.step}`
      : "";
  const isTold = after.execution.escalatedAt !== undefined && before.execution.escalatedAt === undefined ? "!" : "";
  const isCase = after.openCase !== undefined && before.openCase === undefined ? "?" : "";
  return isTold + isCase + moved + called || "-";
};

const commands: Record<Command["kind"], Command> = {
  capture: { kind: "capture", amount: undefined },
  void: { kind: "void" },
  refund: { kind: "refund", externalId: "refund-1", amount: { digits: 10n, scale: 0 }, reason: undefined },
  cancel: { kind: "cancel" },
  approveReversal: { kind: "approveReversal" },
  refuseReversal: { kind: "refuseReversal" },
  rejectHold: { kind: "rejectHold" },
};

function commanded(payment: Payment, command: Command): string {
  try {
    const { next } = applyCommand(payment, command, at);
    const after =
      command.kind === "refuseReversal" ? { ...next, execution: { ...next.execution, escalatedAt: undefined } } : next;
    return outcome(payment, after);
  } catch (error) {
    if (error instanceof DomainError && error.reason === "STATE_CONFLICT") return "-";
    throw error;
  }
}

const pullKinds = [
  "AUTHORIZED",
  "CHALLENGED",
  "DECLINED",
  "CAPTURED",
  "SETTLED",
  "RETURNED",
  "VOIDED",
  "REFUNDED",
  "CHARGED_BACK",
] as const;
const payoutKinds = ["PREPARED", "HELD", "RELEASED", "PAID", "REJECTED", "RETURNED", "CANCELLED"] as const;
const screeningStatuses = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const;

const reports: readonly Told[] = [
  ...pullKinds.map((kind) => ({ role: "pull", kind }) as const),
  ...payoutKinds.map((kind) => ({ role: "payout", kind }) as const),
  { role: "refusal", code: "refused" },
  ...screeningStatuses.map((status) => ({ role: "screening", status }) as const),
];
const nameOf = (told: Told): string =>
  told.role === "refusal" ? "refused" : `${told.role}.${told.role === "screening" ? told.status : told.kind}`;

/** What the code does, without the cells in which nothing happens. */
const actual = (cells: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(cells.filter(([, result]) => result !== "-"));

const legs: Readonly<Record<PaymentType, readonly Told["role"][]>> = {
  PUSH: ["payout", "screening", "refusal"],
  PULL: ["pull", "screening", "refusal"],
  PULLPUSH: ["pull", "payout", "screening", "refusal"],
};

/** Money that no row waits for is a case, wherever the payment is; a row says where it is not. */
function expected(type: PaymentType, state: TransactionState): Record<string, string> {
  const money = reports.filter((told) => "kind" in told && movesMoney(told) && legs[type].includes(told.role));
  const cases = Object.fromEntries(money.map((told) => [nameOf(told), "?"]));
  return actual(Object.entries({ ...cases, ...reportMatrix[type][state] }));
}

describe.each(types)("a %s", (type) => {
  it("has a row for each state in both tables, and no other", () => {
    for (const table of [commandMatrix, reportMatrix]) {
      expect(Object.keys(table[type]).toSorted()).toEqual(states.toSorted());
    }
    expect(Object.keys(commands).toSorted()).toEqual(Object.keys(commandStates).toSorted());
  });

  it.each(states)("in state %s takes the commands of the table and refuses all others", (state) => {
    const payment = paymentIn(type, state, true);
    const cells = Object.values(commands).map((command) => [command.kind, commanded(payment, command)] as const);

    expect(actual(cells)).toEqual(commandMatrix[type][state]);
  });

  it.each(states)("in state %s goes where the table says for each report", (state) => {
    const payment = paymentIn(type, state);
    const cells = reports
      .filter(({ role }) => legs[type].includes(role))
      .map((report) => [nameOf(report), outcome(payment, tell(unchanged(payment), report, at).next)] as const);

    expect(actual(cells)).toEqual(expected(type, state));
  });
});

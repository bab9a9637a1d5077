import { plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { formatMoney, type Money } from "../../shared/money";
import { type TransactionState, transactionMoves } from "../../shared/transaction-states";

export type PaymentStatus = "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";
export type ComplianceStatus = "Pending" | "Approved" | "Rejected" | "Cancelled" | "Refunded" | "Failed";
export type PayoutStatus = "AUTHORIZED" | "PENDING" | "CAPTURED" | "DECLINED";

/** The calls to a rail. Each is sent under the payment's own reference, so that a rail executes it at most once. */
export type Step = "prepare" | "release";

/** What the rail is asked to do. `reference` is ours: we can always ask the rail what became of it. */
export interface Instruction {
  rail: string;
  reference: string;
  amount: Money;
  key: string;
  keyType: string;
  recipientName: string;
  recipientDocument: string;
  narrative: string;
}

/** Name and address of the one who pays, as the caller gave them; absent fields are empty. */
export interface Payer {
  firstName: string;
  lastName: string;
  phoneNumber: string;
  email: string;
  countryCode: string;
  stateCode: string;
  state: string;
  city: string;
  line1: string;
  line2: string;
  zipCode: string;
}

export interface Payment {
  id: string;
  tenant: string;
  externalId: string;
  amount: Money;
  quoteId: string | undefined;
  ipAddress: string;
  payer: Payer;
  instruction: Instruction;
  createdAt: Date;
  traceparent: string;

  state: TransactionState;
  status: PaymentStatus;
  compliance: ComplianceStatus;
  payout: PayoutStatus | undefined;
  railId: string | undefined;
  capturedAt: Date | undefined;
  /** The rail call whose outcome is not known yet. */
  step: Step | undefined;
  /** How often the rail was asked in vain since the last progress. */
  tries: number;
  /** When somebody must look at this payment if nothing happens before; undefined once it is final. */
  dueAt: Date | undefined;
  updatedAt: Date;
  eventCount: number;
  version: number;
}

interface EventBase {
  sequence: number;
  occurredAt: Date;
  messages: string[];
}

export type PaymentEvent = EventBase &
  (
    | { kind: "status"; oldStatus: TransactionState | undefined; newStatus: TransactionState }
    | { kind: "compliance"; oldStatus: ComplianceStatus | undefined; newStatus: ComplianceStatus }
    | {
        kind: "payout";
        oldStatus: PayoutStatus | undefined;
        newStatus: PayoutStatus;
        railId: string | undefined;
        amount: string;
        currency: string;
      }
  );

/** One operation on the payment, as lookups show it. */
export interface HistoryEntry {
  code: "PAYMENT" | "CAPTURE";
  status: PaymentStatus;
  description: string;
  at: Date;
  amount: Money;
}

/** A decision about a payment: its next form and what it adds. The caller saves all of it together, or nothing. */
export interface Change {
  next: Payment;
  events: readonly PaymentEvent[];
  history: readonly HistoryEntry[];
}

/** A decision that changes nothing yet. */
export const unchanged = (payment: Payment): Change => ({ next: payment, events: [], history: [] });

export const isFinal = (state: TransactionState): boolean =>
  transactionMoves[state].length === 0 || state === "Completed";

/** Payment status of a push after it has reached a state (contract section 5). A refusal stays DECLINED to the end. */
function pushStatus(state: TransactionState, before: PaymentStatus): PaymentStatus {
  switch (state) {
    case "Paid":
      return "CAPTURED";
    case "PayoutRejected":
    case "ReviewRejected":
      return "DECLINED";
    case "Cancelled":
      return before === "DECLINED" ? "DECLINED" : "VOIDED";
    case "Refunded":
      return "REFUNDED";
    case "Error":
      return "ERROR";
    default:
      return before;
  }
}

/** Moves the transaction along the published graph. A move that the graph does not list is a bug and throws. */
export function move(change: Change, to: TransactionState, at: Date, message: string): Change {
  const { next } = change;
  if (!transactionMoves[next.state].includes(to)) {
    throw new DomainError("INTERNAL", `no move from ${next.state} to ${to}`);
  }
  const status = pushStatus(to, next.status);
  const event = { kind: "status", oldStatus: next.state, newStatus: to, ...eventBase(next, at, message) } as const;
  return {
    ...change,
    next: { ...next, state: to, status, updatedAt: at, eventCount: next.eventCount + 1 },
    events: [...change.events, event],
  };
}

/** Sets the compliance status; an equal value is no change and emits nothing. */
export function setCompliance(change: Change, to: ComplianceStatus, at: Date, message: string): Change {
  const { next } = change;
  if (next.compliance === to) return change;
  const event = {
    kind: "compliance",
    oldStatus: next.compliance,
    newStatus: to,
    ...eventBase(next, at, message),
  } as const;
  return {
    ...change,
    next: { ...next, compliance: to, eventCount: next.eventCount + 1 },
    events: [...change.events, event],
  };
}

/** Sets the status of the payout leg; an equal value is no change and emits nothing. */
export function setPayout(change: Change, to: PayoutStatus, at: Date, message: string): Change {
  const { next } = change;
  if (next.payout === to) return change;
  const { amount } = next.instruction;
  const event = {
    kind: "payout",
    oldStatus: next.payout,
    newStatus: to,
    railId: next.railId,
    amount: formatMoney(amount),
    currency: amount.currency,
    ...eventBase(next, at, message),
  } as const;
  return {
    ...change,
    next: { ...next, payout: to, eventCount: next.eventCount + 1 },
    events: [...change.events, event],
  };
}

/** Adds an operation to the history that lookups show. */
export function note(change: Change, code: HistoryEntry["code"], at: Date, description: string): Change {
  const { amount, status } = change.next;
  return { ...change, history: [...change.history, { code, status, description, at, amount }] };
}

const eventBase = (payment: Payment, at: Date, message: string): EventBase => ({
  sequence: payment.eventCount + 1,
  occurredAt: at,
  messages: [message],
});

/** What a new payment is made from. */
export type NewPayment = Pick<
  Payment,
  | "id"
  | "tenant"
  | "externalId"
  | "amount"
  | "quoteId"
  | "ipAddress"
  | "payer"
  | "instruction"
  | "createdAt"
  | "traceparent"
>;

/** How long a rail call may take before somebody else may take the payment up. */
export const stepLeaseMs = 4_000;

/** A push as it is stored first: created, and on its way to the rail. */
export function createPush(facts: NewPayment): Change {
  const at = facts.createdAt;
  const base = { sequence: 1, occurredAt: at, messages: ["payment accepted"] };
  const created: Payment = {
    ...facts,
    state: "Created",
    status: "PENDING",
    compliance: "Pending",
    payout: undefined,
    railId: undefined,
    capturedAt: undefined,
    step: undefined,
    tries: 0,
    dueAt: plusMs(at, stepLeaseMs),
    updatedAt: at,
    eventCount: 2,
    version: 1,
  };
  const opening: Change = {
    next: created,
    events: [
      { kind: "status", oldStatus: undefined, newStatus: "Created", ...base },
      { kind: "compliance", oldStatus: undefined, newStatus: "Pending", ...base, sequence: 2 },
    ],
    history: [],
  };
  const noted = note(opening, "PAYMENT", at, "push accepted");
  return begin(move(noted, "ProcessingPayout", at, "payout is being prepared"), "prepare", at);
}

/** Records, before the rail is called, that it will be: after a crash we ask the rail first. */
export function begin(change: Change, name: Step, at: Date): Change {
  return { ...change, next: { ...change.next, step: name, tries: 0, dueAt: plusMs(at, stepLeaseMs) } };
}

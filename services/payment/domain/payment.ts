import { DomainError } from "../../shared/kernel/errors";
import { formatMoney, type Money, money } from "../../shared/kernel/money";
import type { Cause, Leg } from "../../shared/kernel/reason-codes";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import type { Blocked } from "./blocked";
import type { CaseKind, CaseNote } from "./case-note";
import { calling, type Execution } from "./execution";
import type { CardFacts, KeptFact } from "./fact";
import type { Terms } from "./fees";
import type { Party, PayoutMethod } from "./party";
import { type PaymentStatus, statusAfter } from "./payment-status";
import type { Step } from "./steps";
import type { LegsOf, PaymentType } from "./typed-legs";

export type ComplianceStatus = "Pending" | "Approved" | "Rejected" | "Cancelled" | "Refunded" | "Failed";
export type PayoutStatus = "AUTHORIZED" | "PENDING" | "CAPTURED" | "DECLINED" | "VOIDED" | "REFUNDED" | "ERROR";

/** The texts of a payout, each in a field of its own. */
export interface PayoutTexts {
  /** Purpose code, from the list of the destination country. */
  purpose: string;
  /** Text that appears on the recipient's statement. */
  descriptor: string;
  /** Description of the transaction. */
  narrative: string;
  /** Further texts of the corridor, by name. */
  extras: Readonly<Record<string, string>>;
}

/** The leg that pays the recipient. `reference` is our own, so that the rail can always be asked what became of it. */
export interface Payout {
  rail: string;
  reference: string;
  amount: Money;
  countryCode: string;
  method: PayoutMethod;
  recipient: Party;
  texts: PayoutTexts;
  /** The rail's own id, once the rail has reported it. */
  railId: string | undefined;
  /** Receipt of a money-services network. */
  receipt: string | undefined;
  /** What the recipient was certainly paid, and what of it came back. Minor units of the payout's currency. */
  paidMinor: bigint;
  returnedMinor: bigint;
}

/** The source of the money of a pull. Tokens and accounts are sealed at rest. */
export type PullSource =
  | { kind: "card"; token: string }
  | { kind: "account"; token: string }
  | { kind: "bank"; routingNumber: string; accountNumber: string; accountType: string; holder: string };

/** The leg that collects. All amounts are minor units of the payment's currency. */
export interface Pull {
  provider: string;
  source: PullSource;
  /** False: the money is only authorised, and the caller captures it. */
  captureAtOnce: boolean;
  /** The amount of a capture that is under way. */
  captureMinor: bigint;
  capturedMinor: bigint;
  refundedMinor: bigint;
  /** The amount of a debit that has settled; undefined before. */
  settledMinor: bigint | undefined;
  authorizedAt: Date | undefined;
  capturedAt: Date | undefined;
  settledAt: Date | undefined;
  voidedAt: Date | undefined;
  /** When an operator was notified that the authorisation has expired while the payment waits for a decision. */
  lapseToldAt: Date | undefined;
  /** When the payer's bank took all of it back. */
  returnedAt: Date | undefined;
  /** True when a person lets the payout go although the amount collected is not the one that was asked for. */
  releaseAnyway: boolean;
  providerId: string | undefined;
  authCode: string | undefined;
  responseCode: string | undefined;
  message: string | undefined;
  acsUrl: string | undefined;
  avs: string | undefined;
  cvc: string | undefined;
  card: CardFacts | undefined;
}

/** A child payment that gives money back: asked for by the caller, or by the platform itself. */
export interface Refund {
  id: string;
  /** The caller's externalRefundId; the platform's own reversals have none. */
  externalId: string | undefined;
  /** The amount that is given back: as asked for, and once it is done, as done. */
  minor: bigint;
  /** The amount that its caller asked for; undefined when the caller named none. */
  askedMinor: bigint | undefined;
  reason: string | undefined;
  status: "PENDING" | "REFUNDED" | "DECLINED";
  requestedAt: Date;
  settledAt: Date | undefined;
  /** Why it was refused. */
  cause?: Cause | undefined;
}

/** A fee charged to the tenant. */
export interface Fee {
  sourceId: string;
  eventId: "PRE_AUTH" | "CAPTURE" | "REFUND";
  at: Date;
  minor: bigint;
}

/** A part of a ledger account that was promised to a payment, out of a block. */
export interface MadePromise {
  blockId: string;
  /** Its place among the promises of its block; no other stored payment has the same place. */
  place: number;
  account: string;
  currency: string;
  /** Minor units of the currency. */
  minor: bigint;
}

/** The fields that every payment has, whatever its type. */
export interface PaymentBase {
  id: string;
  tenant: string;
  externalId: string;
  /** The agent that the transaction belongs to, and the agent's own id for it; undefined when the tenant made the payment itself. */
  agent: { id: string; externalTransactionId: string | undefined } | undefined;
  amount: Money;
  quoteId: string | undefined;
  /** The part of the amount that is the margin on the exchange rate, in minor units of its currency. */
  marginMinor: bigint;
  ipAddress: string;
  /** Who gives the money, as described by the caller. */
  sender: Party;
  terms: Terms;
  createdAt: Date;
  traceparent: string;

  /** What was promised to the payment when it was accepted. The payment's state decides which promises still stand. */
  promises: readonly MadePromise[];
  refunds: readonly Refund[];
  fees: readonly Fee[];
  /** Everything that providers have reported about money, each fact once. */
  facts: readonly KeptFact[];
  /** The open case, with what a person must put right. */
  openCase: { id: string; kinds: readonly CaseKind[] } | undefined;
  /** The money as it was when a person closed a case; whatever moves afterwards is looked at again. */
  accepted: { collectedMinor: bigint; paidOutMinor: bigint } | undefined;
  /** What compliance has blocked of it; undefined unless something was ever blocked. */
  blocked: Blocked | undefined;
  /** How many cases the payment has had. */
  caseCount: number;
  state: TransactionState;
  status: PaymentStatus;
  compliance: ComplianceStatus;
  payoutStatus: PayoutStatus | undefined;
  /** True once the platform has given money back by itself. */
  automaticReversed: boolean;
  /** Why the payment is in its state, while that is not what was asked for. */
  cause: Cause | undefined;
  /** The state in which a cancel or reversal was asked for, to return to if it is refused. */
  cameFrom: TransactionState | undefined;
  capturedAt: Date | undefined;
  /** When its caller cancelled it. */
  cancelledAt: Date | undefined;
  execution: Execution;
  updatedAt: Date;
  eventCount: number;
  version: number;
}

/** A payment. Its type decides which legs it has, so that code cannot read a leg that the type lacks. */
export type Payment = PaymentBase & LegsOf<Pull, Payout>;
export type PaymentOf<T extends PaymentType> = Extract<Payment, { type: T }>;
export type CollectingPayment = PaymentOf<"PULL" | "PULLPUSH">;
export type PayingPayment = PaymentOf<"PUSH" | "PULLPUSH">;

interface EventBase {
  sequence: number;
  occurredAt: Date;
  messages: string[];
  /** The reason, where the outcome is not what was asked for. */
  cause?: Cause | undefined;
  /** Promises, or parts of promises, that end with the event. */
  releases?: readonly MadePromise[];
}

/** One side of a journal entry in signed minor units; money that enters the account is positive. */
export interface Posting {
  account: string;
  currency: string;
  minor: bigint;
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
        receipt: string | undefined;
        amount: string;
        currency: string;
      }
    | { kind: "money"; moved: string; entryId: string | undefined; postings: readonly Posting[] }
  );

/** One operation on the payment, as lookups show it. `paymentId` is the id of its leg or refund. */
export interface HistoryEntry {
  paymentId: string;
  code: "PAYMENT" | "CAPTURE" | "REFUND";
  status: PaymentStatus;
  description: string;
  /** The reason, where the outcome is not what was asked for. */
  cause: Cause | undefined;
  at: Date;
  amount: Money;
}

/** A decision about a payment: its next form and what comes with it. The caller saves all of it together, or nothing. */
export interface Change<P extends Payment = Payment> {
  next: P;
  events: readonly PaymentEvent[];
  history: readonly HistoryEntry[];
  caseNotes: readonly CaseNote[];
}

/** A decision that changes nothing yet. */
export const unchanged = <P extends Payment>(payment: P): Change<P> => ({
  next: payment,
  events: [],
  history: [],
  caseNotes: [],
});

/** True for a payment that collects. */
export const collects = (change: Change): change is Change<CollectingPayment> => change.next.pull !== undefined;

/** True for a payment that pays out. */
export const paysOut = (change: Change): change is Change<PayingPayment> => change.next.payout !== undefined;

/** Returns the change with some fields of its payment replaced. */
export const update = <P extends Payment>(change: Change<P>, fields: Partial<PaymentBase>): Change<P> => ({
  ...change,
  next: { ...change.next, ...fields },
});

/** Returns the change with some fields of the pull leg replaced. */
export const updatePull = <P extends CollectingPayment>(change: Change<P>, fields: Partial<Pull>): Change<P> => ({
  ...change,
  next: { ...change.next, pull: { ...change.next.pull, ...fields } },
});

/** Returns the change with some fields of the payout leg replaced. */
export const updatePayout = <P extends PayingPayment>(change: Change<P>, fields: Partial<Payout>): Change<P> => ({
  ...change,
  next: { ...change.next, payout: { ...change.next.payout, ...fields } },
});

/** True where the transaction ends, unless money is given back later. */
export const isFinal = (state: TransactionState): boolean =>
  transactionMoves[state].length === 0 || state === "Completed";

/** Returns the id of an event, the same on every repeat. */
export const eventIdOf = (paymentId: string, { sequence }: Pick<PaymentEvent, "sequence">): string =>
  `${paymentId}.${sequence}`;

/** True while the payment needs no processing by itself. */
export const isIdle = ({ state, execution }: Payment): boolean => isFinal(state) && execution.step === undefined;

function withEvent<P extends Payment>(change: Change<P>, at: Date, message: string, event: EventOf): Change<P> {
  const eventCount = change.next.eventCount + 1;
  const cause = event.kind === "money" ? undefined : change.next.cause;
  const full = { ...event, sequence: eventCount, occurredAt: at, messages: [message], cause };
  return { ...change, next: { ...change.next, eventCount }, events: [...change.events, full] };
}
type WithoutBase<T> = T extends unknown ? Omit<T, keyof EventBase> : never;
type EventOf = WithoutBase<PaymentEvent>;

/** Moves the transaction along the published graph. A move that the graph does not contain is a bug and throws. */
export function move<P extends Payment>(change: Change<P>, to: TransactionState, at: Date, message: string): Change<P> {
  const { state } = change.next;
  if (!transactionMoves[state].includes(to)) throw new DomainError("INTERNAL", `no move from ${state} to ${to}`);
  const told = withEvent(change, at, message, { kind: "status", oldStatus: state, newStatus: to });
  const cameFrom = asks.includes(to) ? state : change.next.cameFrom;
  return update(told, { state: to, status: statusAfter(change.next, to), cameFrom, updatedAt: at });
}

/** States in which something was asked for that may be refused. */
export const asks: readonly TransactionState[] = ["CancelRequested", "PendingReversalApproval"];

/** Sets the compliance status; an equal value changes nothing and emits no event. */
export function setCompliance<P extends Payment>(
  change: Change<P>,
  to: ComplianceStatus,
  at: Date,
  message: string,
): Change<P> {
  const { compliance } = change.next;
  if (compliance === to) return change;
  const told = withEvent(change, at, message, { kind: "compliance", oldStatus: compliance, newStatus: to });
  return update(told, { compliance: to });
}

/** Sets the status of the payout leg; an equal value changes nothing and emits no event. */
export function setPayout<P extends PayingPayment>(
  change: Change<P>,
  to: PayoutStatus,
  at: Date,
  message: string,
): Change<P> {
  const { payout, payoutStatus } = change.next;
  if (payoutStatus === to) return change;
  const { railId, receipt, amount } = payout;
  const facts = { railId, receipt, amount: formatMoney(amount), currency: amount.currency };
  const told = withEvent(change, at, message, { kind: "payout", oldStatus: payoutStatus, newStatus: to, ...facts });
  return update(told, { payoutStatus: to });
}

/**
 * Records money that certainly moved; `entryId` is the fact that the ledger posts once, if a fact moved the money. Throws unless the
 * postings sum to zero in each currency; postings of zero are dropped.
 */
export function moveMoney<P extends Payment>(
  change: Change<P>,
  moved: string,
  at: Date,
  postings: readonly Posting[],
  entryId?: string,
): Change<P> {
  const sums = Map.groupBy(postings, ({ currency }) => currency);
  for (const [currency, own] of sums) {
    const sum = own.reduce((total, { minor }) => total + minor, 0n);
    if (sum !== 0n) throw new DomainError("INTERNAL", `postings of ${moved} in ${currency} do not sum to zero`);
  }
  const moving = postings.filter(({ minor }) => minor !== 0n);
  return moving.length === 0
    ? change
    : withEvent(change, at, moved, { kind: "money", moved, entryId, postings: moving });
}

/** Sets the reason for the payment's state: every later event of the change carries it too. */
export const because = <P extends Payment>(change: Change<P>, code: string, leg: Leg): Change<P> =>
  update(change, { cause: { code, leg } });

/** Clears the reason: what was asked for has come about after all. */
export const asAsked = <P extends Payment>(change: Change<P>): Change<P> => update(change, { cause: undefined });

/** Adds an operation to the history that lookups show. */
export function note<P extends Payment>(
  change: Change<P>,
  entry: Pick<HistoryEntry, "code" | "description"> & {
    minor?: bigint;
    paymentId?: string;
    cause?: Cause | undefined;
  },
  at: Date,
): Change<P> {
  const { amount, status, id } = change.next;
  const { code, description, minor = amount.minor, paymentId = id, cause = change.next.cause } = entry;
  const full = { paymentId, code, status, description, cause, at, amount: money(minor, amount.currency) };
  return { ...change, history: [...change.history, full] };
}

/** Returns the name of the transaction: the agent's own, or the id of a payment that the tenant made itself. */
export const externalTransactionId = ({ agent, externalId }: Payment): string | undefined =>
  agent === undefined ? externalId : agent.externalTransactionId;

/** Records that a provider will be called, before it is called: after a crash it is asked first. */
export const begin = <P extends Payment>(change: Change<P>, step: Step, at: Date): Change<P> =>
  update(change, { execution: calling(step, at) });

/** Returns the change with a part of its execution replaced. */
export const updateExecution = <P extends Payment>(change: Change<P>, fields: Partial<Execution>): Change<P> =>
  update(change, { execution: { ...change.next.execution, ...fields } });

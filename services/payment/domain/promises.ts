import { DomainError } from "../../shared/kernel/errors";
import { type Money, money } from "../../shared/kernel/money";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import { feeMinor, type Terms } from "./fees";
import { asks, type MadePromise, type Payment, type PaymentEvent, type PayoutStatus } from "./payment";
import { releasable } from "./payout-facts";
import type { PaymentType } from "./typed-legs";

/** The amount that a ledger account must cover before a payment is accepted. */
export interface Need {
  /** tenant/<slug>/funding or provider/<name>/clearing. */
  account: string;
  currency: string;
  minor: bigint;
}

/** The most promises that are made out of one block: closing a block takes each place that no payment has. */
export const placesOfBlock = 256;

/**
 * Returns what a payment takes of its tenant's own money: for a push its amount and its fee. A payment that collects brings the money
 * that it pays out, and is released against that money alone.
 */
export function tenantNeed(
  { type, tenant, amount }: { type: PaymentType; tenant: string; amount: Money },
  { fees }: Terms,
): Need | undefined {
  if (type !== "PUSH") return undefined;
  const minor = amount.minor + feeMinor(fees.CAPTURE, amount.minor);
  return { account: `tenant/${tenant}/funding`, currency: amount.currency, minor };
}

/** Returns what a payout takes from our account at its rail. */
export const railNeed = (rail: string, { currency, minor }: Money): Need => ({
  account: `provider/${rail}/clearing`,
  currency,
  minor,
});

/** Returns the refusal of a payment that its tenant's own account does not cover. */
export const tenantTooLow = ({ currency, minor }: Need, available: bigint): DomainError =>
  new DomainError("FUNDS_TOO_LOW", "the tenant's funds and credit line do not cover the payment", {
    details: {
      account: "tenant",
      available: money(available, currency),
      required: money(minor, currency),
    },
  });

/** Returns the refusal of a payout that our account covers at no rail. How much is there is not disclosed to the caller. */
export const providerTooLow = (): DomainError =>
  new DomainError("FUNDS_TOO_LOW", "the provider's funds do not cover the payout", {
    details: { account: "provider" },
  });

/** Returns the refusal of a payout while a rail that might cover it does not report what it holds. */
export const providerSilent = (): DomainError =>
  new DomainError("UNAVAILABLE", "the provider does not answer, and whether its funds cover the payout is not known");

/**
 * Returns the states from which the graph leads to a goal, including the goals. For a request that is refused and goes back, see `leads`.
 */
function leadingTo(goals: readonly TransactionState[]): ReadonlySet<TransactionState> {
  const found = new Set(goals);
  const all = Object.keys(transactionMoves) as TransactionState[];
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const state of all) {
      if (!asks.includes(state) && transactionMoves[state].some((next) => found.has(next))) found.add(state);
    }
  }
  return found;
}

const toRelease = leadingTo(releasable);
const toPaid = leadingTo(["WaitingPayout"]);

/** True when a transaction can still reach the goals. One for which a cancel or a reversal was asked may go back to its earlier state. */
function leads({ state, cameFrom }: Payment, goals: ReadonlySet<TransactionState>): boolean {
  const from = asks.includes(state) ? cameFrom : state;
  return from !== undefined && goals.has(from);
}

/** Says for each status of a payout leg whether nothing more will be paid: it was paid, or never will be. */
const ended: Readonly<Record<PayoutStatus, boolean>> = {
  AUTHORIZED: false,
  PENDING: false,
  CAPTURED: true,
  DECLINED: true,
  VOIDED: true,
  REFUNDED: true,
  ERROR: true,
};

/**
 * True while a promise still stands. The tenant's stands until the recipient was paid; the rail's until the rail has confirmed the
 * release, since the rail's own figure includes the payout from then on. Both end once the flow can no longer lead there, and a promise
 * that has ended never begins again.
 */
export function stands({ account }: Need, payment: Payment): boolean {
  const { payout, payoutStatus } = payment;
  if (payout === undefined || payout.paidMinor > 0n) return false;
  if (payoutStatus !== undefined && ended[payoutStatus]) return false;
  return leads(payment, account.startsWith("provider/") ? toRelease : toPaid);
}

/** Returns how much of a promise still stands. Blocked money of a tenant is on an account of its own, and no longer needs the promise. */
function standing(promise: MadePromise, payment: Payment): bigint {
  if (!stands(promise, payment)) return 0n;
  const taken = promise.account.startsWith("provider/") ? 0n : (payment.blocked?.takenMinor ?? 0n);
  return taken < promise.minor ? promise.minor - taken : 0n;
}

/**
 * Returns the events of a change with the promises that end with it. What an event posts on an account is released in the same event, so
 * that the ledger counts both at once; the rest ends with the last event.
 */
export function withReleases(before: Payment, next: Payment, events: readonly PaymentEvent[]): readonly PaymentEvent[] {
  const left = before.promises.flatMap((promise) => {
    const minor = standing(promise, before) - standing(promise, next);
    return minor === 0n ? [] : [{ ...promise, minor }];
  });
  if (left.length === 0) return events;
  const released = events.map((event, index) => {
    const isLast = index === events.length - 1;
    const releases = left.flatMap((promise) => {
      const posted = event.kind === "money" ? postedOn(promise, event.postings) : 0n;
      const minor = isLast || posted > promise.minor ? promise.minor : posted;
      promise.minor -= minor;
      return minor === 0n ? [] : [{ ...promise, minor }];
    });
    return releases.length === 0 ? event : { ...event, releases };
  });
  if (left.some(({ minor }) => minor > 0n)) throw new DomainError("INTERNAL", "a promise ends without an event");
  return released;
}

function postedOn(
  { account, currency }: Need,
  postings: readonly { account: string; currency: string; minor: bigint }[],
): bigint {
  const own = postings.filter((posting) => posting.account === account && posting.currency === currency);
  const sum = own.reduce((total, { minor }) => total + minor, 0n);
  return sum < 0n ? -sum : sum;
}

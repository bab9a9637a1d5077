import { DomainError } from "../../shared/kernel/errors";
import { formatMoney, type Money, money } from "../../shared/kernel/money";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import { feeMinor, type Terms } from "./fees";
import { asks, type MadePromise, type Payment, type PaymentEvent, type PayoutStatus } from "./payment";
import { releasable } from "./payout-facts";
import type { PaymentType } from "./typed-legs";

/** What an account of the ledger has to stand for before a payment is accepted. */
export interface Need {
  /** tenant/<slug>/funding or provider/<name>/clearing. */
  account: string;
  currency: string;
  minor: bigint;
}

/** So many promises are made out of one block at most: to close it each place that no payment has is taken. */
export const placesOfBlock = 256;

/**
 * What a payment takes of its tenant's own money: a push its amount and its fee. What collects brings the money that it pays
 * out, and is released against it alone.
 */
export function tenantNeed(
  { type, tenant, amount }: { type: PaymentType; tenant: string; amount: Money },
  { fees }: Terms,
): Need | undefined {
  if (type !== "PUSH") return undefined;
  const minor = amount.minor + feeMinor(fees.CAPTURE, amount.minor);
  return { account: `tenant/${tenant}/funding`, currency: amount.currency, minor };
}

/** What a rail draws from our account there. */
export const railNeed = (rail: string, { currency, minor }: Money): Need => ({
  account: `provider/${rail}/clearing`,
  currency,
  minor,
});

/** The refusal of a payment that its tenant's own account does not cover. */
export const tenantTooLow = ({ currency, minor }: Need, available: bigint): DomainError =>
  new DomainError("FUNDS_TOO_LOW", "the tenant's funds and credit line do not cover the payment", {
    details: {
      account: "tenant",
      currency,
      available: formatMoney(money(available, currency)),
      required: formatMoney(money(minor, currency)),
    },
  });

/** The refusal of a payout that our account at no rail covers. How much is there is not the caller's matter. */
export const providerTooLow = (): DomainError =>
  new DomainError("FUNDS_TOO_LOW", "the provider's funds do not cover the payout", {
    details: { account: "provider" },
  });

/** The refusal of a payout while a rail that might cover it does not say what it holds. */
export const providerSilent = (): DomainError =>
  new DomainError("UNAVAILABLE", "the provider does not answer, and whether its funds cover the payout is not known");

/** States from which the graph leads to a goal, the goals included. What was asked for and refused goes back: see `leads`. */
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

/** Whether a transaction can still come to the goals. Where a cancel or a reversal was asked for, it may go back. */
function leads({ state, cameFrom }: Payment, goals: ReadonlySet<TransactionState>): boolean {
  const from = asks.includes(state) ? cameFrom : state;
  return from !== undefined && goals.has(from);
}

/** Statuses of a payout leg of which nothing is paid any more, or which was paid. */
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
 * Whether a promise still stands. The tenant's does until the recipient was paid; the rail's until the rail has confirmed the
 * release, since its own figure says so from then on. Both end where the flow leads there no more: a promise that has ended
 * never begins again.
 */
export function stands({ account }: Need, payment: Payment): boolean {
  const { payout, payoutStatus } = payment;
  if (payout === undefined || payout.paidMinor > 0n) return false;
  if (payoutStatus !== undefined && ended[payoutStatus]) return false;
  return leads(payment, account.startsWith("provider/") ? toRelease : toPaid);
}

/** What of a promise still stands. What was blocked of a tenant's own money is on an account of its own, and needs it no more. */
function standing(promise: MadePromise, payment: Payment): bigint {
  if (!stands(promise, payment)) return 0n;
  const taken = promise.account.startsWith("provider/") ? 0n : (payment.blocked?.takenMinor ?? 0n);
  return taken < promise.minor ? promise.minor - taken : 0n;
}

/**
 * The events of a change with the promises that end with it. What an event posts on an account it releases there, so that the
 * ledger counts both at once; the rest ends with the last event.
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

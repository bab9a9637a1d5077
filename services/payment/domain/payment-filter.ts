import { plusMs } from "../../shared/kernel/clock";
import type { FieldViolation } from "../../shared/kernel/errors";
import { currencyDigits, type Decimal } from "../../shared/kernel/money";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import type { PaymentStatus } from "./payment-status";
import type { PaymentType } from "./typed-legs";

/** The conditions that all payments of a list meet. A condition that is undefined does not apply. */
export interface PaymentFilter {
  status: PaymentStatus | undefined;
  state: TransactionState | undefined;
  type: PaymentType | undefined;
  currency: string | undefined;
  recipientCurrency: string | undefined;
  /** In major units of each payment's currency. */
  minAmount: Decimal | undefined;
  maxAmount: Decimal | undefined;
  countryCode: string | undefined;
  method: string | undefined;
  createdFrom: Date | undefined;
  createdUntil: Date | undefined;
  changedFrom: Date | undefined;
  changedUntil: Date | undefined;
  agentId: string | undefined;
  reasonCode: string | undefined;
  idPrefix: string | undefined;
  isOverdue: boolean;
  isStuck: boolean;
  paymentId: string | undefined;
}

/** The fields of a payment that filters check. */
export interface FilteredPayment {
  _id: string;
  externalId: string;
  status: PaymentStatus;
  state: TransactionState;
  type: PaymentType;
  currency: string;
  amountMinor: bigint;
  payoutCurrency?: string | undefined;
  payoutCountry?: string | undefined;
  method?: string | undefined;
  createdAt: Date;
  updatedAt: Date;
  agentId?: string | undefined;
  cause?: { code: string } | undefined;
  dueAt?: Date | undefined;
  escalatedAt?: Date | undefined;
}

/** A payment is overdue when it has been due for this long. */
export const overdueMs = 60_000;

/** Returns a violation for every condition that no payment can meet. */
export function filterProblems(filter: PaymentFilter): FieldViolation[] {
  const { minAmount, maxAmount, createdFrom, createdUntil, changedFrom, changedUntil } = filter;
  const isBackwards = (from: Date | undefined, until: Date | undefined): boolean =>
    from !== undefined && until !== undefined && until <= from;
  return [
    ...(minAmount !== undefined && maxAmount !== undefined && isLess(maxAmount, minAmount)
      ? [{ field: "maxAmount", message: "must not be less than minAmount" }]
      : []),
    ...(isBackwards(createdFrom, createdUntil) ? [{ field: "until", message: "must be after from" }] : []),
    ...(isBackwards(changedFrom, changedUntil)
      ? [{ field: "changedUntil", message: "must be after changedFrom" }]
      : []),
  ];
}

type Test = (payment: FilteredPayment) => boolean;

/** Returns a test of one payment for each condition of a filter that applies. */
export function testsOf(filter: PaymentFilter, now: Date): Test[] {
  const { minAmount, maxAmount, idPrefix, isOverdue, isStuck } = filter;
  const overdue = plusMs(now, -overdueMs);
  return [
    ...equals(filter.paymentId, ({ _id }) => _id),
    ...equals(filter.status, ({ status }) => status),
    ...equals(filter.state, ({ state }) => state),
    ...equals(filter.type, ({ type }) => type),
    ...equals(filter.currency, ({ currency }) => currency),
    ...equals(filter.recipientCurrency, ({ payoutCurrency }) => payoutCurrency),
    ...equals(filter.countryCode, ({ payoutCountry }) => payoutCountry),
    ...equals(filter.method, ({ method }) => method),
    ...equals(filter.agentId, ({ agentId }) => agentId),
    ...equals(filter.reasonCode, ({ cause }) => cause?.code),
    ...within(filter.createdFrom, filter.createdUntil, ({ createdAt }) => createdAt),
    ...within(filter.changedFrom, filter.changedUntil, ({ updatedAt }) => updatedAt),
    ...(minAmount === undefined ? [] : [(payment: FilteredPayment) => !isLess(amountOf(payment), minAmount)]),
    ...(maxAmount === undefined ? [] : [(payment: FilteredPayment) => !isLess(maxAmount, amountOf(payment))]),
    ...(idPrefix === undefined ? [] : [({ externalId }: FilteredPayment) => externalId.startsWith(idPrefix)]),
    ...(isOverdue ? [({ dueAt }: FilteredPayment) => dueAt !== undefined && dueAt <= overdue] : []),
    ...(isStuck ? [({ escalatedAt }: FilteredPayment) => escalatedAt !== undefined] : []),
  ];
}

const equals = (wanted: string | undefined, read: (payment: FilteredPayment) => string | undefined): Test[] =>
  wanted === undefined ? [] : [(payment) => read(payment) === wanted];

const within = (from: Date | undefined, until: Date | undefined, read: (payment: FilteredPayment) => Date): Test[] => [
  ...(from === undefined ? [] : [(payment: FilteredPayment) => read(payment) >= from]),
  ...(until === undefined ? [] : [(payment: FilteredPayment) => read(payment) < until]),
];

export const amountOf = ({ amountMinor, currency }: FilteredPayment): Decimal => ({
  digits: amountMinor,
  scale: currencyDigits(currency) ?? 0,
});

const isLess = (one: Decimal, other: Decimal): boolean =>
  one.digits * 10n ** BigInt(other.scale) < other.digits * 10n ** BigInt(one.scale);

import { randomUUID } from "node:crypto";
import { createConnection } from "mongoose";
import type { ListPaymentsRequest, PaymentFilter } from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import type { Payment, PaymentBase } from "../../../services/payment/domain/payment";
import type { PaymentColumns } from "../../../services/payment/domain/payment-columns";
import { methodInWords } from "../../../services/payment/domain/payment-methods";
import type { PaymentStatus } from "../../../services/payment/domain/payment-status";
import type { PaymentType } from "../../../services/payment/domain/typed-legs";
import { listPaymentsHandler } from "../../../services/payment/handlers/list-payments";
import { makePaymentListStore } from "../../../services/payment/store/payment-list-store";
import { currencyDigits } from "../../../services/shared/kernel/money";
import type { TransactionState } from "../../../services/shared/kernel/transaction-states";
import type { DataKeys } from "../../../services/shared/storage/data-keys";
import { newPayment } from "../../support/payment-builder";

export const now = new Date("2026-03-09T12:00:00Z");
export const clock = { now: () => now };
export const minute = 60_000;

/** Numbers from 0 to below 1 that are the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const statuses: readonly PaymentStatus[] = ["PENDING", "CAPTURED", "DECLINED", "REFUNDED"];
export const states: readonly TransactionState[] = ["Completed", "PayoutRejected", "WaitingPayout", "Refunded"];
export const types: readonly PaymentType[] = ["PUSH", "PULL", "PULLPUSH"];
export const currencies = ["USD", "JPY", "KWD"];
const reasons = [undefined, "AC03", "AC04"];
export const agents = [undefined, "agent-1", "agent-2"];
export const tenants = ["demo", "other"];

/** A payment as columns keep it. */
export const filteredOf = (payment: Payment) => ({
  ...payment,
  _id: payment.id,
  currency: payment.amount.currency,
  amountMinor: payment.amount.minor,
  payoutCurrency: payment.payout?.amount.currency,
  payoutCountry: payment.payout?.countryCode,
  method: methodOf(payment),
  agentId: payment.agent?.id,
  dueAt: payment.execution.dueAt,
  escalatedAt: payment.execution.escalatedAt,
});

const methodOf = ({ payout }: Payment): string | undefined => payout && methodInWords(payout.method).type;

/** Payments by chance, the same in every run of a seed. */
export function rollPayments(seed: number) {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => {
    const [first] = values as [T];
    return values[Math.floor(random() * values.length)] ?? first;
  };
  const madeOf = (facts: Partial<PaymentBase>, type: PaymentType = pick(types)): Payment => {
    const { next } = newPayment(type, { id: randomUUID(), externalId: `order-${randomUUID()}`, ...facts });
    const rolled: Partial<PaymentBase> = {
      status: pick(statuses),
      state: pick(states),
      cause: { code: pick(reasons) ?? "", leg: "payout" },
      updatedAt: new Date(next.createdAt.getTime() + Math.floor(random() * 1_000) * minute),
      execution: {
        ...next.execution,
        dueAt: random() < 0.1 ? new Date(now.getTime() - Math.floor(random() * 10) * minute) : undefined,
        escalatedAt: random() < 0.05 ? now : undefined,
      },
    };
    const cause = rolled.cause?.code === "" ? undefined : rolled.cause;
    return { ...next, ...rolled, cause, ...facts };
  };
  return { random, pick, madeOf };
}

/** The same filters, once more and as plainly as can be. */
export const holds = (filter: PaymentFilter, payment: Payment): boolean => {
  const major = Number(payment.amount.minor) / 10 ** (currencyDigits(payment.amount.currency) ?? 0);
  const value = (decimal: PaymentFilter["minAmount"]): number =>
    decimal === undefined ? Number.NaN : Number(decimal.unscaled) / 10 ** decimal.scale;
  const { createdFrom, createdUntil, changedFrom, changedUntil, idPrefix = "" } = filter;
  return (
    (filter.status ?? payment.status) === payment.status &&
    (filter.transactionState ?? payment.state) === payment.state &&
    (filter.type ?? payment.type) === payment.type &&
    (filter.currency ?? payment.amount.currency) === payment.amount.currency &&
    (filter.recipientCurrency ?? payment.payout?.amount.currency) === payment.payout?.amount.currency &&
    (filter.countryCode ?? payment.payout?.countryCode) === payment.payout?.countryCode &&
    (filter.method ?? methodOf(payment)) === methodOf(payment) &&
    (filter.agentId ?? payment.agent?.id) === payment.agent?.id &&
    (filter.reasonCode ?? payment.cause?.code) === payment.cause?.code &&
    !(major < value(filter.minAmount)) &&
    !(major > value(filter.maxAmount)) &&
    (createdFrom === undefined || payment.createdAt.getTime() >= createdFrom.getTime()) &&
    (createdUntil === undefined || payment.createdAt.getTime() < createdUntil.getTime()) &&
    (changedFrom === undefined || payment.updatedAt.getTime() >= changedFrom.getTime()) &&
    (changedUntil === undefined || payment.updatedAt.getTime() < changedUntil.getTime()) &&
    payment.externalId.startsWith(idPrefix) &&
    (!filter.isOverdue || (payment.execution.dueAt?.getTime() ?? Number.NaN) <= now.getTime() - minute) &&
    (!filter.isStuck || payment.execution.escalatedAt !== undefined)
  );
};

export const filterOf = (changes: Partial<PaymentFilter>): PaymentFilter => ({
  status: undefined,
  transactionState: undefined,
  type: undefined,
  currency: undefined,
  recipientCurrency: undefined,
  minAmount: undefined,
  maxAmount: undefined,
  countryCode: undefined,
  method: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  changedFrom: undefined,
  changedUntil: undefined,
  agentId: undefined,
  reasonCode: undefined,
  idPrefix: undefined,
  isOverdue: false,
  isStuck: false,
  paymentId: undefined,
  ...changes,
});

export const request = (changes: Partial<ListPaymentsRequest>): ListPaymentsRequest => ({
  tenant: "demo",
  allTenants: false,
  filter: undefined,
  after: undefined,
  limit: 25,
  withPeople: false,
  ...changes,
});

export const newestFirst = (one: Payment, other: Payment): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

/** A page of a store with the columns or without them, and what it has read of indexes. */
export async function watchPages(
  uri: string,
  dbName: string,
  keys: Pick<DataKeys, "of" | "tenants">,
  present: () => PaymentColumns | undefined,
) {
  const options = { dbName, useBigInt64: true, monitorCommands: true };
  const watched = await createConnection(uri, options).asPromise();
  let reads: number[] = [];
  watched.getClient().on("commandStarted", ({ command }) => {
    if (command["find"] === undefined) return;
    const ids: unknown = command["filter"]?._id?.$in;
    reads.push(Array.isArray(ids) ? ids.length : Number(command["limit"]));
  });
  const read = listPaymentsHandler({ paymentLists: makePaymentListStore(watched, keys, present), clock });
  return {
    async page(changes: Partial<ListPaymentsRequest>) {
      reads = [];
      const page = await read(request(changes));
      return { ...page, read: reads.filter((count) => count > 0).reduce((sum, count) => sum + count, 0) };
    },
    stop: () => watched.close(),
  };
}

import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { FilteredPayment } from "../domain/payment-filter";
import { paymentCollection } from "./payment-store";

/** The fields of a payment that filters check, and the payment's tenant. */
export interface KeptPayment extends FilteredPayment {
  tenant: string;
}

/** Reads payments for a cache of the fields that filters check. */
export interface FilteredPaymentStore {
  /** Yields all payments, the oldest first, in large batches. */
  all(): AsyncIterable<KeptPayment[]>;
  find(ids: readonly string[]): Promise<KeptPayment[]>;
}

const looked = {
  tenant: 1,
  externalId: 1,
  status: 1,
  state: 1,
  type: 1,
  currency: 1,
  amountMinor: 1,
  payoutCurrency: 1,
  payoutCountry: 1,
  method: 1,
  createdAt: 1,
  updatedAt: 1,
  agentId: 1,
  "cause.code": 1,
  dueAt: 1,
  escalatedAt: 1,
} as const;

const atOnce = 1_000;

export function makeFilteredPaymentStore(connection: Connection): FilteredPaymentStore {
  const payments = paymentCollection(connection);
  return {
    all: () =>
      inBatches(
        payments
          .find({ createdAt: { $gt: beginningOfTime } }, { batchSize: atOnce })
          .sort({ createdAt: 1, _id: 1 })
          .project<KeptPayment>(looked),
      ),
    find: (ids) =>
      payments
        .find({ _id: { $in: [...ids] } })
        .project<KeptPayment>(looked)
        .toArray(),
  };
}

async function* inBatches<T>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    if (batch.push(row) < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { DataKeys } from "../../shared/storage/data-keys";
import type { Payment } from "../domain/payment";
import { paymentCollection, readAll } from "./payment-store";
import type { Place } from "./transaction-store";

/** Payments that wait for a person, of all tenants. */
export interface HoldStore {
  /** Lists the oldest payments first, after a place, without those that cannot be read. */
  list(after: Place | undefined, limit: number): Promise<Payment[]>;
}

const facts = { hashes: 0, answer: 0, actions: 0, events: 0, history: 0, attempts: 0 } as const;

export function makeHoldStore(connection: Connection, keys: Pick<DataKeys, "of">): HoldStore {
  const payments = paymentCollection(connection);
  return {
    async list(after, limit) {
      const behind =
        after === undefined
          ? { heldOf: { $gt: beginningOfTime } }
          : { $or: [{ heldOf: { $gt: after.createdAt } }, { heldOf: after.createdAt, _id: { $gt: after.id } }] };
      const found = payments.find(behind, { projection: facts }).sort({ heldOf: 1, _id: 1 }).limit(limit);
      return (await readAll(await found.toArray(), keys)).payments;
    },
  };
}

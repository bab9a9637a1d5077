import type { Connection } from "mongoose";
import type { Clock } from "../../shared/kernel/clock";
import type { DataKeys } from "../../shared/storage/data-keys";
import { findPaymentsHandler } from "../handlers/find-payments";
import { listHoldsHandler } from "../handlers/list-holds";
import { listPaymentsHandler } from "../handlers/list-payments";
import { makeHoldStore } from "../store/hold-store";
import { makePaymentListStore } from "../store/payment-list-store";

/** How payments are shown and found. */
export function listHandlers({ connection }: { connection: Connection }, keys: DataKeys, clock: Clock) {
  const paymentLists = makePaymentListStore(connection, keys);
  return {
    listPayments: listPaymentsHandler({ paymentLists, clock }),
    findPayments: findPaymentsHandler({ paymentLists }),
    listHolds: listHoldsHandler(makeHoldStore(connection, keys)),
  };
}

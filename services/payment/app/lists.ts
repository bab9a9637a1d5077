import type { Connection } from "mongoose";
import type { Bus } from "../../shared/bus/jetstream";
import type { Clock } from "../../shared/kernel/clock";
import type { Logger } from "../../shared/process/logger";
import type { DataKeys } from "../../shared/storage/data-keys";
import { makePaymentColumns } from "../domain/payment-columns";
import { findConversionsHandler } from "../handlers/find-conversions";
import { findPaymentsHandler } from "../handlers/find-payments";
import { listHoldsHandler } from "../handlers/list-holds";
import { listPaymentsHandler } from "../handlers/list-payments";
import { sumOpenConversionsHandler } from "../handlers/sum-open-conversions";
import { makeFilteredPaymentStore } from "../store/filtered-payment-store";
import { makeHoldStore } from "../store/hold-store";
import type { OpenConversionStore } from "../store/open-conversion-store";
import { makePaymentListStore } from "../store/payment-list-store";
import { type ColumnsKeeper, startColumnsKeeper } from "../workers/payment-columns-keeper";

/** Keeps in memory the fields that filters of lists check. */
export function openColumns({ connection }: { connection: Connection }, bus: Bus, subject: string, logger: Logger) {
  const store = makeFilteredPaymentStore(connection);
  return startColumnsKeeper({ columns: makePaymentColumns(), store, bus, subject, logger });
}

/** Handlers that show and find payments. */
export function listHandlers(
  { connection, conversions }: { connection: Connection; conversions: OpenConversionStore },
  keys: DataKeys,
  clock: Clock,
  { present }: Pick<ColumnsKeeper, "present">,
) {
  const paymentLists = makePaymentListStore(connection, keys, present);
  return {
    listPayments: listPaymentsHandler({ paymentLists, clock }),
    findPayments: findPaymentsHandler({ paymentLists }),
    listHolds: listHoldsHandler(makeHoldStore(connection, keys)),
    findConversions: findConversionsHandler(conversions),
    sumOpenConversions: sumOpenConversionsHandler(conversions),
  };
}

import { formatDecimal, parseDecimal } from "../../shared/money";
import type { EventName } from "./event-names";

/** Something that happened to one transaction. */
export interface TransactionEvent {
  id: string;
  /** Position among the transaction's events: 1, 2, 3 and so on. */
  sequence: number;
  occurredAt: Date;
  /** W3C traceparent of the work that caused it. */
  traceparent: string | undefined;
  messages: readonly string[];
  change: Change;
}

export type Change =
  | { kind: "status" | "compliance"; oldStatus: string | null; newStatus: string }
  | {
      kind: "payout";
      oldStatus: string | null;
      newStatus: string;
      gatewayPaymentId: string | null;
      gmtReceipt: string | null;
      /** `total` is plain decimal text. */
      amount: { total: string; currency: string } | null;
    };

/** An event that no subscription hears of; it only has its place among the others. */
export type SilentEvent = Omit<TransactionEvent, "change"> & { change: undefined };

export const isTold = (event: TransactionEvent | SilentEvent): event is TransactionEvent => event.change !== undefined;

/** The transaction that the events are about. */
export interface TransactionRef {
  tenant: string;
  transactionId: string;
  externalTransactionId: string | null;
}

const names: Record<Change["kind"], EventName> = {
  status: "TransactionStatusChanged",
  compliance: "TransactionComplianceStatusChangedEvent",
  payout: "TransactionPayoutStatusChanged",
};

/** The name under which an event is subscribed to. */
export const eventNameOf = ({ change }: TransactionEvent): EventName => names[change.kind];

/**
 * The body of a delivery: compact JSON, fields as the specification lists them. `spelling` is the event's name as the
 * subscription registered it.
 */
export function deliveryBody(spelling: string, transaction: TransactionRef, event: TransactionEvent): string {
  const common = {
    event: spelling,
    transactionId: transaction.transactionId,
    externalTransactionId: transaction.externalTransactionId,
    tenantId: transaction.tenant,
  };
  const newStatusMessages = event.messages;
  const { change } = event;
  switch (change.kind) {
    case "status":
      return JSON.stringify({
        ...common,
        oldStatus: change.oldStatus,
        newStatus: change.newStatus,
        newStatusMessages,
      });
    case "compliance":
      return JSON.stringify({
        ...common,
        oldComplianceStatus: change.oldStatus,
        newComplianceStatus: change.newStatus,
        newStatusMessages,
      });
    case "payout": {
      const fields = JSON.stringify({
        ...common,
        oldPayoutStatus: change.oldStatus,
        newPayoutStatus: change.newStatus,
        newStatusMessages,
        gatewayPaymentId: change.gatewayPaymentId,
        gmtReceipt: change.gmtReceipt,
      });
      return `${fields.slice(0, -1)},"amount":${amountJson(change.amount)}}`;
    }
  }
}

/** Written by hand, since a float in between could change the total. */
function amountJson(amount: { total: string; currency: string } | null): string {
  if (amount === null) return "null";
  const total = parseDecimal(amount.total);
  if (total === undefined) throw new Error("the total of a payout is not a plain decimal");
  return `{"total":${formatDecimal(total)},"currency":${JSON.stringify(amount.currency)}}`;
}

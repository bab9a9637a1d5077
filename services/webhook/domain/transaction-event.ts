import { formatDecimal, parseDecimal } from "../../shared/kernel/money";
import { fieldsOf, type Notification, roomBeside } from "./event";

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

/** Why the change differs from the request. */
export interface ChangeReason {
  code: string;
  whoseMove: string;
  sentence: string;
}

/** The transaction that changed. */
export interface Transaction {
  tenant: string;
  transactionId: string;
  externalTransactionId: string | null;
}

/**
 * The notification of a change; fields in the order of the specification. `messages` are texts for people: the first that
 * does not fit into the body and all after it are left out, since no other field can grow so long.
 */
export function changeNotification(
  transaction: Transaction,
  change: Change,
  messages: readonly string[],
  reason?: ChangeReason,
): Notification {
  let room = roomBeside(tellWhole(transaction, change, [], reason).fields);
  const tooLong = messages.findIndex((message) => {
    room -= Buffer.byteLength(JSON.stringify(message)) + 1;
    return room < 0;
  });
  return tellWhole(transaction, change, tooLong === -1 ? messages : messages.slice(0, tooLong), reason);
}

function tellWhole(
  transaction: Transaction,
  change: Change,
  messages: readonly string[],
  reason: ChangeReason | undefined,
): Notification {
  const common = {
    transactionId: transaction.transactionId,
    externalTransactionId: transaction.externalTransactionId,
    tenantId: transaction.tenant,
  };
  const { oldStatus, newStatus } = change;
  const newStatusMessages = messages;
  const why =
    reason === undefined
      ? {}
      : { reasonCode: reason.code, whoseMove: reason.whoseMove, reasonMessage: reason.sentence };
  switch (change.kind) {
    case "status":
      return {
        name: "TransactionStatusChanged",
        fields: fieldsOf({ ...common, oldStatus, newStatus, newStatusMessages, ...why }),
      };
    case "compliance": {
      const statuses = { oldComplianceStatus: oldStatus, newComplianceStatus: newStatus };
      return {
        name: "TransactionComplianceStatusChangedEvent",
        fields: fieldsOf({ ...common, ...statuses, newStatusMessages, ...why }),
      };
    }
    case "payout": {
      const { gatewayPaymentId, gmtReceipt } = change;
      const statuses = { oldPayoutStatus: oldStatus, newPayoutStatus: newStatus };
      const fields = fieldsOf({ ...common, ...statuses, newStatusMessages, ...why, gatewayPaymentId, gmtReceipt });
      return {
        name: "TransactionPayoutStatusChanged",
        fields: `${fields.slice(0, -1)},"amount":${amountJson(change.amount)}}`,
      };
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

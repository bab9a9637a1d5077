import type { TransactionState } from "../../shared/kernel/transaction-states";
import type { PaymentType } from "./typed-legs";

export type PaymentStatus = "PENDING" | "AUTHORIZED" | "CAPTURED" | "REFUNDED" | "VOIDED" | "DECLINED" | "ERROR";

const statusByState: Readonly<Record<PaymentType, Partial<Record<TransactionState, PaymentStatus>>>> = {
  PUSH: {
    Paid: "CAPTURED",
    PayoutRejected: "DECLINED",
    ReviewRejected: "DECLINED",
    Cancelled: "VOIDED",
    Refunded: "REFUNDED",
    Error: "ERROR",
  },
  PULL: {
    PaymentAuthorized: "AUTHORIZED",
    PaymentCaptured: "CAPTURED",
    PaymentDeclined: "DECLINED",
    Cancelled: "VOIDED",
    Voided: "VOIDED",
    Refunded: "REFUNDED",
    Error: "ERROR",
  },
  PULLPUSH: {
    PaymentDeclined: "DECLINED",
    PayoutRejected: "DECLINED",
    ReviewRejected: "DECLINED",
    Paid: "CAPTURED",
    Cancelled: "VOIDED",
    Voided: "VOIDED",
    Refunded: "REFUNDED",
    Error: "ERROR",
  },
};

/**
 * Returns the payment's status after it has reached a state (contract section 5). After a refusal, only giving money back changes the
 * status.
 */
export function statusAfter(
  { type, status }: { type: PaymentType; status: PaymentStatus },
  state: TransactionState,
): PaymentStatus {
  const next = statusByState[type][state] ?? status;
  return status === "DECLINED" && next === "VOIDED" ? "DECLINED" : next;
}

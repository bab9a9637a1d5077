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

/** Payment status after a state has been reached (contract section 5). Only giving money back follows a refusal. */
export function statusAfter(
  { type, status }: { type: PaymentType; status: PaymentStatus },
  state: TransactionState,
): PaymentStatus {
  const next = statusByState[type][state] ?? status;
  return status === "DECLINED" && next === "VOIDED" ? "DECLINED" : next;
}

import type { Transaction as WireTransaction } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { externalTransactionId } from "../domain/payment";
import { openChallenge } from "../domain/receipt";
import type { Transaction } from "../store/transaction-store";
import { encodeMoney } from "./money-codec";
import { encodeReason } from "./reason-codec";

export function encodeTransaction({ payment, metadata }: Transaction): WireTransaction {
  return {
    transactionId: payment.id,
    externalTransactionId: externalTransactionId(payment),
    externalPaymentId: payment.externalId,
    paymentType: payment.type,
    status: payment.state,
    complianceStatus: payment.compliance,
    payoutStatus: payment.payoutStatus,
    paymentStatus: payment.status,
    amount: encodeMoney(payment.amount),
    recipientAmount: payment.payout === undefined ? undefined : encodeMoney(payment.payout.amount),
    quoteId: payment.quoteId,
    redirectAcsUrl: openChallenge(payment),
    reason: encodeReason(payment.cause),
    metadata: { ...metadata },
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
  };
}

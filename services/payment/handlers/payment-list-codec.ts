import type { Decimal as WireDecimal } from "../../../proto/gen/corridor/common/v1/money";
import type {
  PaymentFilter as WireFilter,
  ListedPayment as WireListed,
} from "../../../proto/gen/corridor/payment/v1/payment_list_service";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { Decimal } from "../../shared/kernel/money";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import { filterProblems, type PaymentFilter } from "../domain/payment-filter";
import type { PaymentStatus } from "../domain/payment-status";
import type { PaymentType } from "../domain/typed-legs";
import type { ListedPayment } from "../store/payment-list-store";
import { encodeReason } from "./reason-codec";

/** Contains every status, so that a missing one does not compile. */
const statuses: Readonly<Record<PaymentStatus, true>> = {
  PENDING: true,
  AUTHORIZED: true,
  CAPTURED: true,
  REFUNDED: true,
  VOIDED: true,
  DECLINED: true,
  ERROR: true,
};
const types: Readonly<Record<PaymentType, true>> = { PUSH: true, PULL: true, PULLPUSH: true };
const states: Readonly<Record<TransactionState, unknown>> = transactionMoves;

/** Reads a filter. Throws INVALID_ARGUMENT with every violation. */
export function decodeFilter(wire: WireFilter | undefined): PaymentFilter {
  const violations: FieldViolation[] = [];
  const known = <Word extends string>(
    field: string,
    words: Readonly<Record<Word, unknown>>,
    text: string | undefined,
  ): Word | undefined => {
    if (text === undefined) return undefined;
    if (Object.hasOwn(words, text)) return text as Word;
    violations.push({ field, message: `must be one of ${Object.keys(words).join(", ")}` });
    return undefined;
  };
  const decimal = (field: string, value: WireDecimal | undefined): Decimal | undefined => {
    if (value === undefined) return undefined;
    const { unscaled: digits, scale } = value;
    if (digits >= 0n && scale >= 0 && scale <= 18) return { digits, scale };
    violations.push({ field, message: "must be a decimal that is not negative" });
    return undefined;
  };
  const filter: PaymentFilter = {
    status: known("status", statuses, wire?.status),
    state: known("state", states, wire?.transactionState),
    type: known("type", types, wire?.type),
    currency: wire?.currency,
    recipientCurrency: wire?.recipientCurrency,
    minAmount: decimal("minAmount", wire?.minAmount),
    maxAmount: decimal("maxAmount", wire?.maxAmount),
    countryCode: wire?.countryCode,
    method: wire?.method,
    createdFrom: wire?.createdFrom,
    createdUntil: wire?.createdUntil,
    changedFrom: wire?.changedFrom,
    changedUntil: wire?.changedUntil,
    agentId: wire?.agentId,
    reasonCode: wire?.reasonCode,
    idPrefix: wire?.idPrefix,
    isOverdue: wire?.isOverdue ?? false,
    isStuck: wire?.isStuck ?? false,
    paymentId: wire?.paymentId,
  };
  const problems = [...violations, ...filterProblems(filter)];
  if (problems.length > 0) throw invalid(problems);
  return filter;
}

export function encodeListed(payment: ListedPayment): WireListed {
  const { people, pull, cause, amountMinor, currency, payoutMinor, payoutCurrency, method } = payment;
  return {
    paymentId: payment._id,
    tenant: payment.tenant,
    externalPaymentId: payment.externalId,
    type: payment.type,
    status: payment.status,
    transactionState: payment.state,
    complianceStatus: payment.compliance,
    payoutStatus: payment.payout,
    amount: { amountMinor, currency },
    recipientAmount:
      payoutMinor === undefined ? undefined : { amountMinor: payoutMinor, currency: payoutCurrency ?? currency },
    recipient:
      method === undefined
        ? undefined
        : {
            method,
            countryCode: payment.payoutCountry ?? "",
            nameMasked: people?.recipientName,
            accountMasked: people?.account,
          },
    source:
      pull === undefined
        ? undefined
        : { type: pull.provider === "acquirer" ? "CARD" : "ACCOUNT", cardLastFour: pull.card?.lastFour },
    senderNameMasked: people?.senderName,
    agentId: payment.agentId,
    quoteId: payment.quoteId,
    reason: encodeReason(cause),
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
    dueAt: payment.dueAt,
    escalatedAt: payment.escalatedAt,
  };
}

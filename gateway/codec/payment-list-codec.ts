import type { ListedPayment, PaymentFilter } from "../../proto/gen/corridor/payment/v1/payment_list_service";
import { formatMoney, money, parseDecimal } from "../../services/shared/kernel/money";
import type { Answered, Infer } from "../contract/infer";
import { instantOfQuery } from "../contract/instant-of-query";
import * as contracts from "../contract/payment-list";
import { paymentStatuses } from "../contract/payment-receipt";
import { paymentTypes, transactionStates } from "../contract/transactions";
import { amountJson } from "../render-amount";
import { renderReason } from "../render-reason";
import { knownWord } from "./known-word";

type Query = Omit<Infer<typeof contracts.operatorPaymentListQuery>, "after" | "limit" | "tenant">;

/** Returns the filters of a query, which its schema has checked, as a message. */
export const toPaymentFilter = (query: Query): PaymentFilter => ({
  status: query.status,
  transactionState: query.state,
  type: query.type,
  currency: query.currency,
  recipientCurrency: query.recipientCurrency,
  minAmount: decimalOf(query.minAmount),
  maxAmount: decimalOf(query.maxAmount),
  countryCode: query.country,
  method: query.method,
  createdFrom: instantOf(query.from),
  createdUntil: instantOf(query.until),
  changedFrom: instantOf(query.changedFrom),
  changedUntil: instantOf(query.changedUntil),
  agentId: query.agentId,
  reasonCode: query.reasonCode,
  idPrefix: query.idPrefix,
  isOverdue: query.overdue ?? false,
  isStuck: query.stuck ?? false,
  paymentId: undefined,
});

const instantOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : instantOfQuery(text);

function decimalOf(text: string | undefined): PaymentFilter["minAmount"] {
  const decimal = text === undefined ? undefined : parseDecimal(text);
  return decimal && { unscaled: decimal.digits, scale: decimal.scale };
}

export function renderListed(payment: ListedPayment): Answered<typeof contracts.listedPayment> {
  const { recipient, source, createdAt, updatedAt } = payment;
  if (createdAt === undefined || updatedAt === undefined) throw new Error("the payment service sent no times");
  return {
    paymentId: payment.paymentId,
    externalPaymentId: payment.externalPaymentId,
    paymentType: knownWord(paymentTypes, payment.type),
    status: knownWord(paymentStatuses, payment.status),
    transactionState: knownWord(transactionStates, payment.transactionState),
    complianceStatus: payment.complianceStatus,
    payoutStatus: payment.payoutStatus ?? null,
    amount: amountJson(payment.amount),
    recipientAmount: payment.recipientAmount === undefined ? null : amountJson(payment.recipientAmount),
    recipient:
      recipient === undefined
        ? null
        : {
            method: knownWord(contracts.payoutMethods, recipient.method),
            countryCode: recipient.countryCode,
            name: recipient.nameMasked,
            account: recipient.accountMasked,
          },
    source:
      source === undefined
        ? null
        : { type: knownWord(contracts.sources, source.type), lastFourDigits: source.cardLastFour },
    agentId: payment.agentId ?? null,
    fxId: payment.quoteId ?? null,
    createdAt,
    updatedAt,
    senderName: payment.senderNameMasked,
    ...renderReason(payment.reason),
  };
}

export const renderOperatorListed = (payment: ListedPayment): Answered<typeof contracts.operatorListedPayment> => ({
  tenant: payment.tenant,
  ...renderListed(payment),
  dueAt: payment.dueAt ?? null,
  escalatedAt: payment.escalatedAt ?? null,
});

type Column = readonly [name: string, cell: (payment: ListedPayment) => string | undefined];

const total = (amount: ListedPayment["amount"]): string | undefined =>
  amount && formatMoney(money(amount.amountMinor, amount.currency));

/** The columns of the list as text. */
export const paymentColumns: readonly Column[] = [
  ["createdAt", ({ createdAt }) => createdAt?.toISOString()],
  ["paymentId", ({ paymentId }) => paymentId],
  ["externalPaymentId", ({ externalPaymentId }) => externalPaymentId],
  ["paymentType", ({ type }) => type],
  ["status", ({ status }) => status],
  ["transactionState", ({ transactionState }) => transactionState],
  ["complianceStatus", ({ complianceStatus }) => complianceStatus],
  ["payoutStatus", ({ payoutStatus }) => payoutStatus],
  ["amount", ({ amount }) => total(amount)],
  ["currency", ({ amount }) => amount?.currency],
  ["recipientAmount", ({ recipientAmount }) => total(recipientAmount)],
  ["recipientCurrency", ({ recipientAmount }) => recipientAmount?.currency],
  ["recipientName", ({ recipient }) => recipient?.nameMasked],
  ["recipientMethod", ({ recipient }) => recipient?.method],
  ["recipientAccount", ({ recipient }) => recipient?.accountMasked],
  ["recipientCountry", ({ recipient }) => recipient?.countryCode],
  ["senderName", ({ senderNameMasked }) => senderNameMasked],
  ["sourceType", ({ source }) => source?.type],
  ["sourceLastFourDigits", ({ source }) => source?.cardLastFour],
  ["agentId", ({ agentId }) => agentId],
  ["fxId", ({ quoteId }) => quoteId],
  ["reasonCode", ({ reason }) => reason?.code],
  ["updatedAt", ({ updatedAt }) => updatedAt?.toISOString()],
];

/** The same for operators: the tenant of each payment comes first. */
export const operatorPaymentColumns: readonly Column[] = [["tenant", ({ tenant }) => tenant], ...paymentColumns];

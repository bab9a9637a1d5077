import type { PaymentFilter } from "../../services/payment/domain/payment-filter";

/** A list filter that every payment passes. */
export const anyPayment: PaymentFilter = {
  status: undefined,
  state: undefined,
  type: undefined,
  currency: undefined,
  recipientCurrency: undefined,
  minAmount: undefined,
  maxAmount: undefined,
  countryCode: undefined,
  method: undefined,
  createdFrom: undefined,
  createdUntil: undefined,
  changedFrom: undefined,
  changedUntil: undefined,
  agentId: undefined,
  reasonCode: undefined,
  idPrefix: undefined,
  isOverdue: false,
  isStuck: false,
  paymentId: undefined,
};

import type { Payment } from "../../../services/payment/domain/payment";
import type { Step } from "../../../services/payment/domain/steps";
import { accountPull, cardPull, newPayment } from "../../support/payment-builder";
import type { StandInAnswer } from "../../support/stand-in";

const refund = {
  id: "refund-1",
  externalId: "r",
  minor: 1_000n,
  askedMinor: undefined,
  reason: undefined,
  status: "PENDING",
  requestedAt: new Date(0),
  settledAt: undefined,
} as const;
export const push = newPayment("PUSH").next;
/** A pull by card, authorised, with a refund under way. */
export const card: Payment = { ...newPayment("PULL").next, pull: cardPull({ authorizedAt: new Date(0) }), refunds: [refund] };
export const debit: Payment = {
  ...newPayment("PULL").next,
  refunds: [refund],
  pull: accountPull({
    source: { kind: "bank", routingNumber: "1", accountNumber: "2", accountType: "c", holder: "A" },
  }),
};
export const { id } = push;

export const authorization = { reference: id, acquirerId: "A1", status: "AUTHORIZED", amount: "100.00", currency: "USD" };
export const captured = {
  ...authorization,
  status: "CAPTURED",
  captures: [{ reference: `${id}.capture`, movementId: "m1", amount: "100.00", currency: "USD" }],
  refunds: [],
};
export const accepted = {
  reference: id,
  debitId: "D1",
  status: "ACCEPTED",
  amount: "100.00",
  currency: "USD",
  captures: [{ reference: id, movementId: "m1", amount: "100.00", currency: "USD" }],
  returns: [],
  refunds: [],
};
export const instruction = { reference: id, railId: "R1", status: "PREPARED", amount: "543.21", currency: "BRL" };
export const paid = {
  ...instruction,
  status: "PAID",
  payouts: [{ movementId: "m1", amount: "543.21", currency: "BRL" }],
  returns: [],
};

/** An answer of a provider, and what its table makes of it. */
export type Row = [
  name: string,
  provider: "acquirer" | "debits" | "rail",
  approach: "perform" | "ask",
  step: Step,
  answer: StandInAnswer,
  word: string,
];
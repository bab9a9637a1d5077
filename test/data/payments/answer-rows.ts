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
const { id } = push;

export const authorization = { reference: id, acquirerId: "A1", status: "AUTHORIZED", amount: "100.00", currency: "USD" };
const captured = {
  ...authorization,
  status: "CAPTURED",
  captures: [{ reference: `${id}.capture`, movementId: "m1", amount: "100.00", currency: "USD" }],
  refunds: [],
};
const accepted = {
  reference: id,
  debitId: "D1",
  status: "ACCEPTED",
  amount: "100.00",
  currency: "USD",
  captures: [{ reference: id, movementId: "m1", amount: "100.00", currency: "USD" }],
  returns: [],
  refunds: [],
};
const instruction = { reference: id, railId: "R1", status: "PREPARED", amount: "543.21", currency: "BRL" };
const paid = {
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

/** What no table knows: of any call of any provider. */
export const strange: readonly StandInAnswer[] = [
  ...[401, 403, 404, 407, 409, 410, 422, 425, 429, 451].map((status) => ({
    status,
    body: { error: "something_else" },
  })),
  ...[401, 403, 404, 409, 422, 429].map((status) => ({ status, body: "<html>no</html>" })),
  ...[200, 201, 202, 204].map((status) => ({ status, body: "" })),
  { status: 200, body: {} },
  { status: 200, body: [] },
  { status: 200, body: "<html>ok</html>" },
  { status: 200, body: '{"reference":"' },
  { status: 200, body: { reference: "somebody-else", status: "CAPTURED", amount: "100.00", currency: "USD" } },
  { status: 200, body: { reference: id, status: "SOMETHING_NEW", amount: "100.00", currency: "USD" } },
  { status: 200, body: { reference: id, status: "PAID" } },
  { status: 200, body: { filler: "x".repeat(70_000) } },
  { status: 500, body: { reference: id, status: "PAID" } },
  { status: 503, body: "" },
];

export const calls: readonly (readonly ["acquirer" | "debits" | "rail", "perform" | "ask", Step])[] = [
  ...(["authorize", "capture", "void", "refund"] as const).flatMap(
    (step) =>
      [
        ["acquirer", "perform", step],
        ["acquirer", "ask", step],
      ] as const,
  ),
  ...(["authorize", "capture", "refund"] as const).flatMap(
    (step) =>
      [
        ["debits", "perform", step],
        ["debits", "ask", step],
      ] as const,
  ),
  ...(["prepare", "release", "cancel"] as const).flatMap(
    (step) =>
      [
        ["rail", "perform", step],
        ["rail", "ask", step],
      ] as const,
  ),
];

export const known: readonly Row[] = [
  ["an authorisation", "acquirer", "perform", "authorize", { status: 201, body: authorization }, "AUTHORIZED"],
  [
    "an authorisation that was captured too",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: captured },
    "AUTHORIZED CAPTURED",
  ],
  [
    "an authorisation in another currency",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: { ...authorization, currency: "EUR" } },
    "unknown",
  ],
  [
    "a challenge without its page",
    "acquirer",
    "perform",
    "authorize",
    { status: 201, body: { ...authorization, status: "CHALLENGE" } },
    "unknown",
  ],
  [
    "a token of nobody",
    "acquirer",
    "perform",
    "authorize",
    { status: 422, body: { error: "unknown_token" } },
    "refused unknown_token",
  ],
  [
    "a capture",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: `${id}.capture`, status: "CAPTURED", amount: "100.00", currency: "USD" } },
    "CAPTURED",
  ],
  [
    "a capture of another order",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: "other.capture", status: "CAPTURED", amount: "100.00", currency: "USD" } },
    "unknown",
  ],
  [
    "a capture without its currency",
    "acquirer",
    "perform",
    "capture",
    { status: 201, body: { reference: `${id}.capture`, status: "CAPTURED", amount: "100.00" } },
    "unknown",
  ],
  [
    "a capture of what was voided",
    "acquirer",
    "perform",
    "capture",
    { status: 409, body: { error: "not_capturable", status: "VOIDED" } },
    "refused not_capturable",
  ],
  [
    "a capture of what was captured otherwise",
    "acquirer",
    "perform",
    "capture",
    { status: 409, body: { error: "not_capturable", status: "CAPTURED" } },
    "unknown",
  ],
  [
    "a capture that is too high",
    "acquirer",
    "perform",
    "capture",
    { status: 422, body: { error: "amount_too_high" } },
    "refused amount_too_high",
  ],
  [
    "a void of what was voided",
    "acquirer",
    "perform",
    "void",
    { status: 409, body: { error: "not_voidable", status: "VOIDED" } },
    "VOIDED",
  ],
  [
    "a void of what was captured",
    "acquirer",
    "perform",
    "void",
    { status: 409, body: { error: "not_voidable", status: "CAPTURED" } },
    "unknown",
  ],
  [
    "a refund",
    "acquirer",
    "perform",
    "refund",
    { status: 201, body: { reference: "refund-1", status: "REFUNDED", amount: "10.00", currency: "USD" } },
    "REFUNDED",
  ],
  [
    "a refund of nothing",
    "acquirer",
    "perform",
    "refund",
    { status: 201, body: { reference: "refund-1", status: "REFUNDED", amount: "0.00", currency: "USD" } },
    "unknown",
  ],
  ["its own not found", "acquirer", "ask", "capture", { status: 404, body: { error: "not_found" } }, "absent"],
  [
    "an open authorisation, asked about a capture",
    "acquirer",
    "ask",
    "capture",
    { status: 200, body: authorization },
    "absent",
  ],
  [
    "a captured one, asked about a void",
    "acquirer",
    "ask",
    "void",
    { status: 200, body: captured },
    "AUTHORIZED CAPTURED",
  ],
  ["a captured one, asked about a refund", "acquirer", "ask", "refund", { status: 200, body: captured }, "absent"],
  [
    "a voided one, asked about a capture",
    "acquirer",
    "ask",
    "capture",
    { status: 200, body: { ...authorization, status: "VOIDED" } },
    "refused not_capturable",
  ],
  [
    "a list that is none",
    "acquirer",
    "ask",
    "refund",
    { status: 200, body: { ...captured, refunds: "none" } },
    "unknown",
  ],
  ["a debit", "debits", "perform", "authorize", { status: 201, body: accepted }, "CAPTURED"],
  [
    "a settled debit",
    "debits",
    "ask",
    "capture",
    { status: 200, body: { ...accepted, status: "SETTLED" } },
    "CAPTURED SETTLED",
  ],
  [
    "a rejected debit",
    "debits",
    "perform",
    "authorize",
    { status: 201, body: { ...accepted, status: "REJECTED", captures: [] } },
    "DECLINED",
  ],
  [
    "a debit that the scheme voided",
    "debits",
    "ask",
    "capture",
    { status: 200, body: { ...accepted, status: "VOIDED" } },
    "CAPTURED VOIDED",
  ],
  [
    "a returned debit",
    "debits",
    "ask",
    "capture",
    {
      status: 200,
      body: {
        ...accepted,
        status: "RETURNED",
        returns: [{ reference: id, movementId: "m2", amount: "100.00", currency: "USD" }],
      },
    },
    "CAPTURED RETURNED",
  ],
  [
    "a debit in another currency",
    "debits",
    "perform",
    "authorize",
    { status: 201, body: { ...accepted, currency: "EUR", captures: [] } },
    "unknown",
  ],
  [
    "a malformed debit",
    "debits",
    "perform",
    "authorize",
    { status: 400, body: { error: "invalid_request" } },
    "refused invalid_request",
  ],
  [
    "a debit's refund that cannot be",
    "debits",
    "perform",
    "refund",
    { status: 409, body: { error: "not_refundable" } },
    "refused not_refundable",
  ],
  [
    "a refund of a debit",
    "debits",
    "perform",
    "refund",
    { status: 201, body: { reference: "refund-1", status: "REFUNDED", amount: "10.00", currency: "USD" } },
    "REFUNDED",
  ],
  ["a prepared order", "rail", "perform", "prepare", { status: 201, body: instruction }, "PREPARED"],
  [
    "a refused order",
    "rail",
    "perform",
    "prepare",
    { status: 422, body: { reference: id, status: "REFUSED", reasonCode: "AC03" } },
    "refused REFUSED",
  ],
  [
    "a malformed order",
    "rail",
    "perform",
    "prepare",
    { status: 400, body: { error: "invalid_request" } },
    "refused invalid_request",
  ],
  [
    "an order that lacks what its country asks for",
    "rail",
    "perform",
    "prepare",
    { status: 422, body: { error: "incomplete_instruction", reasonCode: "RR03" } },
    "refused incomplete_instruction",
  ],
  [
    "an order under a reference with other content",
    "rail",
    "perform",
    "prepare",
    { status: 409, body: { error: "reference_conflict" } },
    "conflict",
  ],
  [
    "other content, to a release",
    "rail",
    "perform",
    "release",
    { status: 409, body: { error: "reference_conflict" } },
    "unknown",
  ],
  ["400 to a release", "rail", "perform", "release", { status: 400, body: { error: "invalid_request" } }, "unknown"],
  [
    "a release",
    "rail",
    "perform",
    "release",
    { status: 202, body: { ...instruction, status: "RELEASED" } },
    "RELEASED",
  ],
  [
    "a release of what was paid, without the movement",
    "rail",
    "perform",
    "release",
    { status: 202, body: { ...instruction, status: "PAID" } },
    "unknown",
  ],
  ["a paid order", "rail", "ask", "release", { status: 200, body: paid }, "PAID"],
  [
    "a paid order in another currency",
    "rail",
    "ask",
    "release",
    { status: 200, body: { ...paid, payouts: [{ movementId: "m1", amount: "543.21", currency: "USD" }] } },
    "unknown",
  ],
  [
    "a returned order",
    "rail",
    "ask",
    "release",
    {
      status: 200,
      body: { ...paid, status: "RETURNED", returns: [{ movementId: "m2", amount: "543.21", currency: "BRL" }] },
    },
    "PAID RETURNED",
  ],
  [
    "a cancel that comes too late",
    "rail",
    "perform",
    "cancel",
    { status: 409, body: { error: "already_released", ...instruction, status: "RELEASED" } },
    "RELEASED",
  ],
  ["its own not found of a release", "rail", "ask", "release", { status: 404, body: { error: "not_found" } }, "absent"],
];

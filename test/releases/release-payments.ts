import type { TransactionState } from "../../services/shared/kernel/transaction-states";
import { bankSource, cardPullBody, cardSource, pullPushBody } from "../support/payment-bodies";
import { freshId, type PlatformClient, pushBody } from "../support/platform-client";

type Body = Record<string, unknown>;

/** A payment of a release's data, and where it stands when the release stops. */
export interface ReleasePayment {
  name: string;
  stands: TransactionState;
  body(client: PlatformClient): Promise<Body>;
  /** What its caller asks for, once it stands where that may be asked. */
  command?: { at: TransactionState; action: "void" | "refund" | "cancel"; body?: Body };
  isOfAgent?: true;
}

/** What is given back beyond this, in minor units, waits for a person. */
export const reversalLimit = 15_000;

const about = (text: string): object => ({ additionalData: { statementNarrative: text } });
const push = (text: string, changes: object = {}) => {
  return async (client: PlatformClient): Promise<Body> =>
    pushBody(freshId(), await client.quote(), { ...about(text), ...changes });
};
const pull = (digit: string, changes: object = {}) => {
  return async (): Promise<Body> => cardPullBody(digit, changes);
};
const pullPush = (source: object, text = "", changes: object = {}) => {
  return async (): Promise<Body> => pullPushBody(source, { ...about(text), ...changes });
};
const twice = { amount: { total: 200, currency: "USD" }, recipientAmount: { total: 1_000, currency: "BRL" } };
/** Named by the screening list of the sandbox. */
const listed = {
  ...Object(pushBody("", { fxId: "", conversionRate: 1 })["recipient"]),
  firstName: "Aleksandr",
  lastName: "Vymyshlenny",
};

/** Providers answer and report as they should: each of these comes to its end. */
export const endedPayments: readonly ReleasePayment[] = [
  { name: "a push that is paid", body: push("SIM:paid"), stands: "Completed" },
  { name: "a push that its rail refuses", body: push("SIM:reject-account"), stands: "Cancelled" },
  { name: "a push that its rail held and refused", body: push("SIM:hold-reject"), stands: "Cancelled" },
  { name: "a push that a review rejected", body: push("SIM:review-reject"), stands: "Cancelled" },
  { name: "a push that came back", body: push("SIM:return-after-paid"), stands: "Refunded" },
  { name: "a push that its rail forgot", body: push("SIM:timeout-then-absent"), stands: "Error" },
  { name: "a pull that is captured", body: pull("1"), stands: "Completed" },
  { name: "a pull that is declined", body: pull("3"), stands: "PaymentDeclined" },
  {
    name: "a pull that is voided",
    body: pull("1", { capture: false }),
    command: { at: "PaymentAuthorized", action: "void" },
    stands: "Voided",
  },
  {
    name: "a pull that is given back in part",
    body: pull("1"),
    command: { at: "Completed", action: "refund", body: { amount: 20 } },
    stands: "Completed",
  },
  { name: "a card's money that is paid out", body: pullPush(cardSource("1")), stands: "Completed" },
  { name: "an account's money that is paid out", body: pullPush(bankSource()), stands: "Completed" },
];

const providers = ["pix", "acquirer", "debits", "screening"];
const away = (provider: string, step: string, mark?: string): object => ({
  ...{ provider, step, execute: false },
  ...(mark === undefined ? {} : { mark }),
});

/** What providers stop doing, and payments that are accepted then: each stands somewhere on its way. */
export const paymentsInFlight: readonly { faults: readonly object[]; payments: readonly ReleasePayment[] }[] = [
  {
    faults: [{ provider: "pix", step: "settle", mark: "rejected", refuse: true }],
    payments: [
      {
        name: "a card's money whose return a person is to allow",
        body: pullPush(cardSource("1"), "FAULT:rejected", twice),
        stands: "PendingReversalApproval",
      },
    ],
  },
  {
    // Nobody reports, nobody says what became of an order, nothing is taken back, and marked orders find their step away.
    faults: [
      ...providers.flatMap((provider) => ["callback", "query"].map((step) => away(provider, step))),
      away("pix", "cancel", "cancel"),
      away("acquirer", "refund"),
      away("debits", "void"),
      away("debits", "refund"),
      away("pix", "prepare", "prepare"),
      away("pix", "release", "release"),
      away("screening", "screen", "screen"),
      { provider: "pix", step: "release", mark: "unheard", answer: { kind: "lost" } },
      { provider: "pix", step: "prepare", mark: "refused", refuse: true },
    ],
    payments: [
      { name: "a push that its rail does not take", body: push("FAULT:prepare"), stands: "ProcessingPayout" },
      { name: "a push that its rail holds", body: push("SIM:hold-release"), stands: "PayoutHold" },
      { name: "a push that nobody screens", body: push("FAULT:screen"), stands: "PayoutAccepted" },
      { name: "a push under review", body: push("SIM:review-approve"), stands: "ManualReview" },
      { name: "a push to somebody listed", body: push("", { recipient: listed }), stands: "BlockedPendingReview" },
      { name: "a push that is not released", body: push("FAULT:release"), stands: "ReviewApproved" },
      { name: "a push that is released unheard", body: push("FAULT:unheard"), stands: "ReviewApproved" },
      { name: "a push that is on its way", body: push(""), stands: "WaitingPayout" },
      {
        name: "a push of an agent that is not cancelled",
        body: push("SIM:hold-release FAULT:cancel"),
        isOfAgent: true,
        command: { at: "PayoutHold", action: "cancel" },
        stands: "CancelRequested",
      },
      { name: "a pull that asks its cardholder", body: pull("4"), stands: "WaitingChallenge3ds" },
      { name: "a pull that waits for its caller", body: pull("1", { capture: false }), stands: "PaymentAuthorized" },
      {
        name: "a pull that is not given back",
        body: pull("1"),
        command: { at: "Completed", action: "refund" },
        stands: "Completed",
      },
      { name: "a card's money that is on its way", body: pullPush(cardSource("1")), stands: "WaitingPayout" },
      { name: "an account's money that has not settled", body: pullPush(bankSource()), stands: "WaitingSettlement" },
    ],
  },
  {
    faults: [away("acquirer", "capture"), away("acquirer", "void")],
    payments: [
      { name: "a pull that is not captured", body: pull("1"), stands: "PaymentAuthorized" },
      {
        name: "a pull that is not voided",
        body: pull("1", { capture: false }),
        command: { at: "PaymentAuthorized", action: "void" },
        stands: "PaymentAuthorized",
      },
      { name: "a card's money that is not captured", body: pullPush(cardSource("1")), stands: "ReviewApproved" },
      {
        name: "a card's money that nobody is paid",
        body: pullPush(cardSource("1"), "FAULT:refused"),
        stands: "PayoutRejected",
      },
    ],
  },
  {
    faults: [away("acquirer", "authorize")],
    payments: [{ name: "a pull that is not authorised", body: pull("1"), stands: "PaymentProcessing" }],
  },
];

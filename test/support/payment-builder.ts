import { createPayment, type NewPayment } from "../../services/payment/domain/new-payment";
import type { Party } from "../../services/payment/domain/party";
import type { Change, Payment, PaymentBase, PaymentOf, Payout, Pull } from "../../services/payment/domain/payment";
import type { PaymentType } from "../../services/payment/domain/typed-legs";
import { money } from "../../services/shared/kernel/money";

export const builtAt = new Date("2026-03-01T10:00:00Z");

const free = { bps: 0, fixedMinor: 0n };

/** A party with only a name. */
export const partyOf = (firstName: string, lastName: string, facts: Partial<Party> = {}): Party => ({
  firstName,
  lastName,
  address: undefined,
  documents: [],
  email: "",
  phoneNumber: "",
  birthDate: "",
  birthCountryCode: "",
  countryCode: "",
  ...facts,
});

const nowhere = { stateCode: "", state: "", city: "", line1: "", line2: "", zipCode: "" };
const sender = partyOf("Ada", "Lovelace", { address: { countryCode: "USA", ...nowhere } });

export const cardPull = (facts: Partial<Pull> = {}): Pull => ({
  provider: "acquirer",
  source: { kind: "card", token: "11111111-1111-4111-8111-111111111111" },
  captureAtOnce: true,
  captureMinor: 10_000n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  authorizedAt: undefined,
  capturedAt: undefined,
  settledAt: undefined,
  settledMinor: undefined,
  releaseAnyway: false,
  voidedAt: undefined,
  lapseToldAt: undefined,
  returnedAt: undefined,
  providerId: undefined,
  authCode: undefined,
  responseCode: undefined,
  message: undefined,
  acsUrl: undefined,
  avs: undefined,
  cvc: undefined,
  card: undefined,
  ...facts,
});

export const accountPull = (facts: Partial<Pull> = {}): Pull =>
  cardPull({ provider: "debits", source: { kind: "account", token: "account-token" }, ...facts });

const payoutOf = (reference: string): Payout => ({
  rail: "pix",
  reference,
  amount: money(54_321n, "BRL"),
  countryCode: "BRA",
  method: { kind: "pix", key: "maria@example.com", keyType: "EMAIL" },
  recipient: partyOf("Maria", "Souza", { documents: [{ number: "39053344705", type: "CPF", countryCode: "" }] }),
  texts: { purpose: "", descriptor: "", narrative: "", extras: {} },
  railId: undefined,
  receipt: undefined,
  paidMinor: 0n,
  returnedMinor: 0n,
});

const legs: { readonly [T in PaymentType]: (id: string) => Pick<PaymentOf<T>, "type" | "pull" | "payout"> } = {
  PULL: () => ({ type: "PULL", pull: cardPull(), payout: undefined }),
  PUSH: (id) => ({ type: "PUSH", pull: undefined, payout: payoutOf(id) }),
  PULLPUSH: (id) => ({ type: "PULLPUSH", pull: cardPull(), payout: payoutOf(id) }),
};

/** A payment of 100 USD as it is stored first. */
export function newPayment<T extends PaymentType>(
  type: T,
  facts: Partial<PaymentBase> & Partial<Pick<PaymentOf<T>, "pull" | "payout">> = {},
): Change<PaymentOf<T>> {
  const id = facts.id ?? "11111111-1111-8111-8111-111111111111";
  const made = {
    ...legs[type](id),
    id,
    tenant: "demo",
    agent: undefined,
    externalId: "order-1",
    amount: money(10_000n, "USD"),
    quoteId: undefined,
    marginMinor: 0n,
    ipAddress: "203.0.113.7",
    sender,
    terms: { fees: { PRE_AUTH: free, CAPTURE: free, REFUND: free }, reversalLimitMinor: undefined },
    promises: [],
    createdAt: builtAt,
    traceparent: "",
    ...facts,
  } as NewPayment;
  const change: Change = createPayment(made);
  return change as Change<PaymentOf<T>>;
}

/** Returns the payment with other facts of its legs. */
export function withLegs(
  payment: Payment,
  { pull, payout }: { pull?: Partial<Pull>; payout?: Partial<Payout> },
): Payment {
  switch (payment.type) {
    case "PULL":
      return { ...payment, pull: { ...payment.pull, ...pull } };
    case "PUSH":
      return { ...payment, payout: { ...payment.payout, ...payout } };
    case "PULLPUSH":
      return { ...payment, pull: { ...payment.pull, ...pull }, payout: { ...payment.payout, ...payout } };
  }
}

import { intentViolations } from "./intent-rules";
import type { PaymentIntent, PayoutIntent } from "./payment-intent";

const payout: PayoutIntent = {
  amount: { minor: 52_242n, currency: "BRL" },
  recipient: undefined,
  countryCode: "BRA",
  method: { kind: "pix", key: "k", keyType: "EVP" },
  quoteId: "quote-1",
  exchangeRate: undefined,
  pricing: "QUOTED",
  profile: "COUNTRY",
};

const push: PaymentIntent = {
  externalId: "order-1",
  ipAddress: "203.0.113.7",
  amount: { minor: 10_000n, currency: "USD" },
  sender: undefined,
  collection: undefined,
  payout,
  statementDescriptor: "",
  additionalData: undefined,
  externalTransactionId: "",
};

const card = { source: { kind: "card", token: "t" }, captureAtOnce: true } as const;
const to = (changes: Partial<PayoutIntent>): PaymentIntent => ({ ...push, payout: { ...payout, ...changes } });

describe("intentViolations", () => {
  it.each<[string, PaymentIntent, string[]]>([
    ["nothing of a payment that keeps all rules", push, []],
    ["no id", { ...push, externalId: "" }, ["externalPaymentId"]],
    ["an id of another form", { ...push, externalId: ".." }, ["externalPaymentId"]],
    ["nothing to do", { ...push, payout: undefined }, ["paymentType"]],
    ["an agent's name where no agent asks", { ...push, externalTransactionId: "mine" }, ["externalId"]],
    ["no source", { ...push, payout: undefined, collection: { ...card, source: undefined } }, ["sender.paymentMethod"]],
    ["no source beside a payout", { ...push, collection: { ...card, source: undefined } }, ["sender.source"]],
    ["nothing to collect", { ...push, collection: card, amount: { minor: 0n, currency: "USD" } }, ["amount.total"]],
    ["no country", to({ countryCode: "" }), ["recipient.paymentMethod.countryCode"]],
    ["a country of two letters", to({ countryCode: "BR" }), ["recipient.paymentMethod.countryCode"]],
    ["no method", to({ method: undefined }), ["recipient.paymentMethod.type"]],
    ["no quote for two currencies", to({ quoteId: "" }), ["fxId"]],
    ["a quote beside a price at acceptance", to({ pricing: "AT_ACCEPTANCE", profile: "CUSTOMER" }), ["fxId"]],
    ["a price at acceptance by the country's rules", to({ pricing: "AT_ACCEPTANCE", quoteId: "" }), ["pricing"]],
  ])("names %s", (_what, intent, fields) => {
    expect(intentViolations(intent, undefined).map(({ field }) => field)).toEqual(fields);
  });

  it("needs no quote where nothing is converted", () => {
    expect(intentViolations(to({ quoteId: "", amount: { minor: 1n, currency: "USD" } }), undefined)).toEqual([]);
  });

  it("takes an agent's own name of the form of an id", () => {
    expect(intentViolations({ ...push, externalTransactionId: "mine" }, "agent-1")).toEqual([]);
    const violations = intentViolations({ ...push, externalTransactionId: "m/ine" }, "agent-1");
    expect(violations.map(({ field }) => field)).toEqual(["externalId"]);
  });
});

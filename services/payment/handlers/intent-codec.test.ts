import {
  DetailsProfile,
  PaymentIntent,
  PixKeyType,
  Pricing,
} from "../../../proto/gen/corridor/payment/v1/payment_intent";
import { partyOf } from "../../../test/support/payment-builder";
import { decodeIntent } from "./intent-codec";

const party = { ...partyOf("Ada", "Lovelace"), documents: [] };

const payout: NonNullable<PaymentIntent["payout"]> = {
  amount: { amountMinor: 52_242n, currency: "BRL" },
  recipient: { ...party, firstName: "Maria" },
  countryCode: "BRA",
  method: { $case: "pix", value: { key: "maria@example.com", keyType: PixKeyType.EMAIL } },
  quoteId: "quote-1",
  exchangeRate: { unscaled: 52_242n, scale: 4 },
  pricing: Pricing.QUOTED,
  detailsProfile: DetailsProfile.COUNTRY,
};

const intent: PaymentIntent = {
  externalPaymentId: "order-1",
  ipAddress: "203.0.113.7",
  amount: { amountMinor: 10_000n, currency: "USD" },
  sender: party,
  collection: { source: { $case: "accountToken", value: "account-1" }, authorizeOnly: false },
  payout,
  statementDescriptor: "",
  additionalData: { paymentPurpose: "GIFT", statementNarrative: "", extras: { b: "2", a: "1" } },
  externalTransactionId: "",
};

const withPayout = (changes: Partial<typeof payout>): PaymentIntent => ({
  ...intent,
  payout: { ...payout, ...changes },
});

/** Returns the rows of the fingerprint in which two payments differ. */
function differing(other: PaymentIntent, agentId?: string): string[] {
  const [one, two] = [decodeIntent(intent).fields, decodeIntent(other, agentId).fields];
  return [...new Set([...Object.keys(one), ...Object.keys(two)])].filter((row) => one[row] !== two[row]).toSorted();
}

describe("decodeIntent", () => {
  it.each<[string, PaymentIntent, string[]]>([
    ["ipAddress", { ...intent, ipAddress: "203.0.113.8" }, ["ipAddress"]],
    ["amount", { ...intent, amount: { amountMinor: 10_001n, currency: "USD" } }, ["amount"]],
    ["sender", { ...intent, sender: { ...party, email: "ada@example.com" } }, ["sender"]],
    ["an address that is empty", { ...intent, sender: { ...party, address: emptyAddress() } }, ["sender"]],
    [
      "the source",
      { ...intent, collection: { source: { $case: "cardToken", value: "card-1" }, authorizeOnly: false } },
      ["sender"],
    ],
    [
      "a hold",
      { ...intent, collection: { source: { $case: "accountToken", value: "account-1" }, authorizeOnly: true } },
      ["capture"],
    ],
    ["no collection", { ...intent, collection: undefined }, ["paymentType", "sender"]],
    [
      "no payout",
      { ...intent, payout: undefined },
      ["exchangeRate", "fxId", "paymentType", "recipient", "recipientAmount"],
    ],
    ["the recipient", withPayout({ recipient: party }), ["recipient"]],
    ["the country", withPayout({ countryCode: "PRT" }), ["recipient"]],
    ["the method", withPayout({ method: { $case: "cardToken", value: "card-1" } }), ["recipient"]],
    ["the profile", withPayout({ detailsProfile: DetailsProfile.CUSTOMER }), ["recipient"]],
    ["the payout's amount", withPayout({ amount: undefined }), ["recipientAmount"]],
    ["the rate", withPayout({ exchangeRate: { unscaled: 52_243n, scale: 4 } }), ["exchangeRate"]],
    ["no rate", withPayout({ exchangeRate: undefined }), ["exchangeRate"]],
    ["the quote", withPayout({ quoteId: "quote-2" }), ["fxId"]],
    ["the pricing", withPayout({ pricing: Pricing.AT_ACCEPTANCE }), ["fxId"]],
    ["the descriptor", { ...intent, statementDescriptor: "INVOICE" }, ["dynamicDescriptor"]],
    ["no additional data", { ...intent, additionalData: undefined }, ["additionalData"]],
    ["an extra", { ...intent, additionalData: extras({ a: "1" }) }, ["additionalData"]],
    ["the agent's name", { ...intent, externalTransactionId: "mine" }, ["externalId"]],
  ])("says that %s differs", (_what, other, rows) => {
    expect(differing(other)).toEqual(rows);
  });

  it("says that another agent asks", () => {
    expect(differing(intent, "agent-1")).toEqual(["agent"]);
  });

  it("finds no difference in how the same is written", () => {
    const received = PaymentIntent.decode(PaymentIntent.encode(intent).finish());
    expect(differing(received)).toEqual([]);
    expect(differing(withPayout({ exchangeRate: { unscaled: 5_224_200n, scale: 6 } }))).toEqual([]);
    expect(differing({ ...intent, additionalData: extras({ a: "1", b: "2" }) })).toEqual([]);
    const composed = { ...intent, sender: { ...party, firstName: "José" } };
    const apart = { ...intent, sender: { ...party, firstName: "Jose\u0301" } };
    expect(decodeIntent(apart).fields).toEqual(decodeIntent(composed).fields);
    expect(decodeIntent(apart).intent.sender?.firstName).toBe("José");
  });

  it.each<[string, PaymentIntent, string[]]>([
    ["nothing at all", PaymentIntent.decode(new Uint8Array()), ["amount"]],
    ["a negative amount", { ...intent, amount: { amountMinor: -1n, currency: "USD" } }, ["amount.total"]],
    [
      "an amount beyond the largest",
      { ...intent, amount: { amountMinor: 10n ** 14n, currency: "USD" } },
      ["amount.total"],
    ],
    ["an unknown currency", { ...intent, amount: { amountMinor: 1n, currency: "US$" } }, ["amount.currency"]],
    ["no amount of the payout", withPayout({ amount: undefined }), ["recipientAmount"]],
    ["a rate of zero", withPayout({ exchangeRate: { unscaled: 0n, scale: 0 } }), ["exchangeRate"]],
    ["a rate with a negative scale", withPayout({ exchangeRate: { unscaled: 1n, scale: -1 } }), ["exchangeRate"]],
    ["no pricing", withPayout({ pricing: Pricing.UNSPECIFIED }), ["pricing"]],
    ["an unknown profile", withPayout({ detailsProfile: DetailsProfile.UNRECOGNIZED }), ["detailsProfile"]],
    [
      "an unknown kind of key",
      withPayout({ method: { $case: "pix", value: { key: "k", keyType: PixKeyType.UNRECOGNIZED } } }),
      ["recipient.paymentMethod.keyType"],
    ],
    [
      "an extra with the name of a field",
      { ...intent, additionalData: extras({ paymentPurpose: "GIFT" }) },
      ["additionalData.paymentPurpose"],
    ],
    ["an extra with a dotted name", { ...intent, additionalData: extras({ "a.b": "1" }) }, ["additionalData"]],
  ])("refuses %s", (_what, given, fields) => {
    expect(decodeIntent(given).violations.map(({ field }) => field)).toEqual(fields);
  });
});

function emptyAddress() {
  return { countryCode: "", stateCode: "", state: "", city: "", line1: "", line2: "", zipCode: "" };
}

function extras(texts: Record<string, string>) {
  return { paymentPurpose: "GIFT", statementNarrative: "", extras: texts };
}

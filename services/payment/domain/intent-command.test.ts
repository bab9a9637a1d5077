import { partyOf } from "../../../test/support/payment-builder";
import { money } from "../../shared/kernel/money";
import { commandOf, tokensOfIntent } from "./intent-command";
import type { PaymentIntent, PayoutIntent } from "./payment-intent";

const identity = { tenant: "demo", externalId: "order-1", agentId: undefined, hashes: {} };
const party = partyOf("Ada", "Lovelace", {
  address: { countryCode: "GBR", stateCode: "", state: "", city: "London", line1: "Hill", line2: "", zipCode: "" },
  documents: [{ number: "123", type: "PASSPORT", countryCode: "GBR" }],
});
const payout: PayoutIntent = {
  amount: money(54_321n, "BRL"),
  recipient: { ...party, firstName: "Maria", lastName: "Souza" },
  countryCode: "BRA",
  method: { kind: "pix", key: "k", keyType: "EMAIL" },
  quoteId: "quote-1",
  exchangeRate: undefined,
  pricing: "QUOTED",
  profile: "COUNTRY",
};
const intent: PaymentIntent = {
  externalId: "order-1",
  ipAddress: "203.0.113.7",
  amount: money(10_000n, "USD"),
  sender: party,
  collection: undefined,
  payout,
  statementDescriptor: "INVOICE 7",
  additionalData: { purpose: "GIFT", narrative: "for Maria", extras: {} },
  externalTransactionId: "",
};
const card = { kind: "card", token: "token-1" } as const;

describe("commandOf", () => {
  it("reads a push", () => {
    expect(commandOf(identity, intent)).toMatchObject({
      ...identity,
      type: "PUSH",
      agent: undefined,
      sender: intent.sender,
      pull: undefined,
      payout: {
        quoteId: "quote-1",
        isIndicative: false,
        method: payout.method,
        recipient: payout.recipient,
        texts: { purpose: "GIFT", descriptor: "INVOICE 7", narrative: "for Maria", extras: {} },
      },
    });
  });

  it("lets the platform price what is priced at acceptance, unless there is nothing to be priced", () => {
    const priced = (currency: string) => {
      const order = { ...payout, amount: money(1n, currency), quoteId: "", pricing: "AT_ACCEPTANCE" } as const;
      return commandOf(identity, { ...intent, payout: order }).payout;
    };

    expect(priced("BRL")).toMatchObject({ isIndicative: true, quoteId: undefined });
    expect(priced("USD")).toMatchObject({ isIndicative: false });
  });

  it.each([true, false])(
    "reads where a pull takes the money from, and that it is captured at once: %s",
    (captureAtOnce) => {
      const pull = { ...intent, payout: undefined, collection: { source: card, captureAtOnce } };

      expect(commandOf(identity, pull)).toMatchObject({ type: "PULL", pull: { source: card, captureAtOnce } });
    },
  );

  it("names the holder of a bank account", () => {
    const account = { routingNumber: "021000021", accountNumber: "1234", accountType: "checking" };
    const holder = { holderType: "individual", holderFirstName: "Ada", holderLastName: "Lovelace" };
    const collection = { source: { kind: "bank", ...account, ...holder } as const, captureAtOnce: true };

    expect(commandOf(identity, { ...intent, collection })).toMatchObject({
      type: "PULLPUSH",
      pull: { source: { kind: "bank", ...account, holder: "Ada Lovelace" } },
    });
  });

  it("knows an agent with its own name for the transaction, and without one", () => {
    const byAgent = (externalTransactionId: string) =>
      commandOf({ ...identity, agentId: "agent-1" }, { ...intent, externalTransactionId }).agent;

    expect(byAgent("own-1")).toEqual({ id: "agent-1", externalTransactionId: "own-1" });
    expect(byAgent("")).toEqual({ id: "agent-1", externalTransactionId: undefined });
  });

  it.each(["amount", "sender"] as const)("refuses a payment without %s, which the checks refuse before", (part) => {
    expect(() => commandOf(identity, { ...intent, [part]: undefined })).toThrow(`${part} is required`);
  });
});

describe("tokensOfIntent", () => {
  it("names the places of both cards, and of an account", () => {
    const collection = { source: card, captureAtOnce: true };
    const toCard = { ...payout, method: { kind: "card", token: "token-2" } } as const;

    expect(tokensOfIntent({ ...intent, collection, payout: toCard })).toEqual([
      { field: "sender.source.card.token", kind: "card", token: "token-1" },
      { field: "recipient.paymentMethod.cardTokenId", kind: "card", token: "token-2" },
    ]);
    expect(tokensOfIntent({ ...intent, collection, payout: undefined })).toEqual([
      { field: "sender.paymentMethod.cardTokenId", kind: "card", token: "token-1" },
    ]);
    const debit = { source: { kind: "account", token: "token-3" }, captureAtOnce: true } as const;
    expect(tokensOfIntent({ ...intent, collection: debit, payout: undefined })).toEqual([
      { field: "sender.paymentMethod.accountTokenId", kind: "account", token: "token-3" },
    ]);
  });
});

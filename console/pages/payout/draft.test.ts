import { bodyOf, type Draft, recipientAmountOf } from "./draft";

const draft: Draft = {
  externalPaymentId: "order-1",
  ipAddress: "203.0.113.7",
  total: "100.10",
  source: "USD",
  target: "JPY",
  price: { fxId: "fx", rate: "150.005", expiresAt: "2026-01-01T00:00:00Z" },
  scenario: "",
};

describe("a payout's draft", () => {
  it("rounds what the recipient gets once, half to even, in the digits of its currency", () => {
    expect(recipientAmountOf(draft)).toEqual({ total: "15016", currency: "JPY" });
    expect(
      recipientAmountOf({ ...draft, total: "2.50", price: { ...draft.price, rate: "1" } as Draft["price"] })?.total,
    ).toBe("2");
  });

  it("has no amount while none was typed, or one with too many decimals", () => {
    expect([recipientAmountOf({ ...draft, total: "" }), recipientAmountOf({ ...draft, total: "1.001" })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(recipientAmountOf({ ...draft, total: "0.00" })).toBeUndefined();
  });

  it("needs no quote within one currency", () => {
    expect(bodyOf({ ...draft, target: "USD", price: undefined }, { "recipient.firstName": "Ada" })).toEqual({
      additionalData: {},
      paymentType: "PUSH",
      externalPaymentId: "order-1",
      ipAddress: "203.0.113.7",
      amount: { total: "100.10", currency: "USD" },
      recipientAmount: { total: "100.10", currency: "USD" },
      recipient: { firstName: "Ada" },
    });
  });
});

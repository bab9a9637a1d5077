import type { PayoutMethod } from "./party";
import { feeKeyOf, feeKeyOfQuoted, methodInWords, paymentMethods, quotedMethod, railsOf } from "./payment-methods";

const account = { accountNumber: "1", accountType: "CHECKING", bankCode: "", routingNumber: "" };
const wallet = { walletId: "254", walletType: "", walletOperator: "MPESA" };

const methods: readonly [PayoutMethod, string, string, readonly string[], object][] = [
  [
    { kind: "bankAccount", ...account },
    "BANK_DEPOSIT",
    "BANK_ACCOUNT",
    ["bank"],
    { type: "BANK_DEPOSIT", accountNumber: "1", accountType: "CHECKING" },
  ],
  [
    { kind: "wallet", ...wallet },
    "WALLET",
    "WALLET",
    ["wallet"],
    { type: "WALLET", walletId: "254", walletOperator: "MPESA" },
  ],
  [
    { kind: "pix", key: "k", keyType: "EVP" },
    "PIX",
    "BANK_ACCOUNT",
    ["pix"],
    { type: "PIX", key: "k", keyType: "EVP" },
  ],
  [
    { kind: "upi", address: "a@b" },
    "BANK_DEPOSIT",
    "BANK_ACCOUNT",
    ["upi"],
    { type: "BANK_DEPOSIT", accountNumberType: "UPI", accountNumber: "a@b" },
  ],
  [
    { kind: "dimo", phoneNumber: "55", bankCode: "012" },
    "BANK_DEPOSIT",
    "BANK_ACCOUNT",
    ["dimo"],
    { type: "BANK_DEPOSIT", accountNumberType: "DIMO", accountNumber: "55", bankCode: "012" },
  ],
  [{ kind: "card", token: "t" }, "CARD", "CARD", ["card"], { type: "CARD", cardTokenId: "t" }],
];

describe("payment methods", () => {
  it.each(methods)("knows %j", (method, feeKey, quoted, rails, words) => {
    expect(feeKeyOf(method)).toBe(feeKey);
    expect(quotedMethod(method)).toBe(quoted);
    expect(railsOf(method, "KEN", {})).toEqual(rails);
    expect(methodInWords(method)).toEqual(words);
  });

  it("have fees by the name of the fx service, too", () => {
    expect(["BANK_ACCOUNT", "WALLET", "CARD"].map(feeKeyOfQuoted)).toEqual(["BANK_DEPOSIT", "WALLET", "CARD"]);
    expect(() => feeKeyOfQuoted("CASH")).toThrow(expect.objectContaining({ reason: "PAYMENT_METHOD_UNKNOWN" }));
  });

  it("has a test for each", () => {
    expect(methods.map(([{ kind }]) => kind).toSorted()).toEqual(Object.keys(paymentMethods).toSorted());
  });

  it("pays a wallet through a money-services network where its operator is reached by one", () => {
    expect(railsOf({ kind: "wallet", ...wallet }, "KEN", { KEN: "MPESA" })).toEqual(["msn"]);
    expect(railsOf({ kind: "wallet", ...wallet }, "KEN", { KEN: "AIRTEL" })).toEqual(["wallet"]);
    expect(railsOf({ kind: "wallet", ...wallet }, "TZA", { KEN: "MPESA" })).toEqual(["wallet"]);
  });
});

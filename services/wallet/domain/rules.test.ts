import { type Account, emptyAccount } from "./account";
import { requireFunds, requireOwnWallet, requirePostable } from "./rules";

const wallet: Account = {
  ...emptyAccount({
    id: "w",
    tenant: "one",
    path: "tenant/one/wallets",
    asset: "USD",
    wallet: { status: "ACTIVE", createdAt: new Date(0), details: "" },
  }),
};
const reason = (word: string) => expect.objectContaining({ reason: word });

describe("a wallet", () => {
  it("is its tenant's, and does not exist for another one", () => {
    expect(requireOwnWallet(wallet, "one")).toMatchObject({ id: "w" });
    expect(() => requireOwnWallet(wallet, "other")).toThrow(reason("WALLET_NOT_FOUND"));
    expect(() => requireOwnWallet(undefined, "one")).toThrow(reason("WALLET_NOT_FOUND"));
    expect(() => requireOwnWallet({ ...wallet, wallet: undefined }, "one")).toThrow(reason("WALLET_NOT_FOUND"));
  });

  it("pays what it has and does not hold, to the last minor unit", () => {
    const line = { seq: 1, head: "" };
    const lines = { ...wallet.lines, settled: { ...line, minor: 100n }, debitHolds: { ...line, minor: 40n } };
    const funded = requireOwnWallet({ ...wallet, lines }, "one");

    expect(() => requireFunds(funded, 60n)).not.toThrow();
    expect(() => requireFunds(funded, 61n)).toThrow(reason("INSUFFICIENT_FUNDS"));
  });
});

describe("postings", () => {
  const suspense = (minor: bigint, asset = "USD") => ({ path: "platform/suspense", asset, minor });
  const fees = (minor: bigint, asset = "USD") => ({ path: "platform/fees", asset, minor });
  const refused = reason("INVALID_ARGUMENT");

  it("add up to zero in each asset, and go to accounts of the platform", () => {
    expect(() => requirePostable([suspense(5n), fees(-5n)])).not.toThrow();
    expect(() => requirePostable([suspense(5n), fees(-4n)])).toThrow(refused);
    expect(() => requirePostable([suspense(5n), fees(-5n, "EUR")])).toThrow(refused);
    expect(() => requirePostable([suspense(0n)])).toThrow(refused);
    expect(() => requirePostable([suspense(5n), { path: "tenant/one/wallets", asset: "USD", minor: -5n }])).toThrow(
      refused,
    );
  });
});

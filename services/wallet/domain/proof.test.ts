import { proofOf } from "./proof";

describe("the proof of a day", () => {
  it("adds up customers' money, blocked money, held money, our own and unassigned money", () => {
    const usd = (path: string, minor: bigint) => ({ path, asset: "USD", minor });
    const sums = [
      usd("tenant/demo/funding", 5_000n),
      usd("tenant/demo/wallets", 1_000n),
      usd("platform/blocked/one", 700n),
      usd("platform/blocked/two", 300n),
      usd("platform/suspense", 50n),
      usd("platform/fees", 25n),
      usd("tenant/demo/external", -1_000n),
      usd("provider/pix/clearing", -6_075n),
    ];

    expect(proofOf(sums)).toEqual([
      { asset: "USD", customers: 6_000n, blocked: 1_000n, held: -7_075n, own: 25n, unassigned: 50n, difference: 0n },
    ]);
  });
});

import { makePositions } from "./positions";

const now = new Date("2026-11-28T12:00:00Z");
const brl = (amountMinor: bigint) => ({ currency: "BRL", amountMinor });

describe("positions", () => {
  it("have each conversion once: in the ledger at one instant, or among what it did not have then", async () => {
    const instants: (Date | undefined)[] = [];
    const wallet = {
      getAccountBalances({ asOf }: { asOf?: Date | undefined }) {
        instants.push(asOf);
        return Promise.resolve({ balances: [brl(-100n)] });
      },
      findPostings({ entryIds, asOf }: { entryIds: string[]; asOf?: Date | undefined }) {
        instants.push(asOf);
        return Promise.resolve({ entryIds: entryIds.filter((id) => id === "posted") });
      },
    };
    const payment = {
      sumOpenConversions: ({ paymentIds }: { paymentIds: string[] }) =>
        Promise.resolve({
          sums: [brl(-20n)],
          entries: [
            { entryId: "posted", moves: [brl(-100n)] },
            { entryId: "under way", moves: [brl(-3n)] },
          ],
          storedPaymentIds: paymentIds,
        }),
    };

    const read = await makePositions(wallet, payment, { now: () => now }).read(["p"]);

    expect(read).toEqual({
      positions: [{ currency: "BRL", settledMinor: -100n, openMinor: -23n }],
      stored: new Set(["p"]),
    });
    expect(new Set(instants)).toEqual(new Set([new Date("2026-11-28T11:59:55Z")]));
  });
});

import type { Balance, FundsHolder } from "../domain/check-ports";
import { makeGetBalances } from "./get-balances";

const row = (available: string): Balance[] => [{ currency: "BRL", available }];

/** A provider that gives these answers one after the other, then none. */
function holder(name: string, answers: (Balance[] | undefined)[]): FundsHolder & { asked: number } {
  const one = {
    name,
    asked: 0,
    balances: () => {
      one.asked += 1;
      return Promise.resolve(answers.shift());
    },
  };
  return one;
}

describe("makeGetBalances", () => {
  let now = new Date("2026-01-01T00:00:00Z");
  const clock = { now: () => now };
  const laterBy = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };

  it("asks once in thirty seconds, however many want to know", async () => {
    const pix = holder("pix", [row("1"), row("2")]);
    const getBalances = makeGetBalances({ holders: [pix], clock });

    const [first, second] = await Promise.all([getBalances(), getBalances()]);
    laterBy(29);
    const third = await getBalances();
    laterBy(1);
    const fourth = await getBalances();

    expect([first, second, third]).toEqual(Array(3).fill([{ providerId: "pix", balances: row("1") }]));
    expect(fourth).toEqual([{ providerId: "pix", balances: row("2") }]);
    expect(pix.asked).toBe(2);
  });

  it("leaves out who does not answer, and asks that one again", async () => {
    const pix = holder("pix", [undefined, row("5")]);
    const bank = holder("bank", [row("7")]);
    const getBalances = makeGetBalances({ holders: [pix, bank], clock });

    expect(await getBalances()).toEqual([{ providerId: "bank", balances: row("7") }]);
    expect((await getBalances()).map(({ providerId }) => providerId)).toEqual(["pix", "bank"]);
    expect(bank.asked).toBe(1);
  });

  it("refuses when nobody answers", async () => {
    await expect(makeGetBalances({ holders: [holder("pix", [])], clock })()).rejects.toThrow("no provider answers");
  });
});

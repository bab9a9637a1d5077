import { decimal } from "../../../sdk/src/money";
import { sumsOf } from "./sums";

const of = (total: string, currency: string) => ({ amount: { total: decimal(total), currency } });

describe("sumsOf", () => {
  it("adds exactly, each currency by itself", () => {
    const paid = [of("0.10", "USD"), of("0.20", "USD"), of("9007199254740993", "JPY"), of("1.005", "KWD")];

    expect(sumsOf(paid)).toEqual([
      { total: "9007199254740993", currency: "JPY" },
      { total: "1.005", currency: "KWD" },
      { total: "0.30", currency: "USD" },
    ]);
  });

  it("has nothing for no payment", () => {
    expect(sumsOf([])).toEqual([]);
  });
});

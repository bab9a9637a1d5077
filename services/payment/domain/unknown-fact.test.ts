import { money } from "../../shared/kernel/money";
import type { Fact } from "./fact";
import { correctedFacts } from "./unknown-fact";

const paid = (minor: bigint, currency: string): Fact => ({
  role: "payout",
  kind: "PAID",
  provider: "pix",
  reference: "nobody's",
  amount: money(minor, currency),
});
const facts = [paid(100n, "BRL"), paid(50n, "BRL"), paid(70n, "USD")];

describe("a correction on a case about nobody's reference", () => {
  it("settles every fact of a currency that it takes out of suspense: it does not say which it means", () => {
    const postings = [
      { account: "platform/suspense", currency: "BRL", minor: -100n },
      { account: "provider/pix/clearing", currency: "BRL", minor: 100n },
    ];

    expect(correctedFacts(facts, postings)).toEqual(facts.slice(0, 2));
  });

  it("settles nothing when it leaves suspense alone", () => {
    const postings = [
      { account: "platform/fees", currency: "BRL", minor: -1n },
      { account: "platform/margin", currency: "BRL", minor: 1n },
    ];

    expect(correctedFacts(facts, postings)).toEqual([]);
  });
});

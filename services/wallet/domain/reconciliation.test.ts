import fc from "fast-check";
import { confirmed, countByClass, type OurRecord, type ProviderRecord, reconcile } from "./reconciliation";

const ours = (changes: Partial<OurRecord> = {}): OurRecord => ({
  provider: "pix",
  paymentId: "p-1",
  asset: "BRL",
  minor: 50_000n,
  ...changes,
});
const theirs = (changes: Partial<ProviderRecord> = {}): ProviderRecord => ({
  provider: "pix",
  reference: "p-1",
  asset: "BRL",
  minor: 50_000n,
  isOpen: false,
  executions: 1,
  ...changes,
});

describe("reconcile", () => {
  it.each<[string, OurRecord[], ProviderRecord[], string[]]>([
    ["two books that agree", [ours()], [theirs()], []],
    ["a payout that came back", [ours(), ours({ minor: -50_000n })], [theirs({ minor: 0n })], []],
    ["a capture and a part refund", [ours({ minor: -900n }), ours({ minor: 100n })], [theirs({ minor: -800n })], []],
    ["a refusal that moved nothing", [], [theirs({ minor: 0n, executions: 0 })], []],
    ["what is still on its way", [], [theirs({ isOpen: true })], []],
    ["what is on its way and booked here already", [ours()], [theirs({ isOpen: true })], []],
    ["what only the provider has", [], [theirs()], ["MISSING_HERE"]],
    ["what only we have", [ours()], [], ["MISSING_THERE"]],
    ["what the provider refused and we booked", [ours()], [theirs({ minor: 0n })], ["MISSING_THERE"]],
    ["another amount", [ours()], [theirs({ minor: 49_999n })], ["AMOUNT"]],
    ["another currency", [ours()], [theirs({ asset: "USD" })], ["CURRENCY"]],
    ["two currencies under one reference", [ours(), ours({ asset: "USD" })], [theirs()], ["CURRENCY"]],
    ["an order that was executed twice", [ours()], [theirs({ executions: 2 })], ["DOUBLED"]],
    [
      "the same reference at another provider",
      [ours({ provider: "bank" })],
      [theirs()],
      ["MISSING_HERE", "MISSING_THERE"],
    ],
  ])("of %s", (_case, here, there, classes) => {
    expect(reconcile(here, there).breaks.map((one) => one.class)).toEqual(classes);
  });

  it("finds exactly the references that one book lacks or has otherwise", () => {
    const references = fc.uniqueArray(fc.nat({ max: 500 }), { maxLength: 60 });
    fc.assert(
      fc.property(references, references, fc.nat({ max: 3 }), (here, there, modulo) => {
        const isWrong = (n: number): boolean => n % 4 === modulo;
        const result = reconcile(
          here.map((n) => ours({ paymentId: `p-${n}` })),
          there.map((n) => theirs({ reference: `p-${n}`, minor: isWrong(n) ? 1n : 50_000n })),
        );
        const names = result.breaks.map((one) => `${one.class} ${one.reference}`);
        const expected = [
          ...there.filter((n) => !here.includes(n)).map((n) => `MISSING_HERE p-${n}`),
          ...here.filter((n) => !there.includes(n)).map((n) => `MISSING_THERE p-${n}`),
          ...there.filter((n) => here.includes(n) && isWrong(n)).map((n) => `AMOUNT p-${n}`),
        ];

        expect(names.toSorted()).toEqual(expected.toSorted());
        expect(result.compared).toBe(new Set([...here, ...there]).size);
      }),
      { seed: 20_261_123 },
    );
  });
});

describe("two comparisons", () => {
  it("confirm the breaks that both have, with the facts of the later one", () => {
    const earlier = reconcile([ours(), ours({ paymentId: "p-2" })], [theirs({ reference: "p-3" })]);
    const later = reconcile([ours(), ours({ paymentId: "p-4" })], [theirs({ reference: "p-2", minor: 1n })]);

    const { breaks, compared } = confirmed(earlier, later);

    expect(breaks).toEqual([expect.objectContaining({ class: "MISSING_THERE", reference: "p-1" })]);
    expect(compared).toBe(later.compared);
    expect(countByClass([...breaks, ...later.breaks])).toEqual({ MISSING_THERE: 3, MISSING_HERE: 1 });
  });
});

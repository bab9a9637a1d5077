import { conversionEntries, conversionMark, notConverted } from "./open-conversion";
import type { Payment, PaymentEvent } from "./payment";

const at = new Date("2026-11-28T12:00:00Z");
const usd = { minor: 10_000n, currency: "USD" };
const brl = { minor: 54_000n, currency: "BRL" };
const payment = (changes: object, paidMinor = 0n, amount = brl) =>
  ({
    id: "p",
    amount: usd,
    state: "ProcessingPayout",
    updatedAt: at,
    payout: { amount, paidMinor },
    ...changes,
  }) as Payment;
const base = { sequence: 4, occurredAt: at, messages: [], cause: undefined };
const payout: PaymentEvent = {
  ...base,
  kind: "money",
  moved: "payout",
  entryId: undefined,
  postings: [
    { account: "funding/demo", currency: "USD", minor: -10_000n },
    { account: "platform/fx", currency: "USD", minor: 10_000n },
  ],
};
const fee: PaymentEvent = { ...payout, moved: "fee", postings: payout.postings.slice(0, 1) };
const open = payment({});

describe("conversionMark", () => {
  it.each([
    ["a new payment that is to be converted", undefined, open, [], notConverted],
    ["a new payment in one currency", undefined, payment({}, 0n, usd), [], undefined],
    ["a step on the way", open, open, [fee], undefined],
    ["a payout", open, payment({ state: "Completed" }, 54_000n), [payout], at],
    ["a payment that ends without a payout", open, payment({ state: "Cancelled" }), [], at],
    ["a fee after the payout", payment({ state: "Completed" }, 54_000n), payment({}, 54_000n), [fee], undefined],
    ["a payout that comes back", payment({ state: "Completed" }, 54_000n), payment({}, 54_000n), [payout], at],
    ["a remainder of a payment in one currency", payment({}, 0n, usd), payment({}, 1n, usd), [payout], at],
    ["a payment that goes on after all", payment({ state: "Cancelled" }), open, [], notConverted],
  ])("of %s", (_what, before, next, events, mark) => {
    expect(conversionMark(before, { next, events })).toBe(mark);
  });
});

describe("conversionEntries", () => {
  it("are what the ledger posts through the account of conversions, under its id there", () => {
    const named = { ...payout, moved: "payout-return", entryId: "entry" };

    expect(conversionEntries("p", [fee, payout, named])).toEqual([
      { entryId: "p.4", isReturn: false, moves: [{ account: "platform/fx", currency: "USD", minor: 10_000n }] },
      { entryId: "entry", isReturn: true, moves: [{ account: "platform/fx", currency: "USD", minor: 10_000n }] },
    ]);
  });
});

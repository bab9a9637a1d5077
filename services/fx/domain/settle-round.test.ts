import { parseDecimal } from "../../shared/kernel/money";
import { rateToPromise, rateToValue } from "./find-rate";
import type { Market } from "./market";
import pricing from "./pricing.json";
import policy from "./rate-policy.json";
import { middleOf, type Round, settleRound, unknownMarket } from "./settle-round";

const start = new Date("2026-11-17T12:00:00Z");
const hourMs = 3_600_000;
const later = (hours: number): Date => new Date(start.getTime() + hours * hourMs);
const maxAgeMs = 24 * hourMs;
const rules = { policy, pricing, maxAgeMs, newId: () => "hold" };

/** A round in which each source has one rate for BRL, at the time of the round. */
function round(at: Date, rates: Readonly<Record<string, string>>, reference?: string, date = "2026-11-17"): Round {
  return {
    snapshot: "s",
    at,
    answers: Object.entries(rates).map(([source, rate]) => {
      const perUsd = new Map([["BRL", parseDecimal(rate) ?? { digits: 0n, scale: 0 }]]);
      return { source, table: { asOf: at, perUsd }, problem: undefined };
    }),
    reference: reference === undefined ? undefined : { date, perUsd: { BRL: reference } },
  };
}
const marketAfter = (...rounds: readonly Round[]): Market =>
  rounds.reduce((market, one) => settleRound(market, one, rules), unknownMarket);
const brl = (market: Market) => market.rates.find(({ currency }) => currency === "BRL");

describe("middleOf", () => {
  it.each<[readonly string[], string]>([
    [["5"], "5"],
    [["5", "5.1"], "5.05"],
    [["9", "5", "5.1"], "5.1"],
    [["0.1", "100", "5.00001", "5"], "5.000005"],
  ])("of %p is %s, exactly", (rates, expected) => {
    expect(middleOf(rates)).toBe(expected);
  });
});

describe("settleRound", () => {
  it.each<[string, Round[], string | undefined]>([
    ["one source", [round(start, { a: "5" })], undefined],
    ["two sources at the bound of agreement", [round(start, { a: "5", b: "5.075" })], undefined],
    ["two sources beyond it", [round(start, { a: "5", b: "5.08" })], "DISAGREEMENT"],
    ["three of which one is wrong", [round(start, { a: "5", b: "5.01", c: "50" })], undefined],
    ["three that all differ", [round(start, { a: "5", b: "6", c: "7" })], "DISAGREEMENT"],
    ["four in two camps", [round(start, { a: "5", b: "5", c: "7", d: "7" })], "DISAGREEMENT"],
    ["a rate at the reference bound", [round(start, { a: "5.3" }, "5")], undefined],
    ["a rate beyond it", [round(start, { a: "5.31" }, "5")], "REFERENCE"],
    ["a rate beyond an old reference", [round(start, { a: "5.31" }, "5", "2026-11-01")], undefined],
    ["a step up to the bound", [round(start, { a: "5" }), round(later(1), { a: "5.2" })], undefined],
    ["a jump up", [round(start, { a: "5" }), round(later(1), { a: "5.201" })], "JUMP"],
    ["a jump down", [round(start, { a: "5" }), round(later(1), { a: "4.799" })], "JUMP"],
    ["a jump after a month", [round(start, { a: "5" }), round(later(720), { a: "6" })], "JUMP"],
  ])("accepts or holds the rate of %s", (_case, rounds, reason) => {
    expect(brl(marketAfter(...rounds))?.hold?.reason).toBe(reason);
  });

  it("holds a rate that creeps in small steps within a day, and accepts the same change over days", () => {
    const steps = ["5", "5.15", "5.3", "5.45"];
    const creeping = marketAfter(...steps.map((rate, index) => round(later(index), { a: rate })));
    const slowly = marketAfter(...steps.map((rate, index) => round(later(index * 25), { a: rate })));

    expect(brl(creeping)).toMatchObject({ hold: { reason: "JUMP" }, accepted: { perUsd: "5.3" } });
    expect(brl(slowly)).toMatchObject({ hold: undefined, accepted: { perUsd: "5.45" } });
  });

  it("ends a disagreement but never a jump by itself, and keeps the id of the hold", () => {
    const disagreed = marketAfter(round(start, { a: "5", b: "5" }), round(later(1), { a: "5", b: "6" }));
    const jumped = marketAfter(round(start, { a: "5" }), round(later(1), { a: "6" }), round(later(2), { a: "5" }));

    expect(brl(disagreed)?.hold?.reason).toBe("DISAGREEMENT");
    expect(brl(settleRound(disagreed, round(later(2), { a: "5", b: "5" }), rules))?.hold).toBeUndefined();
    expect(brl(settleRound(disagreed, round(later(2), { a: "6", b: "6" }), rules))?.hold?.reason).toBe("JUMP");
    expect(brl(jumped)?.hold).toMatchObject({ holdId: "hold", reason: "JUMP", perUsd: "5", since: later(1) });
  });

  it("ignores an answer that is too old, and keeps the accepted rate until it is too old to quote", () => {
    const market = marketAfter(round(start, { a: "5" }));
    const stale = { ...round(later(25), { a: "5.05" }), at: later(50) };
    const next = settleRound(market, stale, rules);

    expect(brl(next)?.accepted?.perUsd).toBe("5");
    expect(rateToPromise(next, "BRL", later(24), rules).perUsd).toEqual({ digits: 5n, scale: 0 });
    expect(() => rateToPromise(next, "BRL", later(24.01), rules)).toThrow("the rate of BRL is out of date");
  });

  it("ages no rate over a weekend", () => {
    const friday = new Date("2026-11-20T20:00:00Z");
    const monday = new Date("2026-11-23T19:00:00Z");
    const market = marketAfter(round(friday, { a: "5" }));

    expect(() => rateToPromise(market, "BRL", monday, rules)).not.toThrow();
    expect(() => rateToPromise(market, "BRL", new Date(monday.getTime() + 3 * hourMs), rules)).toThrow("out of date");
  });

  it("values by the accepted rate while a rate is held, then by the reference rate, then not at all", () => {
    const market = marketAfter(round(start, { a: "5" }, "5.1"), round(later(1), { a: "6" }));
    const valued = (hours: number) => rateToValue(market, "BRL", later(hours), rules);

    expect(() => rateToPromise(market, "BRL", later(1), rules)).toThrow("is held: it is far from the reference rate");
    expect(valued(1)).toMatchObject({ perUsd: { digits: 5n, scale: 0 }, source: "a" });
    expect(valued(30)).toMatchObject({ perUsd: { digits: 51n, scale: 1 }, source: "reference" });
    expect(() => valued(24 * 8)).toThrow("no source has a current rate for BRL");
  });
});

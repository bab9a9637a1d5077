import { parseDecimal } from "../../shared/kernel/money";
import type { Market } from "./market";
import pricing from "./pricing.json";
import policy from "./rate-policy.json";
import { releaseRate } from "./release-rate";
import { settleRound, unknownMarket } from "./settle-round";

const at = new Date("2026-11-17T12:00:00Z");
const rules = { policy, pricing, maxAgeMs: 86_400_000, newId: () => "hold" };
const settle = (market: Market, rate: string, date = "2026-11-17"): Market => {
  const perUsd = new Map([["BRL", parseDecimal(rate) ?? { digits: 0n, scale: 0 }]]);
  const answers = [{ source: "a", table: { asOf: at, perUsd }, problem: undefined }];
  return settleRound(market, { snapshot: "s", at, answers, reference: { date, perUsd: { BRL: "5" } } }, rules);
};
const order = { currency: "BRL", holdId: "hold", perUsd: "6.50", author: "ada", note: "devalued", at };
const held = settle(settle(unknownMarket, "5"), "6.5");

describe("releaseRate", () => {
  it("accepts the rate, which that day's reference rates no longer limit but the next day's do", () => {
    const released = releaseRate(held, order, { policy, pricing });

    expect(released.rates[0]).toMatchObject({ accepted: { perUsd: "6.5" }, hold: undefined });
    expect(released.version).toBe(held.version + 1);
    expect(settle(released, "6.6").rates[0]).toMatchObject({ accepted: { perUsd: "6.6" }, hold: undefined });
    expect(settle(released, "7.1").rates[0]?.hold?.reason).toBe("JUMP");
    expect(settle(released, "6.6", "2026-11-18").rates[0]?.hold?.reason).toBe("REFERENCE");
  });

  it("accepts only a rate near a source's", () => {
    expect(() => releaseRate(held, { ...order, perUsd: "65" }, { policy, pricing })).toThrow("within 400 basis points");
    expect(() => releaseRate(held, { ...order, perUsd: "0" }, { policy, pricing })).toThrow("above 0");
  });

  it("changes nothing when repeated, and refuses another rate", () => {
    const released = releaseRate(held, order, { policy, pricing });

    expect(releaseRate(released, order, { policy, pricing })).toBe(released);
    expect(() => releaseRate(released, { ...order, perUsd: "6.4" }, { policy, pricing })).toThrow("is not held");
  });
});

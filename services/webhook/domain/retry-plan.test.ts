import fc from "fast-check";
import { nextDelayMs, productionPlan, quickPlan } from "./retry-plan";

describe("nextDelayMs", () => {
  it("follows the plan when the randomness is in the middle", () => {
    const delays = quickPlan.delaysMs.map((_, attempts) => nextDelayMs(quickPlan, attempts, 0.5, undefined));

    expect(delays).toEqual([0, 2_000, 10_000, 60_000, 300_000]);
  });

  it("makes ten attempts within 76 hours in production", () => {
    const sum = productionPlan.delaysMs.reduce((total, delay) => total + delay, 0);

    expect(productionPlan.delaysMs).toHaveLength(10);
    expect(sum).toBe((75 * 3_600 + 35 * 60 + 5) * 1_000);
  });

  it("ends after the last attempt", () => {
    expect(nextDelayMs(quickPlan, 5, 0.5, undefined)).toBeUndefined();
    expect(nextDelayMs(productionPlan, 10, 0.5, 60_000)).toBeUndefined();
  });

  it("stays within 20 % of the plan", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const planned = productionPlan.delaysMs[attempts] ?? 0;
        const delay = nextDelayMs(productionPlan, attempts, random, undefined) ?? 0;
        return delay >= planned * 0.8 - 1 && delay <= planned * 1.2 + 1;
      }),
    );
  });

  it("spreads the waits over all of these 20 %", () => {
    expect(nextDelayMs(quickPlan, 2, 0, undefined)).toBe(8_000);
    expect(nextDelayMs(quickPlan, 2, 1, undefined)).toBe(12_000);
  });

  it("waits as long as the receiver asks, up to twice the plan", () => {
    expect(nextDelayMs(quickPlan, 2, 0.5, 15_000)).toBe(15_000);
    expect(nextDelayMs(quickPlan, 2, 0.5, 1_000)).toBe(10_000);
    expect(nextDelayMs(quickPlan, 2, 0.5, 3_600_000)).toBe(20_000);
  });
});

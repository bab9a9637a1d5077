import fc from "fast-check";
import { type Bucket, takeTokens } from "./token-bucket";

const start = new Date("2026-01-01T00:00:00Z").getTime();
const demand = { capacity: 10, perSecond: 5 };

describe("takeTokens", () => {
  it("begins full, gives at most what is there, and fills up with time", () => {
    const first = takeTokens(undefined, { ...demand, wanted: 8 }, new Date(start));
    const second = takeTokens(first.next, { ...demand, wanted: 8 }, new Date(start));
    const third = takeTokens(second.next, { ...demand, wanted: 8 }, new Date(start + 1_000));

    expect([first.granted, second.granted, third.granted]).toEqual([8, 2, 5]);
  });

  it("never holds more than its capacity", () => {
    const { next } = takeTokens(undefined, { ...demand, wanted: 0 }, new Date(start));

    expect(takeTokens(next, { ...demand, wanted: 100 }, new Date(start + 3_600_000)).granted).toBe(10);
  });

  it("gives at most its capacity and the inflow over any time, whatever the callers and clocks", () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: -2_000, max: 2_000 }), fc.integer({ min: 0, max: 20 })));
    fc.assert(
      fc.property(steps, (asked) => {
        let bucket: Bucket | undefined;
        let granted = 0;
        let now = start;
        const first = start + (asked[0]?.[0] ?? 0);
        let latest = first;
        for (const [passedMs, wanted] of asked) {
          now += passedMs;
          latest = Math.max(latest, now);
          const taken = takeTokens(bucket, { ...demand, wanted }, new Date(now));
          granted += taken.granted;
          bucket = taken.next;
        }
        expect(granted).toBeLessThanOrEqual(10 + ((latest - first) * 5) / 1_000);
        expect(bucket?.tokens ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { seed: 7 },
    );
  });
});

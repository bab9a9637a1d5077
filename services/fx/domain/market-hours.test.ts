import fc from "fast-check";
import { isMarketClosed, openMsBetween } from "./market-hours";
import policy from "./rate-policy.json";

const hourMs = 3_600_000;
const at = (text: string): Date => new Date(`${text}Z`);

describe("isMarketClosed", () => {
  it.each<[string, boolean]>([
    ["2026-11-20T20:59:59.999", false],
    ["2026-11-20T21:00", true],
    ["2026-11-21T12:00", true],
    ["2026-11-22T21:59:59.999", true],
    ["2026-11-22T22:00", false],
    ["2026-11-25T03:00", false],
    ["2026-12-25T00:00", true],
    ["2026-12-24T23:59:59.999", false],
    ["2027-01-01T12:00", true],
  ])("at %s: %s", (instant, expected) => {
    expect(isMarketClosed(at(instant), policy)).toBe(expected);
  });
});

describe("openMsBetween", () => {
  it.each<[string, string, number]>([
    ["2026-11-17T00:00", "2026-11-18T00:00", 24],
    ["2026-11-20T20:00", "2026-11-22T23:00", 2],
    ["2026-11-21T01:00", "2026-11-22T01:00", 0],
    ["2026-12-24T22:00", "2026-12-27T23:00", 3],
    ["2026-11-13T21:00", "2026-11-20T21:00", 119],
  ])("from %s to %s are %d hours", (from, to, hours) => {
    expect(openMsBetween(at(from), at(to), policy)).toBe(hours * hourMs);
  });

  it("is negative for a future time, adds up, and is never longer than the time", () => {
    const instant = fc.date({ min: at("2026-01-01"), max: at("2026-02-15"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, instant, (...dates) => {
        const [a, b, c] = dates.toSorted((one, other) => one.getTime() - other.getTime()) as [Date, Date, Date];
        const [ab, bc, ac] = [openMsBetween(a, b, policy), openMsBetween(b, c, policy), openMsBetween(a, c, policy)];

        expect(ab + bc).toBe(ac);
        expect(ac).toBeLessThanOrEqual(c.getTime() - a.getTime());
        expect(openMsBetween(c, a, policy)).toBeLessThanOrEqual(0);
      }),
      { seed: 20_261_122, numRuns: 2_000 },
    );
  });
});

import { money } from "../../shared/kernel/money";
import { limitExceeded, requireRoom, sharesOf, windowLimits } from "./limits";

const limits = { currency: "USD", DAY: 100, MONTH: 1_000 };
const agent = { tenant: "demo", agentId: "a", at: new Date("2026-12-31T23:59:59.999Z") };

describe("windowLimits", () => {
  it("are those of the calendar in UTC, to the end of the day and of the month", () => {
    expect(windowLimits(limits, agent)).toEqual([
      {
        id: "demo/a/USD/2026-12-31",
        currency: "USD",
        window: "DAY",
        limitMinor: 100n,
        resetsAt: new Date("2027-01-01T00:00:00Z"),
      },
      {
        id: "demo/a/USD/2026-12",
        currency: "USD",
        window: "MONTH",
        limitMinor: 1_000n,
        resetsAt: new Date("2027-01-01T00:00:00Z"),
      },
    ]);
    const next = windowLimits(limits, { ...agent, at: new Date("2027-01-01T00:00:00Z") });
    expect(next.map(({ id }) => id)).toEqual(["demo/a/USD/2027-01-01", "demo/a/USD/2027-01"]);
  });
});

describe("sharesOf", () => {
  it("takes the amount's value from each window, and nothing where there is no limit", () => {
    const shares = sharesOf(limits, { ...agent, value: money(70n, "USD") });

    expect(shares.map(({ id, minor }) => [id, minor])).toEqual([
      ["demo/a/USD/2026-12-31", 70n],
      ["demo/a/USD/2026-12", 70n],
    ]);
    expect(sharesOf({ currency: "USD" }, { ...agent, value: money(70n, "USD") })).toEqual([]);
  });
});

describe("requireRoom", () => {
  const shares = sharesOf(limits, { ...agent, value: money(70n, "USD") });

  it("lets a payment fill a limit to its last minor unit", () => {
    expect(() => requireRoom(shares, [30n, 930n])).not.toThrow();
  });

  it("refuses one minor unit more in any window", () => {
    const refusal = (window: string) => expect.objectContaining({ details: expect.objectContaining({ window }) });

    expect(() => requireRoom(shares, [31n, 0n])).toThrow(refusal("DAY"));
    expect(() => requireRoom(shares, [0n, 931n])).toThrow(refusal("MONTH"));
  });
});

describe("limitExceeded", () => {
  it.each([
    [40n, 60n],
    [100n, 0n],
    [120n, 0n],
  ])("says of %s used what is left", (used, left) => {
    const [limit] = windowLimits(limits, agent);
    if (limit === undefined) throw new Error("no limit");

    expect(limitExceeded(limit, used)).toMatchObject({
      reason: "LIMIT_EXCEEDED",
      details: { window: "DAY", limit: money(100n, "USD"), left: money(left, "USD") },
    });
  });
});

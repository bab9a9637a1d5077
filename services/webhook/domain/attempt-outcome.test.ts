import { outcomeOf } from "./attempt-outcome";
import { quickPlan } from "./retry-plan";

const at = new Date("2026-01-01T00:00:00Z");
const outcome = (status: number | undefined, failures = 0): ReturnType<typeof outcomeOf> =>
  outcomeOf({ status, retryAfterMs: undefined }, { failures, nextAttemptAt: at }, quickPlan, () => 0.5, at);

describe("outcomeOf", () => {
  it.each([200, 201, 204, 299])("takes %d as delivered", (status) => {
    expect(outcome(status)).toEqual({ kind: "delivered" });
  });

  it.each([undefined, 199, 300, 301, 302, 307, 400, 404, 429, 500, 503])("tries again after %p", (status) => {
    expect(outcome(status)).toEqual({
      kind: "retry",
      failures: 1,
      nextAttemptAt: new Date("2026-01-01T00:00:02Z"),
    });
  });

  it("gives up when the plan is at its end", () => {
    expect(outcome(500, 3).kind).toBe("retry");
    expect(outcome(500, 4)).toEqual({ kind: "abandoned" });
  });

  it("takes 410 as the end of the endpoint", () => {
    expect(outcome(410)).toEqual({ kind: "endpoint gone" });
  });
});

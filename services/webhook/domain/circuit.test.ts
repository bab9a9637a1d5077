import { afterFailure, passageOf } from "./circuit";
import { healthy } from "./subscription";

const at = new Date("2026-01-06T00:00:00Z");
const inHalfAMinute = new Date("2026-01-06T00:00:30Z");
const anHourAgo = new Date("2026-01-05T23:00:00Z");

describe("passageOf", () => {
  it("lets attempts through until the endpoint is paused", () => {
    expect(passageOf({ ...healthy, failures: 9 }, at)).toEqual({ kind: "open" });
  });

  it("lets none through during a pause, and one when it is over", () => {
    expect(passageOf({ ...healthy, pausedUntil: inHalfAMinute }, at)).toEqual({ kind: "closed", until: inHalfAMinute });
    expect(passageOf({ ...healthy, pausedUntil: at }, at)).toEqual({ kind: "trial", nextTrialAt: inHalfAMinute });
  });
});

describe("afterFailure", () => {
  it("pauses an endpoint from its tenth failure in a row on", () => {
    expect(afterFailure({ ...healthy, failures: 9, failingSince: anHourAgo }, at)).toEqual({ kind: "none" });
    expect(afterFailure({ ...healthy, failures: 10, failingSince: anHourAgo }, at)).toEqual({
      kind: "pause",
      until: inHalfAMinute,
    });
  });

  it("disables a subscription after five days without a success", () => {
    const health = { ...healthy, failures: 3, failingSince: new Date("2026-01-01T00:00:00Z") };

    expect(afterFailure(health, at)).toEqual({ kind: "disable" });
    expect(afterFailure(health, new Date(at.getTime() - 1))).toEqual({ kind: "none" });
  });
});

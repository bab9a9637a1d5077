import { startAdmissionControl } from "./admission-control";

describe("the gate of the gateway", () => {
  it("counts the requests that are worked on, and lets in no more than there is room for", async () => {
    const gate = startAdmissionControl({ maxInFlight: 2, maxLagMs: 60_000 });
    const leave = gate.enter();
    gate.enter();

    expect(gate.inFlight()).toBe(2);
    expect(() => gate.enter()).toThrow("too many requests at once");
    leave();
    expect(gate.inFlight()).toBe(1);
    await gate.stop();
  });
});

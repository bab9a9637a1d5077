import { makeHealth } from "./health";

const never = (): Promise<never> => new Promise(() => {});

describe("health of a process", () => {
  it("is neither started nor ready before its start is complete, and not ready once it ends", async () => {
    const health = makeHealth();

    expect(health.startup()).toEqual({ isGood: false, missing: ["start"] });
    expect(await health.readiness()).toEqual({ isGood: false, missing: ["start"] });
    health.started();
    expect(health.startup().isGood).toBe(true);
    expect((await health.readiness()).isGood).toBe(true);
    health.stopping();
    expect(health.startup().isGood).toBe(true);
    expect(await health.readiness()).toEqual({ isGood: false, missing: ["stop"] });
  });

  it("stays as it ends, whatever says later that it has started", async () => {
    const health = makeHealth();

    health.stopping();
    health.started();

    expect(await health.readiness()).toEqual({ isGood: false, missing: ["stop"] });
  });

  it("names what refuses and what does not answer in time", async () => {
    const health = makeHealth(10);
    health.started();
    health.need("store", never);
    health.need("bus", () => Promise.reject(new Error("away")));
    health.need("clock", () => Promise.resolve());

    expect(await health.readiness()).toEqual({ isGood: false, missing: ["store", "bus"] });
  });

  it("asks once, however many want to know", async () => {
    let asked = 0;
    const health = makeHealth();
    health.started();
    health.need("store", async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
    });

    await Promise.all([health.readiness(), health.readiness(), health.readiness()]);

    expect(asked).toBe(1);
  });

  it("is not ready while the process says that it cannot work", async () => {
    const health = makeHealth();
    health.started();

    health.setServing(false);
    expect(await health.readiness()).toEqual({ isGood: false, missing: ["serving"] });
    health.setServing(true);
    expect((await health.readiness()).isGood).toBe(true);
  });
});

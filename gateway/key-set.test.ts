import { DomainError } from "../services/shared/kernel/errors";
import { makeKeySet } from "./key-set";

const logger = { debug() {}, info() {}, warn() {}, error() {} };

describe("makeKeySet", () => {
  let now = new Date(0);
  let calls = 0;
  let isAway = false;
  const clock = { now: () => now };
  const getKeySet = () => {
    calls += 1;
    if (isAway) return Promise.reject(new DomainError("UNAVAILABLE", "away"));
    return Promise.resolve({ jwksJson: Buffer.from(`{"keys":[],"n":${calls}}`), issuer: "https://issuer.example" });
  };
  const pass = (seconds: number): void => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  beforeEach(() => {
    now = new Date(0);
    calls = 0;
    isAway = false;
  });

  it("asks once for callers that come together, and again after a minute", async () => {
    const keySet = makeKeySet({ getKeySet, clock, logger });

    await Promise.all([keySet.current(), keySet.current()]);
    pass(59);
    await keySet.current();
    expect(calls).toBe(1);
    pass(1);
    await keySet.current();
    expect(calls).toBe(2);
  });

  it("asks for an unknown key at most every ten seconds", async () => {
    const keySet = makeKeySet({ getKeySet, clock, logger });
    await keySet.current();

    for (const seconds of [1, 1, 7, 1, 1]) {
      pass(seconds);
      await keySet.afterUnknownKey();
    }
    expect(calls).toBe(2);
  });

  it("keeps the old keys while the auth service is away", async () => {
    const keySet = makeKeySet({ getKeySet, clock, logger });
    const first = await keySet.current();
    isAway = true;
    pass(301);

    expect(await keySet.current()).toBe(first);
    expect(await keySet.current()).toBe(first);
    expect(calls).toBe(2);
  });

  it("asks again half a second after a failure when a key may have been taken out", async () => {
    const keySet = makeKeySet({ getKeySet, clock, logger });
    await keySet.current();
    isAway = true;
    keySet.doubt();
    await keySet.current();
    await keySet.current();
    expect(calls).toBe(2);

    isAway = false;
    pass(0.5);
    await keySet.current();
    await keySet.current();
    expect(calls).toBe(3);
  });

  it("fails while no keys were ever seen, and recovers at once", async () => {
    const keySet = makeKeySet({ getKeySet, clock, logger });
    isAway = true;
    await expect(keySet.current()).rejects.toMatchObject({ reason: "UNAVAILABLE" });

    isAway = false;
    expect(await keySet.current()).toMatchObject({ issuer: "https://issuer.example" });
  });
});

import { makeWaker } from "./waker";

const longMs = 60_000;

describe("makeWaker", () => {
  it("ends a wait when woken", async () => {
    const waker = makeWaker();
    const wait = waker.wait(longMs);

    waker.wake();

    await expect(wait).resolves.toBeUndefined();
  });

  it("keeps a wake for the next wait, once", async () => {
    const waker = makeWaker();
    waker.wake();
    await waker.wait(longMs);

    const startMs = performance.now();
    await waker.wait(30);

    expect(performance.now() - startMs).toBeGreaterThan(20);
  });
});

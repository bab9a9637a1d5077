import { gatherCalls } from "./gather-calls";

/** Calls `count` times, and counts the calls that have been let through. */
function callOften(gather: () => Promise<void>, count: number): { gone: number } {
  const counted = { gone: 0 };
  for (let made = 0; made < count; made += 1)
    void gather().then(() => {
      counted.gone += 1;
    });
  return counted;
}

const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0).then(() => undefined);

describe("calls that are gathered", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it("go on at once after a rest, and the next ones together at the end of the span", async () => {
    const gather = gatherCalls({ most: 10, everyMs: 500 });
    const first = callOften(gather, 1);
    await settle();
    expect(first.gone).toBe(1);

    const early = callOften(gather, 1);
    await jest.advanceTimersByTimeAsync(300);
    const late = callOften(gather, 2);
    await jest.advanceTimersByTimeAsync(199);
    expect([early.gone, late.gone]).toEqual([0, 0]);

    await jest.advanceTimersByTimeAsync(1);
    expect([early.gone, late.gone]).toEqual([1, 2]);

    await jest.advanceTimersByTimeAsync(500);
    const rested = callOften(gather, 1);
    await settle();
    expect(rested.gone).toBe(1);
  });

  it("go on as soon as there are enough of them, and the span begins anew", async () => {
    const gather = gatherCalls({ most: 3, everyMs: 500 });
    callOften(gather, 1);
    await jest.advanceTimersByTimeAsync(400);
    const enough = callOften(gather, 3);
    await settle();
    expect(enough.gone).toBe(3);

    const next = callOften(gather, 1);
    await jest.advanceTimersByTimeAsync(499);
    expect(next.gone).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(next.gone).toBe(1);
  });
});

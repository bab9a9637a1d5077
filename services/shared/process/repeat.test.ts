import { until } from "../../../test/support/platform-client";
import { currentCall, runInCall } from "./call-context";
import { repeatWhile } from "./repeat";

describe("repeatWhile", () => {
  it("works until nothing is left to do, and again when it is woken", async () => {
    let left = 3;
    let runs = 0;
    const repeating = repeatWhile({
      pauseMs: 1,
      isNeeded: () => left > 0,
      work: () => {
        runs += 1;
        left -= 1;
        return Promise.resolve();
      },
      onError: () => {},
    });
    expect(runs).toBe(0);
    repeating.wake();
    await until(() => Promise.resolve(left === 0), Boolean);
    expect(runs).toBe(3);

    left = 2;
    repeating.wake();
    repeating.wake();
    await until(() => Promise.resolve(left === 0), Boolean);
    expect(runs).toBe(5);
    await repeating.stop();
  });

  it("works for no call, whoever wakes it", async () => {
    const calls: unknown[] = [];
    const repeating = repeatWhile({
      pauseMs: 1,
      isNeeded: () => calls.length < 2,
      work: () => {
        calls.push(currentCall());
        return Promise.resolve();
      },
      onError: () => {},
    });
    runInCall({ requestId: "one", deadlineMs: 0 }, repeating.wake);
    await until(() => Promise.resolve(calls.length === 2), Boolean);

    expect(calls).toEqual([undefined, undefined]);
    await repeating.stop();
  });

  it("goes on after a failure, and ends with the run that is under way", async () => {
    const failures: unknown[] = [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let isOver = false;
    const repeating = repeatWhile({
      pauseMs: 1,
      isNeeded: () => true,
      work: async () => {
        if (failures.length === 0) throw new Error("away");
        await ended;
        isOver = true;
      },
      onError: (error) => void failures.push(error),
    });
    repeating.wake();
    await until(() => Promise.resolve(failures.length === 1), Boolean);
    const stopped = repeating.stop();
    end();
    await stopped;
    repeating.wake();

    expect(isOver).toBe(true);
  });
});

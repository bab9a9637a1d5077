import { feedGrew } from "../services/shared/bus/bus-users";
import { makeFeedWaiters } from "./feed-waiters";

/** Waiters on a bus that the test controls. */
function startWaiters() {
  let say = (_text: string): void => {};
  const waiters = makeFeedWaiters({
    onSignal(subject, hear) {
      if (subject === feedGrew) say = hear;
    },
  });
  return { waiters, say: (text: string) => say(text) };
}

/** No request in these tests waits this long. */
const longMs = 3_600_000;

describe("those who wait for events", () => {
  it("are four of one holder at most, whoever else waits, and one more when one has gone", () => {
    const { waiters } = startWaiters();
    const leaves = [1, 2, 3, 4].map(() => waiters.enter("demo"));
    const refusal = expect.objectContaining({
      reason: "RATE_LIMITED",
      details: { limitInFlight: 4, retryAfterSeconds: 1 },
    });
    expect(() => waiters.enter("demo")).toThrow(refusal as Error);
    waiters.enter("other")();
    leaves[0]?.();
    waiters.enter("demo");
    expect(() => waiters.enter("demo")).toThrow(refusal as Error);
  });

  it("are woken by a word of the bus about their tenant, and by no other", async () => {
    const { waiters, say } = startWaiters();
    const [demo, other] = [waiters.listen("demo"), waiters.listen("other")];
    const woken: string[] = [];
    const waits = [
      demo.wait(longMs).then(() => woken.push("demo")),
      other.wait(longMs).then(() => woken.push("other")),
    ];
    say("someone demo");
    await waits[0];
    expect(woken).toEqual(["demo"]);
    // After a loss of the bus all waiters look.
    say("");
    await waits[1];
    expect(woken).toEqual(["demo", "other"]);
  });

  it("hear what is said before they wait, and wait no more when they hang up or all is over", async () => {
    const { waiters, say } = startWaiters();
    const [early, leaving, last] = [waiters.listen("demo"), waiters.listen("demo"), waiters.listen("demo")];
    say("demo");
    await Promise.all([early, leaving, last].map((one) => one.wait(longMs)));
    leaving.hangUp();
    await leaving.wait(longMs);
    expect([leaving.isOver(), last.isOver()]).toEqual([true, false]);
    await waiters.stop();
    await last.wait(longMs);
    expect(last.isOver()).toBe(true);
  });
});

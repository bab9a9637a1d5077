import { nextInLane, type Waiting } from "./lane";

const at = new Date("2026-01-01T00:00:00Z");
const later = new Date("2026-01-01T00:01:00Z");
const muchLater = new Date("2026-01-01T01:00:00Z");
const waiting = (position: number, failures = 0, nextAttemptAt = at): Waiting & { position: number } => ({
  position,
  failures,
  nextAttemptAt,
});

describe("nextInLane", () => {
  it("sends the earliest that is due", () => {
    const [first, second] = [waiting(1), waiting(2)];

    expect(nextInLane([first, second], at)).toEqual({ kind: "send", delivery: first });
  });

  it("holds later ones back while an earlier one waits for its next attempt", () => {
    expect(nextInLane([waiting(1, 3, later), waiting(2)], at)).toEqual({ kind: "wait", until: later });
  });

  it("lets later ones pass after four failed attempts", () => {
    const second = waiting(2);

    expect(nextInLane([waiting(1, 4, later), second], at)).toEqual({ kind: "send", delivery: second });
  });

  it("tries a passed one again when it is due", () => {
    const first = waiting(1, 4, at);

    expect(nextInLane([first, waiting(2)], at)).toEqual({ kind: "send", delivery: first });
  });

  it("waits for the earliest attempt of those that may go", () => {
    const lane = [waiting(1, 5, muchLater), waiting(2, 1, later), waiting(3)];

    expect(nextInLane(lane, at)).toEqual({ kind: "wait", until: later });
  });

  it("is empty when nothing waits", () => {
    expect(nextInLane([], at)).toEqual({ kind: "empty" });
  });
});

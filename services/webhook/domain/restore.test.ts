import type { SequencedEvent } from "./event";
import { minuteOf, positionFloor, renumbered } from "./restore";

const event = (sequence: number, occurredAt: string): SequencedEvent => ({
  id: `p.${sequence}`,
  sequence,
  occurredAt: new Date(occurredAt),
  traceparent: undefined,
  notification: undefined,
});
const restoreAt = (text: string) => ({ minute: minuteOf(new Date(text)), at: new Date(text) });
const first = restoreAt("2026-11-23T10:00:00Z");
const second = restoreAt("2026-11-23T10:01:00Z");

describe("events after a restore", () => {
  it("keep id and number when they were brought back, and get new ones when they are new", () => {
    const [before, after] = [event(7, "2026-11-23T10:00:00.000Z"), event(7, "2026-11-23T10:00:00.001Z")];

    expect(renumbered([first], before)).toEqual(before);
    expect(renumbered([first], after)).toEqual({
      ...after,
      id: `p.7.r${first.minute}`,
      sequence: 7 + first.minute * 100,
    });
    expect(renumbered([], after)).toEqual(after);
  });

  it("have numbers that go on growing, and none that another restore gives", () => {
    const told = [
      event(7, "2026-11-23T09:00:00Z"),
      event(8, "2026-11-23T10:00:30Z"),
      event(8, "2026-11-23T10:02:00Z"),
    ].map((one) => renumbered([first, second], one));

    const numbers = told.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
    expect(new Set(numbers).size).toBe(3);
  });

  it("have numbers and positions that the wire can carry for forty years", () => {
    const late = restoreAt("2066-01-01T00:00:00Z");

    expect(renumbered([late], event(99, "2066-01-02T00:00:00Z")).sequence).toBeLessThan(2 ** 31);
    expect(positionFloor([late]) * 2).toBeLessThan(Number.MAX_SAFE_INTEGER);
    expect(positionFloor([])).toBe(0);
  });
});

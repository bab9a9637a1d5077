import { plusMs } from "../kernel/clock";
import { retentionMs } from "./jetstream";
import { positionAfter } from "./stream-gaps";

const lookedAt = new Date("2026-02-01T00:00:00Z");
const hourMs = 3_600_000;
const seen = {
  lookedAt,
  created: "life 1",
  firstSequence: 1,
  lastSequence: 100,
  acknowledged: 100,
  isCaughtUp: true,
};
const known = { created: "life 1", sequence: 40, handledAt: plusMs(lookedAt, -8 * 24 * hourMs) };
const anHourBefore = (at: Date): Date => plusMs(at, -hourMs);

describe("positionAfter", () => {
  it("misses nothing while the stream still has what follows", () => {
    expect(positionAfter(known, { ...seen, firstSequence: 41 }).missingSince).toBeUndefined();
  });

  it("misses what the stream has forgotten behind the last message that was handled", () => {
    expect(positionAfter(known, { ...seen, firstSequence: 42 }).missingSince).toEqual(anHourBefore(known.handledAt));
  });

  it("misses everything that a stream has forgotten before the consumer first came", () => {
    expect(positionAfter(undefined, { ...seen, firstSequence: 2 }).missingSince).toEqual(new Date(0));
    expect(positionAfter(undefined, seen).missingSince).toBeUndefined();
  });

  it("stands at the end of the stream when nothing waits, also when that end is another subject's", () => {
    const { next } = positionAfter(known, { ...seen, acknowledged: 50 });

    expect(next).toEqual({ created: "life 1", sequence: 100, handledAt: lookedAt });
  });

  it("stands at what was acknowledged while something waits, and keeps the time when nothing did", () => {
    const { next } = positionAfter(known, { ...seen, acknowledged: 50, isCaughtUp: false });

    expect(next).toEqual({ created: "life 1", sequence: 50, handledAt: known.handledAt });
  });

  it("does not find the same gap again", () => {
    const waiting = { ...seen, firstSequence: 60, acknowledged: 40, isCaughtUp: false };
    const { next, missingSince } = positionAfter(known, waiting);

    expect(missingSince).toBeDefined();
    expect(positionAfter(next, waiting).missingSince).toBeUndefined();
  });

  it("relies on what a stream that was made anew is filled with, and misses what is older", () => {
    const anew = { ...seen, created: "life 2" };
    const lately = { ...known, handledAt: plusMs(lookedAt, -24 * hourMs) };

    expect(positionAfter(lately, anew).missingSince).toBeUndefined();
    expect(positionAfter(known, anew).missingSince).toEqual(anHourBefore(known.handledAt));
    expect(positionAfter({ ...known, handledAt: plusMs(lookedAt, -retentionMs) }, anew).missingSince).toBeDefined();
  });
});

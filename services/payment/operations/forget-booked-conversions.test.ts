import { plusMs } from "../../shared/kernel/clock";
import type { EndedConversion } from "../store/open-conversion-store";
import { makeForgetBookedConversions } from "./forget-booked-conversions";

const now = new Date("2026-11-28T12:00:00Z");
const secondsAgo = (seconds: number): Date => plusMs(now, -1_000 * seconds);
const ended = (seconds: number, ...entryIds: string[]): EndedConversion => ({
  paymentId: `ended ${seconds} s ago`,
  eventCount: 1,
  endedAt: secondsAgo(seconds),
  entryIds,
});

/** Looks once at these conversions, of which the ledger has the entries `a` and `b`. */
async function look(all: readonly EndedConversion[]) {
  const instants: Date[] = [];
  let forgottenBy: Date | undefined;
  let postponed: unknown[] = [];
  const forget = makeForgetBookedConversions({
    conversions: {
      async ended(before) {
        instants.push(before);
        return [...all];
      },
      async forgetUntil(endedBy) {
        forgottenBy = endedBy;
      },
      async postpone(late, at) {
        postponed = late.map(({ paymentId }) => [paymentId, at]);
      },
    },
    bookings: {
      async posted(_entryIds, asOf) {
        instants.push(asOf);
        return new Set(["a", "b"]);
      },
    },
    clock: { now: () => now },
  });
  const hasMore = await forget();
  return { instants, forgottenBy, postponed, hasMore };
}

describe("forgetBookedConversions", () => {
  it("lets those be counted by the ledger alone of which it has had everything for half a minute", async () => {
    expect(await look([ended(50, "a", "b"), ended(40)])).toEqual({
      instants: [secondsAgo(30), secondsAgo(30)],
      forgottenBy: secondsAgo(40),
      postponed: [],
      hasMore: false,
    });
  });

  it("counts one that the ledger lacks, and what ended after it", async () => {
    const found = await look([ended(60, "a"), ended(50, "a", "c"), ended(40, "b")]);

    expect(found).toMatchObject({ forgottenBy: plusMs(secondsAgo(50), -1), postponed: [] });
  });

  it("does not let one hold up the others that is late by ten minutes, and goes on counting it", async () => {
    const found = await look([ended(601, "c"), ended(40, "b")]);

    expect(found).toMatchObject({ forgottenBy: secondsAgo(40), postponed: [["ended 601 s ago", now]] });
  });

  it("has nothing to write where nothing has ended", async () => {
    expect(await look([])).toMatchObject({ forgottenBy: undefined, postponed: [], hasMore: false });
  });

  it("looks at the next page behind a full one", async () => {
    const page = Array.from({ length: 1_000 }, (_, index) => ended(9_000 - index, "a"));

    expect((await look(page)).hasMore).toBe(true);
    expect((await look([...page.slice(1), ended(40, "c")])).hasMore).toBe(false);
  });
});
